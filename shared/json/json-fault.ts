import { AppError } from '../errors';

/**
 * Builds the error for a text that is not JSON, with the place of the fault.
 *
 * A comma that is missing, or stands before a bracket, is told where it is to be mended: often a line above the first
 * character that cannot stand there.
 * @param faultOffset - UTF-16 offset of that character
 * @param faultExpected - what could stand there, in words
 * @returns `signing.not_json` with details `{ line, column, offset }`; line and column count from 1
 */
export function describeJsonFault(text: string, faultOffset: number, faultExpected: string): AppError {
  const { offset, expected, found } = placeComma(text, faultOffset, faultExpected);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  const column = offset - lineStart + 1;
  return new AppError(
    'signing.not_json',
    `The body is not JSON: line ${line}, column ${column}: ${found ?? `${nameFound(text, offset)}, expected ${expected}`}.`,
    { details: { line, column, offset } },
  );
}

/** Where a comma is to be put in or taken out; the fault as it is, for any other. */
function placeComma(
  text: string,
  offset: number,
  expected: string,
): { offset: number; expected: string; found?: string } {
  const found = text.charAt(offset);
  const before = text.slice(0, offset).trimEnd().length - 1;
  // A bracket of the other kind closes nothing here: taking the comma out would mend nothing.
  const closing = expected.startsWith('a key') ? '}' : ']';
  if (text.charAt(before) === ',' && found === closing) return { offset: before, expected: `'${found}'` };
  const isMissing =
    expected.startsWith("','") &&
    /["{[\d\-tfn]/.test(found) &&
    !(/\w/.test(found) && /\w/.test(text.charAt(offset - 1))) &&
    !text.startsWith('{{', offset);
  return isMissing ? { offset: before + 1, expected, found: 'a comma is missing' } : { offset, expected };
}

function nameFound(text: string, offset: number): string {
  if (offset >= text.length) return 'the text ends here';
  // The first brace of a variable opens an object; it is the second one that cannot stand there.
  const from = text.startsWith('{{', offset - 1) ? offset - 1 : offset;
  const variable = /^\{\{[^{}\n]{0,80}\}\}/.exec(text.slice(from, from + 90));
  if (variable !== null) return `${variable[0]} has no value`;
  const code = text.codePointAt(offset) ?? 0;
  if (code === 0xfeff) return 'a byte order mark (U+FEFF) stands here';
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
    return `the control character U+${code.toString(16).toUpperCase().padStart(4, '0')} stands here`;
  }
  return `'${String.fromCodePoint(code)}' stands here`;
}
