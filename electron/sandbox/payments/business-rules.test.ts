import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  makeCollection,
  makePayout,
  startTestSandbox,
  type SandboxClient,
} from '../../../test/support/sandbox-client';
import type { SqlStatement } from '../../platform/ports';
import type { ServiceRequest } from '../http/service-request';
import { toJsonNumber } from '../money/money';
import { Ledger, type KeptWallet } from '../money/wallets';
import type { SandboxContext } from '../sandbox-context';
import { applyBusinessRules } from './business-rules';
import { RefusalCounter } from './refusal-counter';

let client: SandboxClient;
beforeAll(async () => {
  client = await startTestSandbox({ settings: { settleMs: 3_600_000 } });
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

test.each([
  [10_100n, 'accepted', '0'],
  [10_099n, 'rules', '100.99'],
  [10_101n, 'accepted', '0.01'],
])('100 with its charges, of %s hundredths: %s, and %s is left', (available, verdict, left) => {
  const wallet: KeptWallet = {
    product: 'payout',
    currency: 'KES',
    status: 'ACTIVE',
    alertMinor: null,
    actualMinor: available + 500n,
    heldMinor: 500n,
  };
  const ruling = applyBusinessRules(
    { refusals: new RefusalCounter() } as SandboxContext,
    new Ledger(() => wallet, {} as SqlStatement),
    {
      product: 'payout',
      request: { id: 'r' } as ServiceRequest,
      body: {
        transaction: { reference: 'r', amount: 100, currency: 'KES', description: '' },
        callback_url: 'http://127.0.0.1:9/',
      },
      metaJson: null,
    },
  );
  expect(ruling.refusal?.verdict ?? 'accepted').toBe(verdict);
  if (ruling.refusal !== null)
    expect(ruling.refusal.reason).toContain(`101 KES with charges, ${left} available`);
  else expect(toJsonNumber(available - 10_100n)).toBe(left);
});

test('after the largest payout that fits, one hundredth is left', async () => {
  expect((await client.initiate('payout', makePayout({ amount: 990_100 }))).status).toBe(400);
  expect((await client.initiate('payout', makePayout({ amount: 990_099 }))).status).toBe(201);
  expect((await client.balance('payout', 'KES')).available).toBe(0.01);
});

test.each([
  [1_000_000_000_000, 201],
  [1_000_000_000_001, 400],
  [9_007_199_254_740_991, 400],
])('a collection of %i is answered %i: the largest amount is a million millions', async (amount, status) => {
  const answer = await client.initiate('collection', makeCollection({ amount }));
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.body.description).toBe('The amount is larger than this service moves.');
  else expect(answer.body.data.amount).toBe(amount);
});

test('a wallet that is suspended, inactive or not there refuses by name, and 500 by account is no rule', async () => {
  const refuse = async (product: 'payout' | 'collection', body: object) =>
    (await client.initiate(product, body)).body.description;
  expect(await refuse('payout', makePayout({ currency: 'TZS' }))).toBe('The TZS wallet is SUSPENDED.');
  expect(await refuse('collection', makeCollection({ currency: 'UGX' }))).toBe('The UGX wallet is INACTIVE.');
  expect(await refuse('payout', makePayout({ currency: 'USD' }))).toBe(
    'No USD wallet is provisioned for the payout product.',
  );
  const broken = await client.initiate('payout', makePayout({}, { account: '254711110007' }));
  expect([broken.status, broken.body.code]).toEqual([500, '400.500']);
  const [logged] = client.sandbox.readState(1).requests;
  expect(logged).toMatchObject({ httpStatus: 500, verdict: 'outcome' });
});

test.each([
  ['field_error', 400],
  ['0007', 500],
  ['rate_limited', 429],
  ['succeeded', 201],
])('X-Sandbox-Outcome %s is answered %i, whatever the account is', async (outcome, status) => {
  const body = makePayout({ account: outcome === 'succeeded' ? '254711110007' : '254711111111' });
  expect((await client.initiate('payout', body, { 'X-Sandbox-Outcome': outcome })).status).toBe(status);
});

test('X-Sandbox-Outcome decides what a payment becomes, and one that nobody knows is refused by name', async () => {
  const body = makePayout({ reference: 'chosen' });
  expect((await client.initiate('payout', body, { 'x-sandbox-outcome': 'failed' })).status).toBe(201);
  await client.admin('POST', 'clock/advance', { seconds: 3600 });
  await expect
    .poll(async () => (await client.status('payout', { transaction_reference: 'chosen' })).body.data.state)
    .toBe('failed');
  const refused = await client.initiate('payout', makePayout(), { 'x-sandbox-outcome': 'fail' });
  expect([refused.status, refused.body.data.field_errors[0].field]).toEqual([400, 'X-Sandbox-Outcome']);
});
