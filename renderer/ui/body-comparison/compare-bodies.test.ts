import { expect, it } from 'vitest';
import { compareBodies } from './compare-bodies';

const encoder = new TextEncoder();
const compare = (left: string | null, right: string | null) =>
  compareBodies(left === null ? null : encoder.encode(left), right === null ? null : encoder.encode(right));

it.each([
  ['{"a":1}', '{"a":1}', 'The bytes are the same'],
  ['äx', 'äy', 'The bytes differ from byte 3 on (3 and 3 bytes)'],
  [null, 'a', 'There is a body here, and none there'],
  ['a', null, 'There is a body there, and none here'],
  [null, null, 'Neither has a body'],
])('tells where the bytes of %j and %j begin to differ, in bytes and not in letters', (left, right, said) => {
  expect(compare(left, right).bytes).toBe(said);
});

it('compares nothing by meaning where one of them has no body', () => {
  expect(compare('{}', null)).toMatchObject({ differences: null, whyNot: null });
});

it('compares bytes that are no text as they are', () => {
  expect(compareBodies(Uint8Array.of(0xff, 1), Uint8Array.of(0xff, 2))).toEqual({
    bytes: 'The bytes differ from byte 2 on (2 and 2 bytes)',
    differences: null,
    whyNot: 'neither is JSON',
    outOf: null,
  });
});

it('finds what differs behind megabytes that are the same', () => {
  const write = (last: number): string => `[${'1,'.repeat(1_000_000)}${last}]`;
  expect(compare(write(1), write(2))).toMatchObject({
    bytes: 'The bytes differ from byte 2,000,002 on (2,000,003 and 2,000,003 bytes)',
    differences: [{ pointer: '/1000000', kind: 'changed', left: '1', right: '2' }],
  });
});

it('gives as much as can be shown, and of how much it is the beginning', () => {
  const write = (value: string): string => JSON.stringify(Array.from({ length: 1500 }, () => value));
  const { differences, outOf } = compare(write('x'.repeat(3000)), write('y'))!;
  expect(differences).toHaveLength(200);
  expect(outOf).toBe('1,000 or more');
  expect(differences![0]!.left).toMatch(/^"x{1999}… \(3,002 characters\)$/);
});
