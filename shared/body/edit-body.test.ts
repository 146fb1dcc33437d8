import { describe, expect, it } from 'vitest';
import { initiationFields, type FieldRule } from '../payments/tables/fields';
import {
  applyEdit,
  insertMember,
  removeMember,
  replaceValue,
  variableFor,
  writeBodyText,
  writeEmptyField,
} from './edit-body';
import { readBodyTree } from './read-body-tree';

const ORDER = ['a', 'b', 'c', 'd'];

/** Adds a member to the object at the top. */
function add(text: string, name: string, literal = '1'): string {
  const { root } = readBodyTree(text);
  return applyEdit(text, insertMember(text, root!, { name, literal }, ORDER));
}

describe('a member is added', () => {
  it.each([
    ['to nothing', '{}', 'a', '{"a": 1}'],
    ['to nothing but blanks', '{  }', 'a', '{"a": 1}'],
    ['to nothing over lines', '{\n}', 'a', '{\n  "a": 1\n}'],
    ['to nothing over lines of CR and LF', '{\r\n}', 'a', '{\r\n  "a": 1\r\n}'],
    ['behind the one before it', '{"a":1,"c":3}', 'b', '{"a":1,"b":1,"c":3}'],
    ['behind the last of those before it', '{"b":1,"a":1,"d":3}', 'c', '{"b":1,"a":1,"c":1,"d":3}'],
    ['at the end where it is the last', '{"a":1,"b":2}', 'd', '{"a":1,"b":2,"d":1}'],
    ['at the end where none comes before it', '{"b":1,"c":2}', 'a', '{"b":1,"c":2,"a":1}'],
    ['at the end where nobody knows it', '{"a":1,"b":2}', 'x', '{"a":1,"b":2,"x":1}'],
    ['behind one that nobody knows', '{"x":1,"y":2}', 'a', '{"x":1,"y":2,"a":1}'],
    [
      'as its neighbours are laid out',
      '{\n  "a": 1,\n  "c": 3\n}',
      'b',
      '{\n  "a": 1,\n  "b": 1,\n  "c": 3\n}',
    ],
    [
      'behind one that is known, before one that is not',
      '{"a":1,"x":2,"c":3}',
      'b',
      '{"a":1,"b":1,"x":2,"c":3}',
    ],
    [
      'at the end where only one that is not known stands in front',
      '{"x":1,"c":3}',
      'b',
      '{"x":1,"c":3,"b":1}',
    ],
    [
      'as the last of many lines',
      '{\n  "a": 1,\n\n\n  "b": 2,\n  "c": 3\n}',
      'd',
      '{\n  "a": 1,\n\n\n  "b": 2,\n  "c": 3,\n  "d": 1\n}',
    ],
    ['where commas begin the lines', '{ "a": 1\n, "b": 2\n}', 'c', '{ "a": 1\n, "b": 2, "c": 1\n}'],
    ['behind a key that is all there is yet', '{"a":1,\n "b"', 'c', '{"a":1,\n "b",\n "c": 1'],
    ['behind a colon that awaits its value', '{"a":1,"b": }', 'c', '{"a":1,"b":,"c": 1 }'],
    ['to an object that is not closed', '{', 'a', '{"a": 1'],
    ['to an object over lines that is not closed', '\n{\n', 'a', '\n{\n  "a": 1\n\n'],
    ['with the blanks of its neighbour', '{ "a":\t1 }', 'b', '{ "a":\t1, "b":\t1 }'],
  ])('%s', (_what, text, name, expected) => expect(add(text, name)).toBe(expected));

  it('packed where its neighbours are', () => {
    const literal = '{ "x": "a", "y": { "z": 0 } }';
    expect(add('{"a":1}', 'b', literal)).toBe('{"a":1,"b":{"x":"a","y":{"z":0}}}');
    expect(add('{"a": 1}', 'b', literal)).toBe(`{"a": 1,"b": ${literal}}`);
    expect(add('{"a":1}', 'b', '"x, y: z"')).toBe('{"a":1,"b":"x, y: z"}');
  });

  it('on the line of an empty object, whatever lines follow it', () => {
    const text = '{"o": {},\n "b": 2}';
    const { root } = readBodyTree(text);
    const owner = root!.members[0]!.value!;
    expect(applyEdit(text, insertMember(text, owner, { name: 'a', literal: '1' }, ORDER))).toBe(
      '{"o": {"a": 1},\n "b": 2}',
    );
  });

  it('under the indent of the line that its object begins on', () => {
    const text = '{\n  "o": {\n  }\n}';
    const { root } = readBodyTree(text);
    const owner = root!.members[0]!.value!;
    expect(applyEdit(text, insertMember(text, owner, { name: 'a', literal: '1' }, ORDER))).toBe(
      '{\n  "o": {\n    "a": 1\n  }\n}',
    );
  });
});

