import { expect, it } from 'vitest';
import { decodeText } from './decode-text';

const text = '{"é":1}';
const utf16 = (littleEndian: boolean, mark: boolean): Uint8Array => {
  const units = [...(mark ? '\ufeff' : ''), ...text].map((one) => one.charCodeAt(0));
  const view = new DataView(new ArrayBuffer(units.length * 2));
  units.forEach((unit, at) => view.setUint16(at * 2, unit, littleEndian));
  return new Uint8Array(view.buffer);
};

it.each([
  ['UTF-8', new TextEncoder().encode(text)],
  ['UTF-8 with its mark', new TextEncoder().encode(`\ufeff${text}`)],
  ['UTF-16, little end first, with its mark', utf16(true, true)],
  ['UTF-16, big end first, with its mark', utf16(false, true)],
  ['UTF-16, little end first, without', utf16(true, false)],
  ['UTF-16, big end first, without', utf16(false, false)],
])('reads %s', (_what, bytes) => expect(decodeText(bytes, 'a.json')).toBe(text));

it.each([
  [[], ''],
  [[0x41], 'A'],
  [[0x41, 0], 'A'],
  [[0, 0x41], 'A'],
  [[0], '\0'],
  [[0, 0], '\0\0'],
])('reads %j', (bytes, expected) => expect(decodeText(Uint8Array.from(bytes), 'a')).toBe(expected));

it.each([
  ['bytes of no text', [0xc3, 0x28]],
  ['half of UTF-16', [0x41, 0, 0x42]],
  ['half a mark', [0xff, 0x41]],
  ['half of the other', [0xfe, 0x41]],
])('refuses %s, with what to do', (_what, bytes) => {
  expect(() => decodeText(Uint8Array.from(bytes), 'a.json')).toThrow(
    expect.objectContaining({
      code: 'import.not_readable',
      message: 'a.json is neither UTF-8 nor UTF-16 text. Export it again, and import that file.',
    }),
  );
});

it('says of a zip archive, as several tools export it, that it is to be unpacked', () => {
  expect(() => decodeText(Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0]), 'a.zip')).toThrow(
    'a.zip is a zip archive. Unpack it, and import the file or folder that is in it.',
  );
});
