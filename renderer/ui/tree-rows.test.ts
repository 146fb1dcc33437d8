import { describe, expect, it } from 'vitest';
import { findByLetters, listOpenRows, type TreeEntry } from './tree-rows';

const entry = (id: string, isFolder = false): TreeEntry<null> => ({
  id,
  text: id,
  depth: id.split('/').length - 1,
  isFolder,
  value: null,
});
const entries = [
  entry('A', true),
  entry('A/B', true),
  entry('A/B/x'),
  entry('A/y'),
  entry('E', true),
  entry('z'),
];

describe('listOpenRows', () => {
  it('keeps new folders open and gives each row its place among those of its folder', () => {
    const rows = listOpenRows(entries, new Set());
    expect(rows.map(({ id, parent, position, siblings }) => [id, parent, position, siblings])).toEqual([
      ['A', -1, 1, 3],
      ['A/B', 0, 1, 2],
      ['A/B/x', 1, 1, 1],
      ['A/y', 0, 2, 2],
      ['E', -1, 2, 3],
      ['z', -1, 3, 3],
    ]);
  });

  it('leaves out what lies in a shut folder, at any depth', () => {
    const shut = (...ids: string[]) => listOpenRows(entries, new Set(ids)).map(({ id }) => id);
    expect(shut('A/B')).toEqual(['A', 'A/B', 'A/y', 'E', 'z']);
    expect(shut('A')).toEqual(['A', 'E', 'z']);
    expect(shut('A', 'A/B', 'E')).toEqual(['A', 'E', 'z']);
  });
});

describe('findByLetters', () => {
  const rows = ['Payout', 'Payment', 'Status', 'payday'].map((text) => ({ text }));

  it('goes on with each first letter, and round the end', () => {
    expect(findByLetters(rows, 'p', 0)).toBe(1);
    expect(findByLetters(rows, 'p', 3)).toBe(0);
  });

  it('stays where more letters still fit', () => {
    expect(findByLetters(rows, 'pay', 1)).toBe(1);
    expect(findByLetters(rows, 'payd', 1)).toBe(3);
  });

  it('finds nothing where nothing begins so', () => {
    expect(findByLetters(rows, 'x', -1)).toBeNull();
  });
});
