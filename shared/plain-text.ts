import { activeCharacters } from './hidden-characters';

/**
 * Writes what a terminal would act on as `\xNN` or `\uNNNN`: what came from a network must not move the cursor,
 * rename the window or hide a line.
 */
export function toPlainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(activeCharacters, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** JSON on one line, with the same characters escaped as JSON has it: a terminal shows it, a program reads it. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    activeCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same for a text that must stay on its line. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/[\n\u2028\u2029]/g, '\\n');
}
