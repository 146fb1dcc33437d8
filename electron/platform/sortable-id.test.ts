import { describe, expect, it } from 'vitest';
import { formatSortableId, fromInstant, nextSortableId, parseSortableId, toInstant } from './sortable-id';

describe('sortable ids', () => {
  it('grow within a millisecond and when the clock goes back', () => {
    const now = Date.UTC(2026, 5, 1);
    const first = nextSortableId(now, 0);
    const second = nextSortableId(now, first);
    expect(second).toBe(first + 1);
    expect(nextSortableId(now - 60_000, second)).toBe(second + 1);
    expect(nextSortableId(now + 1, second)).toBeGreaterThan(second);
  });

  it('sort as text as they do as numbers, and read back', () => {
    const ids = [1, 31, 32, nextSortableId(Date.UTC(2026, 1, 1), 0), nextSortableId(Date.UTC(2090, 1, 1), 0)];
    const texts = ids.map(formatSortableId);
    expect([...texts].sort()).toEqual(texts);
    expect(texts.map(parseSortableId)).toEqual(ids);
  });

  it('refuse any other text', () => {
    for (const text of ['', 'abc', '0000000000i', '00000000001 ', 'zzzzzzzzzzz'])
      expect(parseSortableId(text)).toBeNull();
  });

  it('survive the way to a moment and back', () => {
    const first = nextSortableId(Date.UTC(2038, 3, 3), 0);
    for (let id = first; id < first + 5000; id += 7) expect(fromInstant(toInstant(id))).toBe(id);
  });
});
