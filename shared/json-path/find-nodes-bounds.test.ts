import { expect, it } from 'vitest';
import { indexJson } from '../json/json-index';
import { findNodes } from './find-nodes';
import { parsePath } from './parse-path';
import { countProcessorMs } from '../../test/support/processor-time';

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const ones = (count: number): string => '1,'.repeat(count);
const escaped = '\\u0041'.repeat(10_000);

it('finds its way in a text that is nested a hundred thousand times', () => {
  expect(findNodes(indexJson(deep), parsePath('$[0][0]')).nodes).toHaveLength(1);
});

it.each([
  ['everything below everything below everything', deep, '$..*..*..*'],
  ['the whole, for each of many', `[${'{"a":[1,2,3]},'.repeat(20_000)}1]`, '$[?count(@..a) > count($..a)]'],
  ['long lists with each other', `{"a":[${ones(2000)}1],"b":[${ones(2000)}1]}`, '$.a[?$.a == $.b]'],
  [
    'a pattern that begins again and again',
    `["${'a'.repeat(20_000)}!",${ones(5000)}1]`,
    "$[?search($[0], '(a+)+b')]",
  ],
  ['patterns that cannot be read', `[${'"(",'.repeat(20_000)}1]`, "$[?search('a', @)]"],
  ['a long text with itself', `["${escaped}",${ones(5000)}1]`, '$[?$[0] == $[0]]'],
  ['a long key', `{"${escaped}":1,"a":[${ones(5000)}1]}`, '$.a[?$.b]'],
])('gives up a query that looks at %s', (_what, text, path) => {
  const processorMs = countProcessorMs();
  expect(() => findNodes(indexJson(text), parsePath(path))).toThrow(
    expect.objectContaining({ code: 'json.too_many' }) as Error,
  );
  expect(processorMs()).toBeLessThan(15_000);
});
