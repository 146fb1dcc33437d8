import { expect, it } from 'vitest';
import { describeUnwrapped, isEditable } from './long-text';

it.each([
  ['a\n'.repeat(1999), true],
  ['a\n'.repeat(2000), false],
  ['a'.repeat(100_000), true],
  ['a'.repeat(100_001), false],
  [`a${'\u0301'.repeat(12)}`, false],
  ['a\u05d0'.repeat(5000), true],
  ['a\u05d0'.repeat(5001), false],
])('puts into a text area what a window can lay out at once (%#)', (text, isShort) => {
  expect(isEditable(text)).toBe(isShort);
});

it('wraps a text of many lines in an editor, and says of no other why it does not', () => {
  expect(describeUnwrapped('a\n'.repeat(40_000))).toBeNull();
  expect(describeUnwrapped('a\u05d0'.repeat(5001))).toBe(
    'Texts that change their direction this often do not wrap while they are edited',
  );
});
