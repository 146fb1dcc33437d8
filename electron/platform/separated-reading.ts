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
/** The beginning of a list of bytes: a list of millions would be more than a regular expression can go back in. */
const DECIMAL_BYTES = /(?<![\d.])(?:\d{1,3}[\s,;]{1,8}){7}\d{1,3}(?![\d.])/;
const FEWEST_BYTES = 8;
const LONGEST_GAP = 8;

const squeeze = (text: string): string => text.replace(SEPARATOR, '');

/** The forms as they are sought in a text without its separators; those that chance would find are left out. */
export const squeezeForms = (forms: readonly string[]): string[] =>
  forms.map(squeeze).filter(({ length }) => length >= SHORTEST);

interface FoundReading {
  readonly reading: PlacedText;
  readonly forms: string[];
}

/**
 * Reads a text without what separates its characters (`63 30 6e`, `0x63, 0x30`, Base64 over several lines), where one of
 * the forms is found in it so.
 *
 * @param squeezedForms - from {@link squeezeForms}
 * @returns null: nothing is hidden so
 */
export function readBetweenSeparators(text: string, squeezedForms: readonly string[]): FoundReading | null {
  const mayStand = squeezedForms.filter(({ length }) => length <= text.length);
  const squeezed = mayStand.length === 0 ? '' : squeeze(text);
  const found = mayStand.filter((form) => squeezed.includes(form));
  return found.length === 0 ? null : { reading: readBetween(text, squeezed), forms: found };
}

/** Reads the lists of bytes in decimal digits of a text, where one of the forms is found in them; null: in none. */
export function readListsOfBytes(text: string, forms: readonly string[]): FoundReading | null {
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
  if (!DECIMAL_BYTES.test(text)) return null;
  // Eight numbers take fifteen characters, and each list one more place.
  const most = Math.ceil(text.length * 0.6) + 2;
  const [values, starts, ends] = [new Uint16Array(most), new Uint32Array(most), new Uint32Array(most)];
  let [count, listFrom] = [0, 0];
  const add = (value: number, from: number, to: number): void => {
    [values[count], starts[count], ends[count]] = [value, from, to];
    count += 1;
  };
  const endList = (): void => {
    const to = ends[count - 1] ?? 0;
    if (count - listFrom < FEWEST_BYTES) count = listFrom;
    // Lists are not read into each other.
    else add(0, to, to);
    listFrom = count;
  };
  for (let at = 0; at < text.length;) {
    const end = findRunEnd(text, at, isDigit);
    const isNumber = end > at && end - at <= 3 && text[at - 1] !== '.' && text[end] !== '.';
    if (isNumber) add(Number(text.slice(at, end)), at, end);
    const next = findRunEnd(text, end, isGap);
    if (!isNumber || next === end || next - end > LONGEST_GAP || !isDigit(text.charCodeAt(next))) endList();
    at = Math.max(next, at + 1);
  }
  endList();
  if (count === 0) return null;
  return {
    text: Buffer.from(values.buffer, 0, 2 * count).toString('utf16le'),
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
  };
}

function findRunEnd(text: string, from: number, fits: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && fits(text.charCodeAt(at))) at += 1;
  return at;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** Comma, semicolon or blank. */
const isGap = (code: number): boolean =>
  code === 0x2c ||
  code === 0x3b ||
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  (code >= 0xa0 && /\s/.test(String.fromCharCode(code)));
