import type { PlacedText } from './separated-reading';

/** What may write a character otherwise: most texts have nothing of it, and are done with at once. */
export const MAY_BE_ESCAPED = /[\\%\0]|&(?:#|amp;|lt;|gt;|quot;|apos;)/;
const ENTITY = /&(?:#(\d{1,5})|#[xX]([\da-fA-F]{1,4})|(amp|lt|gt|quot|apos));/y;
const NAMED: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 };

/** Takes one layer of escapes off a text. */
export const unescapeText = (text: string): string =>
  MAY_BE_ESCAPED.test(text) ? unescape(text).text : text;

/** Takes off `\uXXXX`, `%XX` and what HTML writes for a character; backslashes and zero bytes that are left say nothing. */
export function unescape(source: string | PlacedText): PlacedText {
  const text = typeof source === 'string' ? source : source.text;
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  const pieces: string[] = [];
  let count = 0;
  let units: number[] = [];
  for (let at = 0; at < text.length;) {
    const { unit, length } = readUnit(text, at);
    if (unit !== null) {
      starts[count] = typeof source === 'string' ? at : source.starts[at]!;
      ends[count] = typeof source === 'string' ? at + length : source.ends[at + length - 1]!;
      count += 1;
      units.push(unit);
      if (units.length === 4096) {
        pieces.push(String.fromCharCode(...units));
        units = [];
      }
    }
    at += length;
  }
  pieces.push(String.fromCharCode(...units));
  return { text: pieces.join(''), starts, ends };
}

function readUnit(text: string, at: number): { unit: number | null; length: number } {
  const unit = text.charCodeAt(at);
  if (unit === 0) return { unit: null, length: 1 };
  if (unit === 0x25) {
    const byte = readHex(text, at + 1, 2);
    return byte === null ? { unit, length: 1 } : { unit: byte, length: 3 };
  }
  if (unit === 0x26) return readEntity(text, at);
  if (unit !== 0x5c) return { unit, length: 1 };
  const sign = text[at + 1];
  const escaped = sign === 'u' ? readHex(text, at + 2, 4) : null;
  if (escaped !== null) return { unit: escaped, length: 6 };
  if (sign === 'n' || sign === 'r') return { unit: sign === 'n' ? 0x0a : 0x0d, length: 2 };
  return { unit: null, length: 1 };
}

function readEntity(text: string, at: number): { unit: number; length: number } {
  ENTITY.lastIndex = at;
  const [whole = '&', decimal, hex, name = 'amp'] = ENTITY.exec(text) ?? [];
  if (decimal !== undefined) return { unit: Number(decimal), length: whole.length };
  return { unit: hex === undefined ? NAMED[name]! : parseInt(hex, 16), length: whole.length };
}

function readHex(text: string, from: number, count: number): number | null {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = '0123456789abcdef'.indexOf(text.charAt(at).toLowerCase());
    if (digit === -1 || at >= text.length) return null;
    value = value * 16 + digit;
  }
  return value;
}
