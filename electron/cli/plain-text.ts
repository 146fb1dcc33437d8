/**
 * Control characters but line feed and tab; the marks that turn the direction of text around; and what has no width,
 * so that two texts look the same. Joiners (U+200C, U+200D) stay: scripts and emoji are written with them.
 */
const ACTIVE =
  // eslint-disable-next-line no-control-regex -- these are what a terminal acts on
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Writes what a terminal would act on as `\xNN` or `\uNNNN`: what came from a network must not move the cursor,
 * rename the window or hide a line.
 */
export function toPlainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(ACTIVE, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** JSON on one line, with the same characters escaped as JSON has it: a terminal shows it, a program reads it. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    ACTIVE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for a text that must stay on its line. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/[\n\u2028\u2029]/g, '\\n');
}
