import { expect, it } from 'vitest';
import { createLookupsService, type LookupsDeps } from './create-lookups-service';

it('asks nobody for a payment that went to another address than its environment has now, and says where it went', async () => {
  const sent: string[] = [];
  const sending: LookupsDeps['sending'] = {
    send: ({ url }) => (sent.push(url), Promise.reject(new Error('sent'))),
  };
  const environments = { get: () => ({ baseUrl: 'https://two.test/v1', label: 'UAT' }) };
  const { handlers } = createLookupsService({ sending, environments });
  const ask = (sentTo: string | null | undefined, environment = 'data/uat') =>
    handlers['lookups.status']({
      environment,
      product: 'payout',
      by: 'transaction_reference',
      value: 'R-1',
      sentTo,
      isForScreen: true,
    });
  await expect(ask('https://one.test/payments/payout')).rejects.toMatchObject({
    code: 'sending.other_service',
    message:
      "This payment went to https://one.test, and 'UAT' is at https://two.test now: what is known there of this reference is of another payment. Nothing was sent. Ask by an environment that has the address it went to, in Lookups.",
  });
  expect(sent).toEqual([]);
  // One service, an address that nobody knows, or the embedded sandbox, which gets another port at each start.
  for (const sentTo of ['https://two.test', null, undefined, 'no address'])
    await expect(ask(sentTo)).rejects.toThrow('sent');
  await expect(ask('http://127.0.0.1:1', 'local')).rejects.toThrow('sent');
  expect(sent).toHaveLength(5);
});
