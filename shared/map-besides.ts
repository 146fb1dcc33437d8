/** Changes what stands beside the variables of a value, is long enough for a secret, and is no scheme, nor holds names of its own. */
export function mapBesides(value: string, change: (part: string) => string): string {
  return value
    .split(/(\{\{[^{}\r\n]*\}\})/)
    .map((part, at) => {
      const text = part.trim();
      const isSecret = /^[^\s"',;={}]{6,8000}={0,2}$/.test(text) && /(?:[a-z\d][^a-z\d]*){6}/i.test(text);
      if (at % 2 === 1 || !isSecret || /^(?:bearer|digest|apikey)$/i.test(text)) return part;
      return part.replace(text, () => change(text));
    })
    .join('');
}
