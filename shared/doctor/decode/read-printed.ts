import { fromHex } from '../../signing/hex';

/** Bytes out of what a language or a tool prints of them. */
export interface PrintedBytes {
  readonly bytes: Uint8Array;
  /** What the text is, for a sentence: 'written as a list of numbers'. */
  readonly what: string;
}

/** Longer texts are no print of a signature; the largest dump of one of 1024 bytes is a tenth of this. */
const MOST_CHARS = 100_000;

/**
 * Reads what languages and tools print for bytes, or for the number that they are, when nobody encodes them.
 *
 * Only what has just as many bytes as a signature is taken for one.
 * @param text - as it came
 * @param sizeBytes - bytes of a signature made with the key at hand
 */
export function readPrinted(text: string, sizeBytes: number): PrintedBytes | null {
  if (text.length > MOST_CHARS) return null;
  const bare = text.trim();
  for (const [what, read] of PRINTS) {
    const bytes = read(read === readLatin1 ? text : bare, sizeBytes);
    if (bytes?.length === sizeBytes) return { bytes, what };
  }
  return null;
}

type Read = (text: string, sizeBytes: number) => Uint8Array | null;

const PRINTS: readonly (readonly [what: string, read: Read])[] = [
  ['a list of numbers', readList],
  ['one decimal number', readNumber],
  ['what Node prints of a Buffer (<Buffer …>)', (text) => readGroups(/^<Buffer ([0-9a-f ]+)>$/.exec(text)?.[1])],
  ['what .NET prints of bytes (AB-CD-…)', (text) => readGroups(/^[0-9A-F]{2}(?:-[0-9A-F]{2})+$/i.exec(text)?.[0])],
  ["what Python prints of bytes (b'\\x…')", readPythonBytes],
  ['a dump in hex', readDump],
  ['a text that has one character for each byte', readLatin1],
]; // prettier-ignore

/** In brackets or not, parted by commas or blanks, with the name of a type in front or as JSON of a Buffer. */
function readList(text: string): Uint8Array | null {
  const inner = text
    .replace(/^\{\s*"type"\s*:\s*"Buffer"\s*,\s*"data"\s*:\s*(\[[^\]]*\])\s*\}$/, '$1')
    .replace(/"\d{1,4}"\s*:/g, '')
    .replace(
      /^(?:(?:Uint8Array|Int8Array|Buffer|\[\]byte|\[\]uint8)(?:\(\d+\))?|array\('[bB]', ?)\s*(?=[[{])/,
      '',
    )
    .replace(/\)$/, '')
    .replace(/^[[{(]|[\]}]$/g, '')
    .trim();
  if (!/^-?\d{1,3}(?:(?:\s*,\s*|\s+)-?\d{1,3})*,?$/.test(inner)) return null;
  const numbers = inner.match(/-?\d+/g)!.map(Number);
  return numbers.every((one) => one >= -128 && one < 256) ? Uint8Array.from(numbers) : null;
}

function readNumber(text: string, sizeBytes: number): Uint8Array | null {
  if (!/^\d+$/.test(text) || text.length <= sizeBytes * 2 || text.length >= sizeBytes * 2.5) return null;
  const hex = BigInt(text)
    .toString(16)
    .padStart(sizeBytes * 2, '0');
  return hex.length > sizeBytes * 2 ? null : fromHex(hex);
}

function readGroups(text: string | undefined): Uint8Array | null {
  return text === undefined ? null : fromHex(text.replace(/[ -]/g, ''));
}

const PYTHON_ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, '\\': 92, "'": 39, '"': 34 };

function readPythonBytes(text: string): Uint8Array | null {
  const body = /^(?:bytearray\()?b(["'])([\x20-\x7e]*)\1\)?$/.exec(text)?.[2];
  if (body?.includes('\\') !== true) return null;
  const bytes: number[] = [];
  for (const [, hex, one, plain] of body.matchAll(/\\x([0-9a-f]{2})|\\(.)|([^\\])/g)) {
    bytes.push(hex === undefined ? (PYTHON_ESCAPES[one ?? ''] ?? (plain ?? '').charCodeAt(0)) : Number.parseInt(hex, 16));
  } // prettier-ignore
  return Uint8Array.from(bytes);
}

/** As `xxd`, `hexdump` and `od` write: an offset, bytes in hex, and perhaps what they are as text. */
function readDump(text: string): Uint8Array | null {
  const bytes: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, rest] = /^[0-9a-f]{6,8}:?(?: (.*))?$/i.exec(line.trimEnd()) ?? [];
    if (rest === undefined && !/^[0-9a-f]{6,8}$/i.test(line.trim())) return null;
    const [columns = ''] = /^(?: {0,2}(?:[0-9a-f]{2}){1,2}(?![0-9a-f]))*/i.exec(rest ?? '') ?? [];
    const digits = columns.replace(/ /g, '').slice(0, 32);
    // Words of two bytes have the second one first, but those of xxd, which has a colon.
    const isSwapped = /[0-9a-f]{4}/i.test(columns) && !line.includes(':');
    bytes.push(isSwapped ? digits.replace(/(..)(..)/g, '$2$1') : digits);
  }
  return bytes.length < 2 ? null : fromHex(bytes.join(''));
}

function readLatin1(text: string, sizeBytes: number): Uint8Array | null {
  if (text.length !== sizeBytes || !/[\x80-\xff]/.test(text)) return null;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return Array.from(text).every((character) => character.charCodeAt(0) < 256) ? bytes : null;
}
