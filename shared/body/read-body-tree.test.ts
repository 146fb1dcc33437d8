import { describe, expect, it } from 'vitest';
import { decodeBodyText, readBodyTree } from './read-body-tree';

const members = Array.from({ length: 2001 }, (_, index) => `"k${index}":1`).join(',');

describe('readBodyTree', () => {
  it('reads a body to its end, however many members it has', () => {
    const text = `{${members},]`;
    expect(readBodyTree(text)).toMatchObject({ isCut: true, fault: text.length - 1 });
  });

  it('reads nothing behind the members that it keeps, where only they are asked for', () => {
    const { isCut, fault, root } = readBodyTree(`{${members}${',]'.repeat(1000)}`, 'where it is cut');
    expect({ isCut, members: root?.members.length }).toEqual({ isCut: true, members: 2000 });
    expect(fault).toBe(`{${members}${',]'.repeat(1000)}`.length);
  });

  it('reads a body of fewer members alike in both ways', () => {
    for (const text of ['{"a":1,', '{"a":{"b":[1,2,{}]}}', '', '[1'])
      expect(readBodyTree(text, 'where it is cut')).toEqual(readBodyTree(text));
  });

  it.each([
    ['\ufeff{}', 1, 3, null],
    ['{}', 0, 2, null],
    [' {', 1, 2, 2],
    ['', null, null, 0],
    [' ', null, null, 1],
  ])('finds the object of %j, and where it stops being JSON', (text, start, end, fault) => {
    const tree = readBodyTree(text);
    expect([tree.root?.start ?? null, tree.root?.end ?? null, tree.fault]).toEqual([start, end, fault]);
  });

  it.each([
    ['"a\\u0041"', 'aA'],
    ['"a\\x"', 'a\\x'],
    ['"abc', 'abc'],
    ['"a\\"b', 'a\\"b'],
  ])('decodes %s, or leaves it as it stands', (text, value) => {
    expect(decodeBodyText(text, { start: 0, end: text.length })).toBe(value);
  });
});
