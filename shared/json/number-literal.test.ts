import { expect, it } from 'vitest';
import { readNumberParts } from './number-literal';

it.each([
  ['0', [false, '0', 0, false, false]],
  ['-0.0', [true, '0', -1, true, false]],
  ['1000.00', [false, '100000', -2, true, false]],
  ['0.005', [false, '5', -3, true, false]],
  ['-12e3', [true, '12', 3, false, true]],
  ['1.50E+10', [false, '150', 8, true, true]],
  ['1e-7', [false, '1', -7, false, true]],
  ['9007199254740993', [false, '9007199254740993', 0, false, false]],
] as const)(
  'takes %s apart exactly as written',
  (literal, [isNegative, digits, exponent, hasFraction, hasExponent]) => {
    expect(readNumberParts(literal)).toEqual({ isNegative, digits, exponent, hasFraction, hasExponent });
  },
);

it.each([
  '',
  '-',
  '01',
  '+1',
  '.5',
  '1.',
  '1e',
  '1e+',
  '1e5.5',
  '0x10',
  '1_000',
  ' 1',
  '1 ',
  'NaN',
  '--1',
  '1e--5',
  '1a',
  'a1',
  '1.2.3',
])('knows no number in %j', (text) => expect(readNumberParts(text)).toBeNull());
