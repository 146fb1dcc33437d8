import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAmount } from './read-amount';

it.each([
  ['0', 0],
  ['-0', 0],
  ['1000', 1000],
  ['1000.00', 1000],
  ['1e3', 1000],
  ['1E+3', 1000],
  ['12.5e1', 125],
  ['1000e-2', 10],
  ['-7', -7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740993', null],
  ['10.5', null],
  ['1e999999999', null],
  ['1e-999999999', null],
  ['0.1', null],
  ['abc', null],
])('reads %s as %s', (literal, amount) => {
  expect(readAmount(literal)).toBe(amount);
});

it('agrees with JSON.parse on every safe whole number, however it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 0, max: 3 }), (amount, zeros) => {
      expect(readAmount(zeros === 0 ? `${amount}` : `${amount}.${'0'.repeat(zeros)}`)).toBe(amount);
      expect(readAmount(`${amount}e0`)).toBe(amount);
      expect(readAmount(`${amount}${'0'.repeat(zeros)}e-${zeros}`)).toBe(amount);
    }),
  );
});
