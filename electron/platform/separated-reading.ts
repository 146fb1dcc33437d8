/** A text as it is read past what was put into it, and where each of its characters stood. */
export interface PlacedText {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** What dumps, wrapped lines and lists of bytes put between: blanks, signs, `0x`, `\x`, and breaks as JSON writes them. */
const SEPARATOR = /\\[nrt]|(?:0x|\\x)(?=[\da-fA-F]{2})|[^\da-zA-Z\u0080-\uffff]/g;
/** A shorter text would be found by chance once blanks are gone. */
const SHORTEST = 12;
const DECIMAL_BYTES = /(?<![\d.])(?:\d{1,3}[\s,;]{1,8}){7,}\d{1,3}(?![\d.])/g;

const squeeze = (text: string): string => text.replace(SEPARATOR, '');

/** The forms as they are sought in a text without its separators; those that chance would find are left out. */
export const squeezeForms = (forms: readonly string[]): string[] =>
  forms.map(squeeze).filter(({ length }) => length >= SHORTEST);

/**
 * Reads a text without what separates its characters (`63 30 6e`, `0x63, 0x30`, Base64 over several lines), and lists of
 * bytes in decimal digits, where one of the forms is found in it so.
 *
 * @param squeezedForms - from `squeezeForms(forms)`
 * @returns the reading and what is to be sought in it; null: nothing is hidden so
 */
export function readSeparated(
  text: string,
  forms: readonly string[],
  squeezedForms: readonly string[],
): { reading: PlacedText; forms: string[] } | null {
  const mayStand = squeezedForms.filter(({ length }) => length <= text.length);
  const squeezed = mayStand.length === 0 ? '' : squeeze(text);
  const found = mayStand.filter((form) => squeezed.includes(form));
  if (found.length > 0) return { reading: readBetween(text, squeezed), forms: found };
  const bytes = readDecimalBytes(text);
  const written = bytes === null ? [] : forms.filter((form) => form.length > 0 && bytes.text.includes(form));
  return bytes === null || written.length === 0 ? null : { reading: bytes, forms: written };
}

function readBetween(text: string, squeezed: string): PlacedText {
  const starts = new Uint32Array(squeezed.length);
  const ends = new Uint32Array(squeezed.length);
  let [count, at] = [0, 0];
  const keepTo = (end: number): void => {
    for (; at < end; at += 1, count += 1) [starts[count], ends[count]] = [at, at + 1];
  };
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
    keepTo(index);
    at = index + separator.length;
  }
  keepTo(text.length);
  return { text: squeezed, starts, ends };
}

function readDecimalBytes(text: string): PlacedText | null {
  const bytes: { value: number; from: number; to: number }[] = [];
  for (const { 0: list, index } of text.matchAll(DECIMAL_BYTES)) {
    for (const number of list.matchAll(/\d+/g)) {
      const from = index + number.index;
      bytes.push({ value: Number(number[0]), from, to: from + number[0].length });
    }
    // Lists are not read into each other.
    bytes.push({ value: 0, from: index + list.length, to: index + list.length });
  }
  if (bytes.length === 0) return null;
  return {
    text: bytes.map(({ value }) => String.fromCharCode(value)).join(''),
    starts: Uint32Array.from(bytes, ({ from }) => from),
    ends: Uint32Array.from(bytes, ({ to }) => to),
  };
}
