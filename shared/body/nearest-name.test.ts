import { expect, it } from 'vitest';
import { nearestName } from './nearest-name';

const names = ['amount', 'account', 'service_code', 'KES', 'id', 'reference'];

it.each([
  ['amount', 'amount'],
  ['amout', 'amount'],
  ['ammount', 'amount'],
  ['amnt', 'amount'],
  ['Amount', 'amount'],
  ['serviceCode', 'service_code'],
  ['SERVICE CODE', 'service_code'],
  ['servise_kode', 'service_code'],
  ['kes', 'KES'],
  ['KE', 'KES'],
  ['KESS', 'KES'],
  ['ID', 'id'],
  ['refrence', 'reference'],
])('takes %j for %s', (written, name) => expect(nearestName(written, names)).toBe(name));

it.each(['', 'amt', 'K', 'XYZ', 'ids', 'i', 'referenz-id', 'servise_kodee', 'x'.repeat(60)])(
  'takes %j for none',
  (written) => expect(nearestName(written, names)).toBeNull(),
);

it('prefers the one that is nearer, and the first of two as near', () => {
  expect(nearestName('accounts', ['amounts', 'account'])).toBe('account');
  expect(nearestName('abcdeg', ['abcdef', 'abcdeh'])).toBe('abcdef');
});

it('looks at nothing that is longer than any name', () => {
  expect(nearestName('a'.repeat(60), ['a'.repeat(60)])).toBe('a'.repeat(60));
  expect(nearestName('a'.repeat(61), ['a'.repeat(61)])).toBeNull();
});
