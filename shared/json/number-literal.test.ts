import { expect, it } from 'vitest';
import { toIntegerLiteral } from './number-literal';

it.each([
  ['1000', '1000'],
  ['1000.00', '1000'],
  ['1e3', '1000'],
  ['1.5E+3', '1500'],
  ['1500e-2', '15'],
  ['-2.0', '-2'],
  ['0.0', '0'],
  ['-0', '0'],
  ['9007199254740993.0', '9007199254740993'],
  ['1.5', null],
  ['1e-1', null],
  ['1e999', null],
  ['01', null],
  ['', null],
])('writes %j as the integer %j, without rounding', (literal, expected) => {
  expect(toIntegerLiteral(literal)).toBe(expected);
});
