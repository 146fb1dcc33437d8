import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import {
  memberOf,
  parseJsonTree,
  readJsonFacts,
  readJsonMembers,
  readJsonTree,
  textOf,
  type JsonNode,
} from './json-tree';

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

  it('keeps no more values than a process has room for', () => {
    const many = `[${'{},'.repeat(2_000_000)}0]`;
    expect(readJsonTree(many)).toBeNull();
    expect(() => parseJsonTree(many, 4)).toThrow(expect.objectContaining({ code: 'json.too_many' }));
    expect(readJsonMembers(`{"a":1,"b":${many}}`, 'a')).not.toBeNull();
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

  it('passes over a byte order mark in front, and over no other', () => {
    expect(textOf(readJsonTree('\ufeff{"a":1}'), 'a')).toBe('1');
    expect(readJsonTree('\ufeff\ufeff{"a":1}')).toBeNull();
  });

  it('keeps so many levels and no more, and refuses deeper ones where asked', () => {
    const inner = (items: unknown[]) => ({ kind: 'array', items });
    expect(parseJsonTree('[[[7]], 8]', 2)).toEqual(
      inner([inner([inner([])]), { kind: 'number', text: '8' }]),
    );
    const refuse = (): never => {
      throw new Error('too deep');
    };
    expect(() => parseJsonTree('[[7]]', 2, { refuseDeeper: refuse })).not.toThrow();
    expect(() => parseJsonTree('[[{}]]', 2, { refuseDeeper: refuse })).toThrow('too deep');
  });
});

it.each([
  ['[1,', 'the text ends here'],
  ['[1, \ufeff2]', 'a byte order mark (U+FEFF) stands here'],
  ['[\u0001]', 'the control character U+0001 stands here'],
  ['[\u001f]', 'the control character U+001F stands here'],
  ['[\u007f]', 'the control character U+007F stands here'],
  ['[\u009f]', 'the control character U+009F stands here'],
  ['[\u00a0]', "'\u00a0' stands here"],
  ['[é]', "'é' stands here"],
  ['[😀]', "'😀' stands here"],
  ['[{{a}}]', '{{a}} has no value'],
  ['[x{{a}}]', "'x' stands here"],
  ['[1 {{a}}]', '{{a}} has no value'],
])('says what stands where %j is no JSON', (text, words) => {
  expect(() => parseJsonTree(text, 32)).toThrow(words);
});

describe('readJsonMembers', () => {
  it('keeps the named members of an object whole, the last of repeated ones, and no others', () => {
    const text =
      '{"a":{"b":[{"a":1.0}],"c":{}},"b":[[1],{"a":2}],"c":3,"a":{"b":[{"x":1.50}],"c":{"b":null}}}';
    const tree = readJsonMembers(text, 'a', 'c', 'd');
    expect(tree).toEqual(keepMembers(readJsonTree(text), 'a', 'c'));
    expect(textOf(tree, 'c')).toBe('3');
    expect(memberOf(tree, 'b')).toBeNull();
  });

  it('gives what a whole tree has of them, whatever the text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const names = ['a', 'b', '', ' '];
        expect(readJsonMembers(text, ...names)).toEqual(keepMembers(readJsonTree(text), ...names));
      }),
    );
  });

  it('says of anything else what it is, and null of what is not JSON, wherever the fault stands', () => {
    expect(readJsonMembers('[1,[2],{"a":3}]', 'a')).toEqual({ kind: 'array', items: [] });
    expect(readJsonMembers('"a"', 'a')).toEqual({ kind: 'string', text: 'a' });
    expect(readJsonMembers('{"b":[1,{"c":}],"a":1}', 'a')).toBeNull();
  });

  it('makes nothing of what it does not keep', () => {
    const text = `{"b":[${'1234,'.repeat(400_000)}1],"a":1}`;
    const wholeMs = countProcessorMs();
    readJsonTree(text);
    const whole = wholeMs();
    const fewMs = countProcessorMs();
    expect(textOf(readJsonMembers(text, 'a'), 'a')).toBe('1');
    expect(fewMs()).toBeLessThan(whole / 1.5);
  });
});

/** Leaves of a whole tree what `readJsonMembers` would keep. */
function keepMembers(tree: JsonNode | null, ...names: readonly string[]): JsonNode | null {
  if (tree?.kind === 'array') return { kind: 'array', items: [] };
  if (tree?.kind !== 'object') return tree;
  return { kind: 'object', members: new Map([...tree.members].filter(([name]) => names.includes(name))) };
}

describe('readJsonFacts', () => {
  it('gives the whole tree of what is not large', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJsonFacts(text)).toEqual(readJsonTree(text));
      }),
    );
  });

  it('has each member of the outermost object and of those in it, whatever stands before, and of the rest a beginning', () => {
    const many = `[${'[{"x":1},2],'.repeat(30_000)}3]`;
    const names = Array.from({ length: 300 }, (_, at) => `"k${at}":1`).join(',');
    const tree = readJsonFacts(`{"b":${many},${names},"data":{"c":${many},${names},"r":"x"},"a":1}`);
    expect([textOf(tree, 'a'), textOf(tree, 'data', 'r'), textOf(tree, 'data', 'k299')]).toEqual([
      '1',
      'x',
      '1',
    ]);
    expect(memberOf(tree, 'b')).toEqual({ kind: 'array', items: readItems(many).slice(0, 200) });
    expect(readJsonFacts(`[${many},`)).toBeNull();
  });
});

function readItems(text: string): JsonNode[] {
  const tree = readJsonTree(text);
  return tree?.kind === 'array' ? tree.items : [];
}
