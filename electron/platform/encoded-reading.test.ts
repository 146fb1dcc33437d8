import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findStretches } from './encoded-reading';

it('finds the longest stretches, whatever stands between them', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (row, least) => {
      const letters = row.map((isIn) => (isIn ? 'x' : '.')).join('');
      const wanted = [...letters.matchAll(/x+/g)]
        .filter(([stretch]) => stretch.length >= least)
        .map(({ 0: stretch, index }) => [index, index + stretch.length]);
      expect(findStretches(row.length, (at) => row[at]!, least)).toEqual(wanted);
    }),
  );
});

it('looks at no place more than twice, and at few where there is nothing', () => {
  const looks = (text: string, least: number): number => {
    let count = 0;
    findStretches(text.length, (at) => ((count += 1), text[at] === 'x'), least);
    return count;
  };
  const hard = `${'x'.repeat(49)}.`.repeat(200);
  expect(looks(hard, 50)).toBeLessThanOrEqual(2 * hard.length);
  expect(looks('.'.repeat(10_000), 50)).toBe(200);
});
