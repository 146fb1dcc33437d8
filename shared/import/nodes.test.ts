import { expect, it } from 'vitest';
import { isFalse, isStatus, isTrue, listItems, listMembers, readText } from './nodes';
import { readDocument } from './read-document';

const root = readDocument(
  '{"list":[1,"b"],"object":{"a":1,"b":null},"text":"t","empty":"","number":1.00,"yes":true,"no":false,"none":null,"quoted":"null","said":"true"}',
);

it('reads texts, numbers as they were written, and nothing where there is none', () => {
  const names = ['text', 'empty', 'number', 'yes', 'quoted', 'none', 'list', 'object', 'other'];
  expect(names.map((name) => readText(root, name))).toEqual([
    't',
    '',
    '1.00',
    'true',
    'null',
    null,
    null,
    null,
    null,
  ]);
  expect([readText(root, 'object', 'a'), readText(root, 'object', 'b'), readText(null)]).toEqual([
    '1',
    null,
    null,
  ]);
});

it('lists items and members, and none of what is something else', () => {
  expect(listItems(root, 'list').map((one) => readText(one))).toEqual(['1', 'b']);
  expect(listMembers(root, 'object').map(([name]) => name)).toEqual(['a', 'b']);
  for (const name of ['text', 'none', 'other']) {
    expect([listItems(root, name), listMembers(root, name)]).toEqual([[], []]);
  }
  expect([listItems(root, 'object'), listMembers(root, 'list'), listItems(null), listMembers(null)]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

it('refuses a list of more entries than anybody has', () => {
  const list = (count: number) => readDocument(`[${Array(count).fill('0').join()}]`);
  expect(listItems(list(100_000))).toHaveLength(100_000);
  expect(() => listItems(list(100_001))).toThrow(
    'It holds more than 100000 entries in one list. Import it in parts.',
  );
});

it('tells what is true, what is false, and what is neither', () => {
  const names = ['yes', 'said', 'no', 'none', 'text', 'other'];
  expect(names.map((name) => isTrue(root, name))).toEqual([true, true, false, false, false, false]);
  expect(names.map((name) => isFalse(root, name))).toEqual([false, false, true, false, false, false]);
});

it('knows a status of HTTP', () => {
  expect([100, 200, 999].map(isStatus)).toEqual([true, true, true]);
  expect([99, 1000, 200.5, Number.NaN, Infinity].map(isStatus)).toEqual(Array(5).fill(false));
});
