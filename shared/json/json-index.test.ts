import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  indexJson,
  isContainer,
  keyOf,
  sourceOf,
  stepsTo,
  valueOf,
  writeJsonPath,
  writePointer,
  type JsonIndex,
} from './json-index';

const text = '\ufeff { "a" : [1.50, "x\\né", {}, [ ]], "\\u0061": {"b~/c": null}, "": true }';
const read = (): JsonIndex => indexJson(text);

/** All nodes with what they are made of. */
const list = (of: JsonIndex) =>
  Array.from({ length: of.count }, (_, node) => ({
    source: sourceOf(of, node),
    value: valueOf(of, node),
    key: keyOf(of, node),
    pointer: writePointer(stepsTo(of, node)),
    parent: of.parents[node],
    next: of.nexts[node],
  }));

describe('an index of JSON', () => {
  it('has every value in the order of the text, as it came and as it was meant', () => {
    const whole = text.slice(2);
    expect(list(read())).toEqual([
      { source: whole, value: whole, key: null, pointer: '', parent: -1, next: 9 },
      {
        source: '[1.50, "x\\né", {}, [ ]]',
        value: '[1.50, "x\\né", {}, [ ]]',
        key: 'a',
        pointer: '/a',
        parent: 0,
        next: 6,
      },
      { source: '1.50', value: '1.50', key: null, pointer: '/a/0', parent: 1, next: 3 },
      { source: '"x\\né"', value: 'x\né', key: null, pointer: '/a/1', parent: 1, next: 4 },
      { source: '{}', value: '{}', key: null, pointer: '/a/2', parent: 1, next: 5 },
      { source: '[ ]', value: '[ ]', key: null, pointer: '/a/3', parent: 1, next: 6 },
      { source: '{"b~/c": null}', value: '{"b~/c": null}', key: 'a', pointer: '/a', parent: 0, next: 8 },
      { source: 'null', value: 'null', key: 'b~/c', pointer: '/a/b~0~1c', parent: 6, next: 8 },
      { source: 'true', value: 'true', key: '', pointer: '/', parent: 0, next: 9 },
    ]);
  });

  it('knows what lies directly within a value', () => {
    const index = read();
    expect([...childrenOf(index, 0)]).toEqual([1, 6, 8]);
    expect([...childrenOf(index, 1)]).toEqual([2, 3, 4, 5]);
    for (const node of [2, 3, 4, 5, 7, 8]) expect([...childrenOf(index, node)]).toEqual([]);
    const containers = Array.from({ length: 9 }, (_, node) => isContainer(index, node));
    expect(containers).toEqual([true, true, false, false, true, true, true, false, false]);
  });

  it('takes a scalar alone, and passes over one byte order mark', () => {
    expect(list(indexJson(' "a" '))).toMatchObject([{ source: '"a"', value: 'a', parent: -1, next: 1 }]);
    expect(list(indexJson('7'))).toMatchObject([{ source: '7', value: '7' }]);
    expect(() => indexJson('\ufeff\ufeff7')).toThrow(/byte order mark/);
  });

  it('says where a text is no JSON', () => {
    expect(() => indexJson('[1,')).toThrow(expect.objectContaining({ code: 'signing.not_json' }) as Error);
  });

  it('grows with the text, and keeps what it had', () => {
    const many = indexJson(`[${Array.from({ length: 5000 }, (_, at) => `{"k${at}":${at}}`).join(',')}]`);
    expect(many.count).toBe(10_001);
    expect([...childrenOf(many, 0)]).toHaveLength(5000);
    for (const at of [0, 511, 512, 1023, 1024, 4999]) {
      const node = 2 * at + 2;
      expect([keyOf(many, node), valueOf(many, node), stepsTo(many, node)]).toEqual([
        `k${at}`,
        String(at),
        [at, `k${at}`],
      ]);
    }
  });

  it('reads two million values and no more', () => {
    const write = (values: number): string => `[${'1,'.repeat(values - 2)}1]`;
    expect(indexJson(write(2_000_000)).count).toBe(2_000_000);
    expect(() => indexJson(write(2_000_001))).toThrow(
      expect.objectContaining({ code: 'json.too_many' }) as Error,
    );
  });
});

describe('the way to a value', () => {
  it.each([
    [['a', 0, 'b'], '/a/0/b', '$.a[0].b'],
    [[], '', '$'],
    [['a~b/c'], '/a~0b~1c', "$['a~b/c']"],
    [['_x1', 'x-1', '1x'], '/_x1/x-1/1x', "$._x1['x-1']['1x']"],
    [["it's", 'say "so"', 'a\\b'], `/it's/say "so"/a\\b`, `$['it\\'s']['say "so"']['a\\\\b']`],
    [['line\nbreak', ''], '/line\nbreak/', "$['line\\nbreak']['']"],
    [['0', 0], '/0/0', "$['0'][0]"],
    [['é'], '/é', "$['é']"],
  ])('%j is written as a pointer and as a path', (steps, pointer, path) => {
    expect([writePointer(steps), writeJsonPath(steps)]).toEqual([pointer, path]);
  });
});
