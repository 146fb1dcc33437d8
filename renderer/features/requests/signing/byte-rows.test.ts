import { describe, expect, it } from 'vitest';
import { listByteRows } from './byte-rows';

describe('listByteRows', () => {
  it('gives byte offsets, bytes and names of odd characters', () => {
    const { rows } = listByteRows('aé\u200b😀', [{ field: 'reference', start: 0, end: 2 }]);
    expect(rows.map(({ offset, hex, name, field }) => [offset, hex, name, field])).toEqual([
      [0, '61', 'U+0061', 'reference'],
      [1, 'c3 a9', 'U+00E9', 'reference'],
      [3, 'e2 80 8b', 'U+200B zero width space', null],
      [6, 'f0 9f 98 80', 'U+1F600', null],
    ]);
    expect(rows.map(({ isOdd }) => isOdd)).toEqual([false, true, true, true]);
  });

  it('stops at a length that can be drawn, and says so', () => {
    const { rows, isCut } = listByteRows('x'.repeat(5000), []);
    expect(rows).toHaveLength(2000);
    expect(isCut).toBe(true);
  });
});
