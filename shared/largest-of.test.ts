import { expect, it } from 'vitest';
import { largestOf } from './largest-of';

it('gives the largest, at least the one that is asked for', () => {
  expect(largestOf([3, 9, 4], 0)).toBe(9);
  expect(largestOf([3, -1], 5)).toBe(5);
  expect(largestOf([], -2)).toBe(-2);
});

it('takes as many as there are', () => {
  const many = Array.from({ length: 1_000_000 }, (_, index) => index);
  expect(largestOf(many, 0)).toBe(999_999);
});
