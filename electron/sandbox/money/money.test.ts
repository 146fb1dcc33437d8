import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeCharges, toFixed, toJsonNumber, toMinor } from './money';

test.each([
  [1000, 100_000n],
  [0, 0n],
  [10.5, 1050n],
  [0.05, 5n],
  [0.29, 29n],
  [1.005, null],
  [-1, null],
  [1e21, null],
  [Number.NaN, null],
])('%s in hundredths is %s', (amount, minor) => {
  expect(toMinor(amount)).toBe(minor);
});

test.each([
  [100_000n, 1000n],
  [100n, 1n],
  [50n, 1n],
  [49n, 0n],
  [150n, 2n],
  [149n, 1n],
])('charges of %s hundredths are %s, half up', (amount, charges) => {
  expect(computeCharges(amount)).toBe(charges);
});

test.each([
  [100_000n, '1000', '1000.00'],
  [1050n, '10.5', '10.50'],
  [1005n, '10.05', '10.05'],
  [5n, '0.05', '0.05'],
  [0n, '0', '0.00'],
  [-1010n, '-10.1', '-10.10'],
])('%s hundredths are the JSON number %s, and %s with two decimals', (minor, json, fixed) => {
  expect(toJsonNumber(minor)).toBe(json);
  expect(toFixed(minor)).toBe(fixed);
});

test('what is written reads back to the same hundredths', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 100_000_000_000_000n }), (minor) => {
      expect(toMinor(Number(toJsonNumber(minor)))).toBe(minor);
      expect(toFixed(minor).replace('.', '')).toBe(minor.toString().padStart(3, '0'));
    }),
  );
});
