import { expect, it } from 'vitest';
import { createValueMask } from './mask-values';

const long = 'a-long-secret-value';
const dots = '•'.repeat(8);

it.each([
  ['in the middle, at the ends, twice', [long], `${long} x ${long}`, `${dots} x ${dots}`],
  ['of six characters', ['abcdef'], 'abcdef abcde', `${dots} abcde`],
  ['and none that is shorter', ['abcde'], 'abcde', 'abcde'],
  ['none that is not there whole', [long], long.slice(1), long.slice(1)],
  ['of which one stands within another', [long, 'secret-value'], `x ${long} y`, `x ${dots} y`],
  ['of which one begins another', [long, 'a-long'], `x ${long} y`, `x ${dots} y`],
  ['of which one stands in the middle of another', [long, 'secret'], `${long}secret`, dots + dots],
  [
    'that go over into each other, as one',
    ['abcdefgh-12345', '12345-stuvwxyz'],
    '(abcdefgh-12345-stuvwxyz)',
    `(${dots})`,
  ],
  ['that follow each other, as two', ['abcdef', 'uvwxyz'], 'abcdefuvwxyz', dots + dots],
  [
    'of three in a row that overlap, as one',
    ['abcdefgh', 'efghijkl', 'ijklmnop'],
    '<abcdefghijklmnop>',
    `<${dots}>`,
  ],
  ['the longest of one end', ['secret-value', long, 'longer-secret-value'], long, dots],
  ['given twice', [long, long], long, dots],
  ['none', [], long, long],
])('masks values %s', (_what, values, text, masked) => {
  expect(createValueMask(values)(text)).toBe(masked);
});

it('looks through many texts, and gives up when all of them together take too long', () => {
  // Two values that end alike, and texts that do: each end is compared with both.
  const values = [`x${'a'.repeat(50_000)}`, `y${'a'.repeat(50_000)}`];
  const mask = createValueMask(values);
  expect(mask('a'.repeat(1000))).toBe('a'.repeat(1000));
  expect(mask('a'.repeat(1000))).toBe('a'.repeat(1000));
  expect(mask('a'.repeat(1000))).toBeNull();
  expect(mask('a'.repeat(6))).toBeNull();
  expect(mask('b')).toBe('b');
});
