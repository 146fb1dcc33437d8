import { encodeBase64 } from '../../signing/base64';
import { toHex } from '../../signing/hex';
import type { Encode } from '../search/draft';

const utf8 = new TextEncoder();

/** What Windows-1252 has where Latin-1 has control characters. @source WHATWG Encoding, index windows-1252 */
const WINDOWS_1252: ReadonlyMap<number, number> = new Map(
  Array.from(
    '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ',
    (character, index) => [character.codePointAt(0) ?? 0, 0x80 + index] as const,
  ),
);

const FROM_WINDOWS_1252: ReadonlyMap<number, string> = new Map(
  Array.from(WINDOWS_1252, ([point, byte]) => [byte, String.fromCodePoint(point)] as const),
);
/** Five bytes that Windows-1252 has nothing for: the Web reads control characters there, Java and .NET nothing. */
const UNUSED = /[\u0080-\u009f]/g;

/** Reads bytes as Windows-1252, as the Web does, then as others do; Node 20's own decoder reads Latin-1. */
export function readWindows1252(bytes: Uint8Array): [web: string, others: string] {
  const web = Array.from(bytes, (byte) => FROM_WINDOWS_1252.get(byte) ?? String.fromCharCode(byte)).join('');
  return [web, web.replace(UNUSED, '\ufffd')];
}

function encodeUtf16(isBig: boolean, hasMark: boolean): Encode {
  return (text) => {
    const source = hasMark ? `\ufeff${text}` : text;
    const bytes = new Uint8Array(source.length * 2);
    for (let at = 0; at < source.length; at += 1) {
      const unit = source.charCodeAt(at);
      bytes[at * 2] = isBig ? unit >> 8 : unit;
      bytes[at * 2 + 1] = isBig ? unit : unit >> 8;
    }
    return bytes;
  };
}

function encodeUtf32(isBig: boolean): Encode {
  return (text) => {
    const bytes = new Uint8Array(text.length * 4);
    let at = 0;
    for (let unit = 0; unit < text.length; unit += 1) {
      const point = text.codePointAt(unit) ?? 0;
      if (point > 0xffff) unit += 1;
      for (let byte = 0; byte < 4; byte += 1) bytes[at++] = point >>> (isBig ? 24 - byte * 8 : byte * 8);
    }
    return bytes.subarray(0, at);
  };
}

function encodeOneByte(limit: number, extra: ReadonlyMap<number, number>): Encode {
  return (text) => {
    const bytes = new Uint8Array(text.length);
    let at = 0;
    for (let unit = 0; unit < text.length; unit += 1) {
      const point = text.codePointAt(unit) ?? 0;
      if (point > 0xffff) unit += 1;
      bytes[at++] = point < 0x80 ? point : (extra.get(point) ?? (point < limit ? point : 0x3f));
    }
    return bytes.subarray(0, at);
  };
}

const NONE: ReadonlyMap<number, number> = new Map();

/** A way to turn a string into bytes that is not plain UTF-8. */
export interface TextEncoding {
  readonly name: string;
  readonly encode: Encode;
  /** Writes ASCII text as UTF-8 does. */
  readonly isAsciiSame?: true;
  /** Seldom met: not tried with two others. */
  readonly isRare?: true;
}

/** Ways to turn a string into bytes, other than UTF-8. */
export const TEXT_ENCODINGS: readonly TextEncoding[] = [
  { name: 'UTF-16 (little endian)', encode: encodeUtf16(false, false) },
  { name: 'UTF-16 (big endian)', encode: encodeUtf16(true, false) },
  {
    name: 'UTF-16 (little endian) with a byte order mark',
    encode: encodeUtf16(false, true),
  },
  {
    name: 'UTF-16 (big endian) with a byte order mark',
    encode: encodeUtf16(true, true),
  },
  { name: 'Latin-1', encode: encodeOneByte(0x100, NONE), isAsciiSame: true },
  {
    name: 'Windows-1252',
    encode: encodeOneByte(0x100, WINDOWS_1252),
    isAsciiSame: true,
  },
  {
    name: 'ASCII, with question marks',
    encode: encodeOneByte(0x80, NONE),
    isAsciiSame: true,
  },
  {
    name: 'ASCII, with other characters left out',
    isAsciiSame: true,
    encode: (text) => utf8.encode(text.replace(/[^\0-\u007f]/gu, '')),
  },
  {
    name: 'UTF-8 encoded twice',
    isAsciiSame: true,
    encode: (text) =>
      utf8.encode(Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join('')),
  },
  {
    name: 'UTF-8 encoded twice, read as Windows-1252 between',
    isAsciiSame: true,
    isRare: true,
    encode: (text) => utf8.encode(readWindows1252(utf8.encode(text))[0]),
  },
  { name: 'UTF-32 (little endian)', isRare: true, encode: encodeUtf32(false) },
  { name: 'UTF-32 (big endian)', isRare: true, encode: encodeUtf32(true) },
  {
    name: 'hex text',
    isRare: true,
    encode: (text) => utf8.encode(toHex(utf8.encode(text))),
  },
  {
    name: 'Base64 text',
    isRare: true,
    encode: (text) => utf8.encode(encodeBase64(utf8.encode(text))),
  },
];
