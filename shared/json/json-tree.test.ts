import { describe, expect, it } from 'vitest';
import { memberOf, readJsonTree, textOf } from './json-tree';

describe('readJsonTree', () => {
  it('keeps number literals as written', () => {
    const tree = readJsonTree('{"a":{"n":1000.00,"e":1e3},"b":[12345678901234567890]}');
    expect(textOf(tree, 'a', 'n')).toBe('1000.00');
    expect(textOf(tree, 'a', 'e')).toBe('1e3');
    expect(memberOf(tree, 'b')).toEqual({
      kind: 'array',
      items: [{ kind: 'number', text: '12345678901234567890' }],
    });
  });

  it('puts a member after a nested object where it belongs', () => {
    const tree = readJsonTree('{"a":{"b":{"c":[{}],"d":1},"e":"2"},"f":null}');
    expect(textOf(tree, 'a', 'b', 'd')).toBe('1');
    expect(textOf(tree, 'a', 'e')).toBe('2');
    expect(memberOf(tree, 'f')).toEqual({ kind: 'name', text: 'null' });
  });

  it('takes the last of repeated keys and decodes escapes', () => {
    expect(textOf(readJsonTree('{"\\u0061":1,"a":"x\\ny"}'), 'a')).toBe('x\ny');
  });

  it('gives null for what is not JSON, and survives any depth', () => {
    expect(readJsonTree('<html>')).toBeNull();
    expect(readJsonTree('')).toBeNull();
    expect(readJsonTree('['.repeat(100_000) + ']'.repeat(100_000))?.kind).toBe('array');
  });

  it('gives null for members that are not there and for values without text', () => {
    const tree = readJsonTree('{"a":null,"b":"","c":[1]}');
    expect([textOf(tree, 'a'), textOf(tree, 'b'), textOf(tree, 'c'), textOf(tree, 'x', 'y')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
