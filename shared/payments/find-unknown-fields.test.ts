import { expect, it } from 'vitest';
import { findUnknownFields } from './find-unknown-fields';
import { payoutFields } from './tables/fields';

it('names what no table has, at any depth, and leaves what is free-form alone', () => {
  const body = { transaction: { reference: 'r', refrence: 'r' }, meta: { anything: 1 }, callbackUrl: 'x' };
  expect(findUnknownFields(body, payoutFields).map(({ field }) => field)).toEqual([
    'transaction.refrence',
    'callbackUrl',
  ]);
  expect(findUnknownFields([body], payoutFields)).toEqual([]);
});

it('names twenty, and counts the others', () => {
  const body = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x${index}`, 1]));
  const found = findUnknownFields(body, payoutFields);
  expect(found).toHaveLength(21);
  expect(found.at(-1)?.message).toContain('5 more');
});
