import { expect, it } from 'vitest';
import { readJsonTree } from '../json/json-tree';
import { compareJson, compareJsonTexts, findFirstByte, meanSame } from './compare-json';

const compare = (left: string, right: string): string[] =>
  compareJson(readJsonTree(left)!, readJsonTree(right)!).map(
    ({ pointer, kind, left: before, right: after }) => `${kind} ${pointer}: ${before} -> ${after}`,
  );

it.each([
  ['{"a":1}', '{ "a" : 1 }', []],
  ['{"a":1000.00}', '{"a":1e3}', ['written /a: 1000.00 -> 1e3']],
  ['{"a":1000}', '{"a":"1000"}', ['changed /a: 1000 -> "1000"']],
  ['{"a":12345678901234567890}', '{"a":12345678901234567891}', ['changed /a: 12345678901234567890 -> 12345678901234567891']],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', ['moved : a, b -> b, a']],
  ['{"a":1,"b":2}', '{"b":2,"c":3}', ['removed /a: 1 -> null', 'added /c: null -> 3']],
  ['{"a/b":{"~":[1,2]}}', '{"a/b":{"~":[1,3,4]}}', ['changed /a~1b/~0/1: 2 -> 3', 'added /a~1b/~0/2: null -> 4']],
  ['[]', '{}', ['changed : [] -> {}']],
  ['{"a":null}', '{}', ['removed /a: null -> null']],
])('%s against %s', (left, right, expected) => expect(compare(left, right)).toEqual(expected)); // prettier-ignore

it('hides no change behind a thousand harmless differences, and tells of no more than a thousand', () => {
  const write = (last: string, literal: string): string =>
    `{${Array.from({ length: 1500 }, (_, at) => `"k${at}":${literal}`).join(',')},"z":${last}}`;
  const found = compareJsonTexts(write('1', '1.0'), write('2', '1.00')).differences!;
  expect(found.at(-1)).toMatchObject({ pointer: '/z', kind: 'changed' });
  expect(meanSame(found)).toBe(false);
  expect(found).toHaveLength(1001);
  expect(compareJsonTexts('{}', write('2', '1')).differences).toHaveLength(1000);
});

it('compares what nests deep to its end, or not at all', () => {
  const nest = (levels: number, inner: string): string => '['.repeat(levels) + inner + ']'.repeat(levels);
  expect(compareJsonTexts(nest(200, '1'), nest(200, '2')).differences).toMatchObject([
    { kind: 'changed', left: '1', right: '2' },
  ]);
  expect(compareJsonTexts(nest(300, '1'), nest(300, '2'))).toEqual({
    differences: null,
    whyNot: 'both are nested deeper than 256 levels, which is not judged',
  });
  expect(compareJsonTexts('{}', `[${'{},'.repeat(2_000_000)}0]`).whyNot).toBe(
    'one of them is larger than two million values, which is not judged',
  );
  expect(compareJsonTexts('{}', 'text').whyNot).toBe('one of them is not JSON');
  expect(compareJsonTexts('a=b', 'text').whyNot).toBe('neither is JSON');
});

it.each([
  ['', '', null],
  ['ab', 'ab', null],
  ['ab', 'ac', 2],
  ['ab', 'abc', 3],
  ['abc', 'ab', 3],
])('finds the first byte in which %j and %j differ', (left, right, at) => {
  const encoder = new TextEncoder();
  expect(findFirstByte(encoder.encode(left), encoder.encode(right))).toBe(at);
});
