import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { collection, payout, remittance } from '../support/bodies';
import { startService, type Service } from './support/service-client';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

const stateOf = async (paymentUuid: string): Promise<string> =>
  (await service.status('payout', { payment_uuid: paymentUuid })).json.data.state as string;

async function startPayout(account = '254711111111'): Promise<string> {
  const answer = await service.initiate('payout', payout({ 'recipient.account': account }));
  return answer.json.data.payment_uuid as string;
}

test('3 a payment is processing until it is final', async () => {
  const uuid = await startPayout();
  expect(await stateOf(uuid)).toBe('processing');
});

test('3 a payment may become succeeded', async () => {
  const uuid = await startPayout();
  await service.advance(3600);
  expect(await stateOf(uuid)).toBe('succeeded');
});

test('3 a payment may become failed', async () => {
  const uuid = await startPayout('254711110001');
  await service.advance(3600);
  expect(await stateOf(uuid)).toBe('failed');
});

test('3 a payment may become canceled', async () => {
  const uuid = await startPayout('254711110002');
  await service.advance(3600);
  expect(await stateOf(uuid)).toBe('canceled');
});

test('3 a final state never changes again', async () => {
  const uuid = await startPayout('254711110003');
  expect((await service.admin('POST', `payments/${uuid}/state`, { state: 'canceled' })).httpStatus).toBe(200);
  for (const state of ['succeeded', 'failed', 'canceled', 'processing']) {
    const answer = await service.admin('POST', `payments/${uuid}/state`, { state });
    expect(answer.httpStatus, state).toBeGreaterThanOrEqual(400);
  }
  await service.advance(100_000);
  expect(await stateOf(uuid)).toBe('canceled');
});

test('3 ACCEPTED means accepted for processing', async () => {
  const answer = await service.initiate('remittance', remittance());
  expect(answer.json.code).toBe('ACCEPTED');
});

test('3 REJECTED includes an ignored duplicate', async () => {
  const body = remittance();
  await service.initiate('remittance', body);
  expect((await service.initiate('remittance', body)).json.code).toBe('REJECTED');
});

test('3 wallets are ACTIVE, INACTIVE or SUSPENDED', async () => {
  const statuses: Record<string, string> = {};
  for (const product of ['payout', 'remittance', 'collection'] as const) {
    const { json } = await service.balances(product);
    for (const { currency, status } of json.results as { currency: string; status: string }[]) {
      statuses[`${product} ${currency}`] = status;
    }
  }
  expect(statuses).toEqual({
    'payout KES': 'ACTIVE',
    'payout UGX': 'ACTIVE',
    'payout TZS': 'SUSPENDED',
    'remittance KES': 'ACTIVE',
    'remittance USD': 'ACTIVE',
    'collection KES': 'ACTIVE',
    'collection UGX': 'INACTIVE',
  });
});

test('3 a SUSPENDED wallet pays nothing out', async () => {
  const answer = await service.initiate('payout', payout({ 'transaction.currency': 'TZS' }));
  expect(answer.httpStatus).toBe(400);
  expect(answer.json).toMatchObject({ status: '400.100', code: 'REJECTED', data: null });
});

test('3 an INACTIVE wallet collects nothing', async () => {
  const answer = await service.initiate('collection', collection({ 'transaction.currency': 'UGX' }));
  expect(answer.httpStatus).toBe(400);
  expect(answer.json).toMatchObject({ status: '400.100', code: 'REJECTED', data: null });
});
