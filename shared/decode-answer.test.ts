import { expect, it } from 'vitest';
import { decodeAnswer } from './decode-answer';

const typed = (type: string): [string, string][] => [['content-TYPE', type]];
const bytes = (...all: number[]): Uint8Array[] => all.map((one) => Uint8Array.of(one));

it('reads UTF-8 whatever its type says, also where a character lies across two pieces', () => {
  expect(decodeAnswer(bytes(0xc3, 0xbc), typed('text/plain; charset=iso-8859-1'))).toEqual({
    text: 'ü',
    isUtf8: true,
    isExact: true,
  });
});

it.each([
  ['text/html; charset=ISO-8859-1', [0x66, 0xfc, 0x72], 'für'],
  ['application/json;charset="windows-1252"', [0x80], '€'],
  ['text/plain; charset=utf-16', [0xff, 0xfe, 0x41, 0x00], '\ufeffA'],
  ['text/plain; charset=utf-16', [0xfe, 0xff, 0x00, 0x41], '\ufeffA'],
  ['text/plain; charset=utf-16', [0x00, 0x41, 0x00, 0x42], 'AB'],
  ['text/plain; charset=utf-16', [0x41, 0x00, 0x42, 0x00], 'AB'],
  ['application/json; charset=utf-16le', [0x41, 0x00, 0x42, 0x00], 'AB'],
  ['application/json; charset=UTF-16BE', [0x00, 0x41, 0x00, 0x42], 'AB'],
])('reads in the character set that its type names: %s', (type, given, text) => {
  expect(decodeAnswer(bytes(...given), typed(type))).toEqual({ text, isUtf8: false, isExact: true });
});

it.each([
  'image/png',
  'text/plain; charset=utf-8',
  'text/plain; charset=klingon',
  'text/plain; charset=replacement',
])('shows what is no character as such, and says so: %s', (type) => {
  expect(decodeAnswer(bytes(0x61, 0xff), typed(type))).toEqual({
    text: 'a\ufffd',
    isUtf8: false,
    isExact: false,
  });
});

it.each(['utf-16le', 'utf-16be', 'utf-16'])(
  'reads UTF-8 whose type says %s, as no character of it is NUL',
  (charset) => {
    expect(decodeAnswer(bytes(0x41, 0x42), typed(`text/plain; charset=${charset}`))).toMatchObject({
      text: 'AB',
      isUtf8: true,
    });
  },
);

it('reads the beginning of an answer, cut within a character', () => {
  const read = (type: string, ...all: number[]) =>
    decodeAnswer(bytes(...all), typed(type), { isCut: true }).text;
  expect(read('text/plain; charset=iso-8859-1', 0xc3, 0xbc, 0xc3)).toBe('ü');
  expect(read('text/plain; charset=utf-16le', 0x41, 0x00, 0x42)).toBe('A');
});
