import { describe, expect, it } from 'vitest';
import { findJsonRange, replaceJsonValue } from './edit-json';

const text = '{ "a" : {"b": [1.00, "x\\"y", {"c":null}], "é": "ü"},\n "n": 1e3, "a/b":[[]],"n2":true }';

describe('editing one value', () => {
  it.each([
    [['a', 'b', '0'], '1.00'],
    [['a', 'b', '1'], '"x\\"y"'],
    [['a', 'b', '2'], '{"c":null}'],
    [['a', 'b', '2', 'c'], 'null'],
    [['a', 'é'], '"ü"'],
    [['n'], '1e3'],
    [['a/b', '0'], '[]'],
    [['n2'], 'true'],
    [[], text],
  ])('at %j leaves every other byte', (path, value) => {
    const range = findJsonRange(text, path)!;
    expect(text.slice(range.start, range.end)).toBe(value);
    expect(replaceJsonValue(text, path, '{"new" : 2}')).toBe(
      `${text.slice(0, range.start)}{"new" : 2}${text.slice(range.end)}`,
    );
  });

  it.each([[['b']], [['a', 'b', '3']], [['a', 'b', '00']], [['n', 'x']], [['a', 'c']], [['a', 'b', '-1']]])(
    'finds nothing at %j',
    (path) => expect(replaceJsonValue(text, path, '1')).toBeNull(),
  );

  it('takes the last of a repeated name', () => {
    expect(replaceJsonValue('{"a":{"b":1},"a":{"b":2}}', ['a', 'b'], '9')).toBe('{"a":{"b":1},"a":{"b":9}}');
    expect(replaceJsonValue('{"a":{"b":1},"a":3}', ['a', 'b'], '9')).toBeNull();
  });

  it('keeps a byte order mark, and refuses what is not JSON', () => {
    expect(replaceJsonValue('\ufeff{"a":1}', ['a'], '2')).toBe('\ufeff{"a":2}');
    expect(() => replaceJsonValue('{"a":}', ['a'], '2')).toThrow(/line 1, column 6/);
    expect(() => replaceJsonValue('{"a":1}', ['a'], 'x')).toThrow(/not JSON/);
  });
});
