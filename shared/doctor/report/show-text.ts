const NAMES: Readonly<Record<string, string>> = {
  '\n': 'a line feed',
  '\r\n': 'CRLF',
  '\r': 'a carriage return',
  '\t': 'a tab',
  ' ': 'a space',
  '\0': 'a zero byte',
};

const SHOWN_LENGTH = 80;

/** Shows a text in a sentence: invisible ones by name, others in quotes, long ones cut. */
export function showText(text: string): string {
  const name = NAMES[text];
  if (name !== undefined) return name;
  if (/^[\p{C}\p{Z}]$/u.test(text))
    return `the character U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  return `“${cutText(text)}”`;
}

/** Cuts a text to what fits in a line. */
export function cutText(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
