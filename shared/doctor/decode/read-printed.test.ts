import { describe, expect, it } from 'vitest';
import { toHex } from '../../signing/hex';
import { readPrinted } from './read-printed';

/** All bytes there are. */
const signature = Uint8Array.from({ length: 256 }, (_, at) => (at * 37 + 3) % 256);
const hex = toHex(signature);
const pairs = hex.match(/../g)!;
const read = (text: string): string | null => {
  const printed = readPrinted(text, 256);
  return printed === null ? null : `${toHex(printed.bytes) === hex ? 'the signature' : 'other bytes'}, ${printed.what}`;
}; // prettier-ignore
/** Lines of 16 bytes, each with its offset. */
const dump = (offset: (at: number) => string, line: (bytes: string[]) => string): string =>
  Array.from({ length: 16 }, (_, row) => offset(row * 16) + line(pairs.slice(row * 16, row * 16 + 16))).join(
    '\n',
  );
const inHex = (at: number, digits: number): string => at.toString(16).padStart(digits, '0');
const asText = (bytes: string[]): string =>
  bytes.map((one) => String.fromCharCode(Number.parseInt(one, 16)).replace(/[^\x20-\x7e]/, '.')).join('');
const words = (bytes: string[]): string => bytes.join('').replace(/(....)(?!$)/g, '$1 ');
const swapped = (bytes: string[]): string => words(bytes).replace(/(\w\w)(\w\w)/g, '$2$1');

describe('reads what is printed of bytes', () => {
  const python = Array.from(signature, (byte) => {
    if (byte === 92) return '\\\\';
    if (byte === 39) return "\\'";
    const escape = { 9: '\\t', 10: '\\n', 13: '\\r' }[byte];
    return (
      escape ?? (byte < 32 || byte > 126 ? `\\x${toHex(Uint8Array.of(byte))}` : String.fromCharCode(byte))
    );
  }).join('');
  const list = signature.join(', ');
  const LIST = 'a list of numbers';
  const DUMP = 'a dump in hex';
  it.each([
    ['a Buffer', `<Buffer ${pairs.join(' ')}>`, 'what Node prints of a Buffer (<Buffer …>)'],
    ['a Uint8Array', `Uint8Array(256) [\n  ${list}\n]`, LIST],
    ['a Buffer as JSON', `{"type":"Buffer","data":[${signature.join(',')}]}`, LIST],
    ['a Uint8Array as JSON', JSON.stringify(signature), LIST],
    ['a slice of Go', `[${signature.join(' ')}]`, LIST],
    ['a literal of Go', `[]byte{${list}}`, LIST],
    ['an array of Python', `array('B', [${list}])`, LIST],
    ['bytes of .NET', pairs.join('-').toUpperCase(), 'what .NET prints of bytes (AB-CD-…)'],
    ['bytes of Python', `b'${python}'`, "what Python prints of bytes (b'\\x…')"],
    ['a bytearray of Python', `bytearray(b"${python}")`, "what Python prints of bytes (b'\\x…')"],
    ['xxd', dump((at) => `${inHex(at, 8)}: `, (bytes) => `${words(bytes)}  ${asText(bytes)}`), DUMP],
    ['hexdump -C', `${dump((at) => `${inHex(at, 8)}  `, (bytes) => `${bytes.slice(0, 8).join(' ')}  ${bytes.slice(8).join(' ')}  |${asText(bytes)}|`)}\n00000100\n`, DUMP],
    ['hexdump, words with the second byte first', `${dump((at) => `${inHex(at, 7)} `, swapped)}\n0000100\n`, DUMP],
    ['od -t x1', `${dump((at) => `${at.toString(8).padStart(7, '0')} `, (bytes) => bytes.join(' '))}\n0000400\n`, DUMP],
    ['a character a byte', String.fromCharCode(...signature), 'a text that has one character for each byte'],
  ])('%s', (_what, text, what) => {
    expect(read(text)).toBe(`the signature, ${what}`);
  }); // prettier-ignore

  it.each([
    ['a byte fewer', `<Buffer ${pairs.slice(1).join(' ')}>`],
    ['a part of a Buffer', `<Buffer ${pairs.slice(0, 50).join(' ')} ... 206 more bytes>`],
    ['a number beyond a byte', `[${list.replace(/^3,/, '300,')}]`],
    ['a byte fewer of Python', `b'${python.slice(4)}'`],
    ['a dump without offsets', dump(() => '', (bytes) => bytes.join(' '))],
    ['one line of a dump', '00000000: 0328 4d72'],
    ['a text of as many characters', 'é'.repeat(255) + '€'],
    ['a word', 'undefined'],
    ['far more than a signature', `[${'1,'.repeat(60_000)}1]`],
  ])('not %s', (_what, text) => {
    expect(read(text)).toBeNull();
  }); // prettier-ignore
});