describe('a member is taken out', () => {
  it.each([
    ['the only one', '{ "a": 1 }', 0, '{}'],
    ['the first', '{ "a": 1, "b": 2 }', 0, '{ "b": 2 }'],
    ['one between others', '{"a":1, "b":2, "c":3}', 1, '{"a":1, "c":3}'],
    ['the last', '{"a":1,\n  "b":2\n}', 1, '{"a":1\n}'],
    ['one that is only a key yet', '{"a":1, "b"}', 1, '{"a":1}'],
    ['one that awaits its value', '{"a":1, "b": }', 1, '{"a":1 }'],
    ['one behind another that awaits its value', '{"a":, "b":2}', 1, '{"a":}'],
    ['one behind another that is only a key yet', '{"a", "b":2}', 1, '{"a"}'],
    ['the only one, where nothing is closed', '{ "a"', 0, '{'],
  ])('%s', (_what, text, at, expected) => {
    const { root } = readBodyTree(text);
    expect(applyEdit(text, removeMember(root!, root!.members[at]!))).toBe(expected);
  });
});

it('puts one value in the place of another, and nothing else', () => {
  const text = '{ "a" : 1.00 , "b":2}';
  const { root } = readBodyTree(text);
  expect(applyEdit(text, replaceValue(root!.members[0]!.value!, '"x"'))).toBe('{ "a" : "x" , "b":2}');
});

it.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['"quoted" \\ and\nmore', '"\\"quoted\\" \\\\ and\\nmore"'],
  ['{{name}}', '"{{name}}"'],
  [`a "b" {{$datetime "YYYY"}} "c" {{x}}`, `"a \\"b\\" {{$datetime "YYYY"}} \\"c\\" {{x}}"`],
])('writes %j as text of JSON, its variables as they stand', (text, written) => {
  expect(writeBodyText(text)).toBe(written);
});

const rule = (change: Partial<FieldRule>): FieldRule =>
  ({ ...initiationFields.payout[0], fields: undefined, ...change }) as FieldRule;

describe('a field that nobody has filled in', () => {
  it.each([
    ['a text', rule({ type: 'string' }), '"sample"'],
    ['a whole number', rule({ type: 'integer' }), '0'],
    ['a number', rule({ type: 'number' }), '0'],
    ['an object of nothing', rule({ type: 'object' }), '{}'],
    [
      'an object of what it has to have',
      rule({
        type: 'object',
        fields: [
          rule({ type: 'string', name: 'x', isRequired: true }),
          rule({ type: 'string', name: 'y', isRequired: false }),
          rule({ type: 'number', name: 'z', isRequired: true }),
        ],
      }),
      '{ "x": "sample", "z": 0 }',
    ],
  ])('is written as it has to be: %s', (_what, field, written) => {
    expect(writeEmptyField(field, () => 'sample')).toBe(written);
  });

  it('is empty where there is no sample', () => {
    expect(writeEmptyField(rule({ type: 'string' }), () => null)).toBe('""');
  });
});

it.each([
  [{ format: 'remittance_timestamp' as const }, "{{$datetime 'YYYY-MM-DD HH:mm:ss'}}"],
  [{ format: 'payout_timestamp' as const }, '{{$isoTimestamp}}'],
  [{ format: 'msisdn' as const, isIdempotencyKey: true }, null],
  [{ format: undefined, isIdempotencyKey: true }, '{{$uuid}}'],
  [{ format: undefined, isIdempotencyKey: false }, null],
])('leaves %j best to a variable', (change, variable) => {
  expect(variableFor(rule(change as Partial<FieldRule>))).toBe(variable);
});
