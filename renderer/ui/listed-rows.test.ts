import { describe, expect, it } from 'vitest';
import { findNear, listRows } from './listed-rows';

const rowsOf = (ids: string) => [...ids].map((id) => ({ id }));
/** `.`: not loaded. */
const draw = (listed: ReturnType<typeof listRows>): string =>
  Array.from({ length: listed.count }, (_, index) => listed.at(index)?.id ?? '.').join('');

describe('rows by their places', () => {
  it.each([
    ['all of them', 'abc', null, 3, 'abc'],
    ['the first alone', 'abc', null, 6, 'abc...'],
    ['some further down', 'ab', { items: 'xy', below: 1 }, 8, 'ab...xy.'],
    ['the last', 'ab', { items: 'xyz', below: 0 }, 6, 'ab.xyz'],
    // More were counted than there are places for: nothing of what is loaded is hidden.
    ['more than were counted', 'abc', { items: 'xy', below: 1 }, 4, 'abcxy'],
  ])('shows %s', (_what, items, far, count, drawn) => {
    const part = far === null ? null : { ...far, items: rowsOf(far.items) };
    expect(draw(listRows(rowsOf(items), part, count))).toBe(drawn);
  });

  it('finds a row in whichever part it stands, wherever it is looked for first', () => {
    const listed = listRows(rowsOf('abc'), { items: rowsOf('xyz'), below: 2 }, 20);
    for (const near of [0, 2, 10, 16, 19, 500]) {
      expect(['a', 'c', 'x', 'z', 'q'].map((id) => listed.find(id, near))).toEqual([0, 2, 15, 17, -1]);
    }
    expect(listed.find(null, 0)).toBe(-1);
    expect(findNear([], 'a', 3)).toBe(-1);
  });

  it('lets what comes in on top move what is further down by its own number', () => {
    const far = { items: rowsOf('xyz'), below: 2 };
    expect(listRows(rowsOf('abc'), far, 20).find('x', 0)).toBe(15);
    expect(listRows(rowsOf('nabc'), far, 21).find('x', 0)).toBe(16);
  });

  it('is no longer than a browser lays out', () => {
    expect(listRows(rowsOf('a'), null, 10_000_000, 56).count * 56).toBeLessThan(33_554_432);
  });
});
