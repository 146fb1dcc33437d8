import { encodeBase64 } from '../base64';
import type { CauseCode } from './causes';
import type { Encode } from './draft';

const utf8 = new TextEncoder();

/** What Windows-1252 has where Latin-1 has control characters. @source WHATWG Encoding, index windows-1252 */
const WINDOWS_1252: ReadonlyMap<string, number> = new Map(
  Array.from('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ', (character, index) => [
    character,
    0x80 + index,
  ]),
);

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
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return Uint8Array.from(
      points.flatMap((point) => {
        const four = [point >>> 24, point >>> 16, point >>> 8, point].map((byte) => byte & 0xff);
        return isBig ? four : four.reverse();
      }),
    );
  };
}

function encodeOneByte(limit: number, extra: ReadonlyMap<string, number>): Encode {
  return (text) =>
    Uint8Array.from(text, (character) => {
      const point = character.codePointAt(0) ?? 0;
      return extra.get(character) ?? (point < limit ? point : 0x3f);
    });
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const NONE: ReadonlyMap<string, number> = new Map();
const encodeLatin1 = encodeOneByte(0x100, NONE);

/** Ways to turn a string into bytes that are not plain UTF-8. */
export const TEXT_ENCODINGS: readonly { code: CauseCode; name: string; encode: Encode }[] = [
  { code: 'string.charset', name: 'UTF-16 (little endian)', encode: encodeUtf16(false, false) },
  { code: 'string.charset', name: 'UTF-16 (big endian)', encode: encodeUtf16(true, false) },
  {
    code: 'string.charset',
    name: 'UTF-16 (little endian) with a byte order mark',
    encode: encodeUtf16(false, true),
  },
  {
    code: 'string.charset',
    name: 'UTF-16 (big endian) with a byte order mark',
    encode: encodeUtf16(true, true),
  },
  { code: 'string.charset', name: 'Latin-1', encode: encodeLatin1 },
  { code: 'string.charset', name: 'Windows-1252', encode: encodeOneByte(0x100, WINDOWS_1252) },
  { code: 'string.charset', name: 'ASCII, with question marks', encode: encodeOneByte(0x80, NONE) },
  {
    code: 'string.charset',
    name: 'ASCII, with other characters left out',
    encode: (text) => utf8.encode(text.replace(/[^\0-\u007f]/gu, '')),
  },
  {
    code: 'string.charset',
    name: 'UTF-8 encoded twice',
    encode: (text) =>
      utf8.encode(Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join('')),
  },
  { code: 'string.charset', name: 'UTF-32 (little endian)', encode: encodeUtf32(false) },
  { code: 'string.charset', name: 'UTF-32 (big endian)', encode: encodeUtf32(true) },
  { code: 'string.charset', name: 'hex text', encode: (text) => utf8.encode(toHex(utf8.encode(text))) },
  {
    code: 'string.charset',
    name: 'Base64 text',
    encode: (text) => utf8.encode(encodeBase64(utf8.encode(text))),
  },
];
