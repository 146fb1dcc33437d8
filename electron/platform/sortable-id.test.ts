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

  it('go on one by one under a clock that is far ahead, and after it was set right', () => {
    for (const ahead of [Date.UTC(2093, 8, 1), Date.UTC(2099, 1, 1), Date.UTC(9999, 1, 1), 8.64e15]) {
      const first = nextSortableId(ahead, 0, 4095);
      const second = nextSortableId(ahead, first);
      const third = nextSortableId(Date.UTC(2026, 1, 1), second);
      expect([second, third]).toEqual([first + 1, first + 2]);
      for (const id of [first, second, third]) expect(parseSortableId(formatSortableId(id))).toBe(id);
    }
    expect(nextSortableId(-1, 0)).toBe(1);
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
