import { expect, it } from 'vitest';
import { listSome } from './list-some';

it.each([
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
  [Array<string>(5003).fill('a'), 'a, a, a and 5,000 more'],
  [['😀'.repeat(101)], `${'😀'.repeat(100)}…`],
])('names three at most, and counts the others', (names, sentence) => {
  expect(listSome(names, 3)).toBe(sentence);
});
