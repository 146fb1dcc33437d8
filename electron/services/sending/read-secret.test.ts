import { describe, expect, it } from 'vitest';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import { AppError } from '@shared/errors';
import type { Outgoing } from './fill-secrets';
import { readSecret } from './read-secret';

const read = (
  body: string,
  tokens: readonly string[],
  product = 'product',
  name = 'consumer_secret',
): Promise<string> => {
  const profile = { ...usualProfile, requestNames: { ...usualProfile.requestNames, product } };
  const headers = tokens.map((name): [string, string] => ['Authorization', `Bearer {{token.${name}}}`]);
  return readSecret(
    {
      environments: {
        readSecret: () => Promise.reject(new AppError('environments.no_secret', 'not in the vault')),
      },
      tokens: {
        readCredentials: async (_environment, of) =>
          of === null ? null : { consumerKey: `key of ${of}`, consumerSecret: `secret of ${of}` },
      },
    },
    { operation: 'other', environment: 'uat', headers, body } as unknown as Outgoing,
    {
      id: 'uat',
      name: 'uat',
      label: 'uat',
      baseUrl: 'http://127.0.0.1:1',
      setup: { ...usualSetup, profile },
    },
    name,
  );
};

describe('the consumer secret in a request', () => {
  it.each([
    ['the body', '{"product":"Remittance"}', [], 'remittance'],
    ['a form', 'product=collection', [], 'collection'],
    ['the one token', '{}', ['collection'], 'collection'],
  ] as const)('is of the product that %s names', async (_where, body, tokens, product) => {
    expect(await read(body, tokens)).toBe(`secret of ${product}`);
  });

  it('is of the product that its own name says, whatever else is named', async () => {
    const named = await read('{"product":"payout"}', ['payout'], '', 'collection_consumer_secret');
    expect(named).toBe('secret of collection');
    await expect(read('{}', [], '', 'loan_consumer_secret')).rejects.toMatchObject({
      code: 'environments.no_secret',
    });
  });

  it.each([
    ['product', /as "product": "payout" .*or write {{vault\.payout_consumer_secret}}/],
    ['', /To say it, write {{vault\.payout_consumer_secret}}/],
  ])('is not guessed where nothing says whose is meant: field %j', async (field, told) => {
    await expect(read('{"product":"loan"}', ['payout', 'collection'], field)).rejects.toMatchObject({
      code: 'sending.unresolved',
      message: expect.stringMatching(told) as string,
      details: { lacksProduct: true },
    });
  });
});
