import { expect, it } from 'vitest';
import { isSameJson } from './json-equal';
import { readJsonTree } from './json-tree';

const isSame = (left: string, right: string): boolean =>
  isSameJson(readJsonTree(left)!, readJsonTree(right)!);

it.each([
  ['members in another order', '{"a":1,"b":[true,null]}', '{ "b": [true, null], "a": 1 }'],
  ['numbers of one value', '[5, 1000.00, -0.0, 1e3]', '[5.00, 1000, 0, 1000]'],
  ['numbers that binary would round', '12345678901234567890', '1234567890123456789e1'],
  ['text by its characters', '"\\u00e9\\/"', '"é/"'],
  ['nothing at all', '{}', '{ }'],
])('takes %s for the same', (_what, left, right) => {
  expect([isSame(left, right), isSame(right, left)]).toEqual([true, true]);
});

it.each([
  ['another value of a member', '{"a":1,"b":2}', '{"a":1,"b":3}'],
  ['another name', '{"a":1}', '{"b":1}'],
  ['a member more', '{"a":1}', '{"a":1,"b":2}'],
  ['an element more', '[1]', '[1,2]'],
  ['another order of elements', '[1,2]', '[2,1]'],
  ['one element that differs', '[1,2]', '[1,3]'],
  ['a number as text', '1', '"1"'],
  ['a text that looks like the same number', '"1"', '"1.0"'],
  ['a name as text', 'true', '"true"'],
  ['numbers that binary would take for one', '9007199254740993', '9007199254740992'],
  ['no list for an object', '[]', '{}'],
  ['a list for its element', '[1]', '1'],
  ['an object for a text', '{}', '"{}"'],
  ['null for false', 'null', 'false'],
  ['numbers too long to be written out', '1e99', '10e98'],
  ['one of those and a short one', '1e99', '1'],
])('takes %s for another', (_what, left, right) => {
  expect([isSame(left, right), isSame(right, left)]).toEqual([false, false]);
});
