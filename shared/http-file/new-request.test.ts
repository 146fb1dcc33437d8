import { describe, expect, it } from 'vitest';
import { operations, type OperationName } from '../payments/tables/operations';
import { validateInitiation } from '../payments/validate-fields';
import { createDynamicValues } from './dynamic-values';
import { writeNewRequest } from './new-request';
import { parseHttpFile } from './parse-http-file';
import { resolveRequest } from './resolve-request';

const names = Object.keys(operations) as OperationName[];
const random = {
  uuid: () => crypto.randomUUID(),
  bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
};
const variables = {
  base_url: 'http://127.0.0.1:4010',
  callback_url: 'https://merchant.example/hook',
  last_reference: 'R-1',
};

/** A member that only a body of this operation has. */
const bodyFields: Partial<Record<OperationName, string>> = {
  remittance: 'recipient.relationship',
  payout: 'recipient.destination_code',
  collection: 'redirect_url',
  status: 'transaction_reference',
  token: 'consumer_secret',
  send_test: 'payment_reference',
};

function resolveNew(operation: OperationName) {
  const file = parseHttpFile(writeNewRequest({ name: 'New one', operation }));
  expect(file.faults).toEqual([]);
  const request = file.requests[0]!;
  const dynamic = createDynamicValues({ now: () => Date.now(), random });
  return { request, resolved: resolveRequest(request, { variables, dynamic }) };
}

describe('a new request', () => {
  it.each(names)('of %s is read as that operation, with nothing left open', (operation) => {
    const { request, resolved } = resolveNew(operation);
    expect(request).toMatchObject({ name: 'New one', operation });
    expect(resolved.unresolved).toEqual([]);
    const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name, value]));
    const { products, isSigned } = operations[operation];
    expect('X-Custom-Signature' in headers).toBe(isSigned);
    expect(Object.keys(headers)).toHaveLength(
      Number(products.length > 0) + Number(isSigned) + Number(request.body !== null),
    );
    expect(request.body === null).toBe(operation === 'balances');
    if (request.body !== null) {
      expect(headers['Content-Type']).toBe('application/json');
      expect(JSON.parse(resolved.body!)).toHaveProperty(bodyFields[operation]!);
    }
    if (products.length > 0) expect(headers['Authorization']).toBe(`Bearer {{token.${products[0]}}}`);
  });

  it.each(['remittance', 'payout', 'collection'] as const)(
    'of %s passes every check of its fields',
    (one) => {
      const { resolved } = resolveNew(one);
      expect(validateInitiation(one, JSON.parse(resolved.body!))).toEqual([]);
    },
  );

  it('asks for a token in the words of the service that the environment names', () => {
    const requestNames = { consumerKey: 'client_id', consumerSecret: 'client_secret', product: 'scope' };
    const profile = { tokenPath: '/oauth/issue', requestNames, credentials: 'shared' as const };
    const text = writeNewRequest({ name: 'x', operation: 'token', product: 'remittance', profile });
    const [request] = parseHttpFile(text).requests;
    // Of fields that are not the interface's none is checked.
    expect(request).toMatchObject({ url: '{{base_url}}/oauth/issue', operation: 'other' });
    expect(JSON.parse(request!.body!)).toEqual({
      client_id: '{{vault.consumer_key}}',
      client_secret: '{{vault.consumer_secret}}',
      scope: 'remittance',
    });
  });

  it('says in the names of its credentials whose token it asks for, where the call does not', () => {
    const requestNames = { consumerKey: 'id', consumerSecret: 'word', product: '' };
    const profile = { tokenPath: '/oauth/issue', requestNames, credentials: 'per_product' as const };
    const [request] = parseHttpFile(
      writeNewRequest({ name: 'x', operation: 'token', product: 'remittance', profile }),
    ).requests;
    expect(JSON.parse(request!.body!)).toEqual({
      id: '{{vault.remittance_consumer_key}}',
      word: '{{vault.remittance_consumer_secret}}',
    });
  });

  it('has the token of the product that was chosen, where its operation takes it', () => {
    const write = (operation: OperationName) =>
      writeNewRequest({ name: 'x', operation, product: 'collection' });
    expect(write('balances')).toContain('{{token.collection}}');
    expect(write('payout')).toContain('{{token.payout}}');
    expect(write('token')).toContain('"product": "collection"');
    expect(writeNewRequest({ name: 'x', operation: 'token' })).toContain('"product": "payout"');
  });
});
