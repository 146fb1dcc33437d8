import { expect, it } from 'vitest';
import { listSecretValues } from './secret-values';

it('lists the values of variables that are secret by their names, and of no other', () => {
  expect(
    listSecretValues({
      api_secret: 'abcdef',
      'row.password': 'a word of a row',
      currency: 'KES-and-more',
      token: '{{token.payout}}',
      auth_token: 'Bearer {{vault.x}}',
      pin: '12345',
    }),
  ).toEqual(['abcdef', 'a word of a row']);
});

it('lists as many as a request may tell of', () => {
  const many = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`secret_${index}`, `value ${index}`]),
  );
  expect(listSecretValues(many)).toHaveLength(100);
});
