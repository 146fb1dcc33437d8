const LONGEST = 200;
const MOST = 100;

/**
 * Gives `work` what it made of a short text before: headers and lines of one request after the other are the same.
 *
 * @param work - always makes the same of a text
 */
export function rememberShort<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > LONGEST) return work(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = work(text);
    if (known.size >= MOST) known.clear();
    known.set(text, made);
    return made;
  };
}
