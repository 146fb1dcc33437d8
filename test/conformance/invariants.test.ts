import { afterEach, beforeEach, expect, test } from 'vitest';
import { newReference, payout } from '../support/bodies';
import { startService, type Service } from './support/service-client';
import { makeTemporaryFolder } from '../support/temporary';

let service: Service;
let folder: string;
beforeEach(async () => {
  folder = makeTemporaryFolder('conformance');
  service = await startService({ dataDirectory: folder });
});
afterEach(async () => {
  await service.close();
});

/** A repeatable source of numbers from 0 to 1. */
function createDraws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

interface PaymentView {
  payment_uuid: string;
  transaction_reference: string;
  state: string;
  amount: string;
  charges: string;
}
interface StateView {
  payments: PaymentView[];
  wallets: {
    product: string;
    currency: string;
    actual_balance: string;
    available_balance: string;
    held_balance: string;
  }[];
}
const readState = async (): Promise<StateView> =>
  (await service.admin('GET', 'state?limit=1000')).json as StateView;
const toCents = (text: string): number => Math.round(Number(text) * 100);

/** Money is neither made nor lost: what was taken and what is there make up the start; held is what is on its way. */
function expectBalanced({ payments, wallets }: StateView): void {
  const wallet = wallets.find(({ product, currency }) => product === 'payout' && currency === 'KES')!;
  const sum = (state: string) =>
    payments
      .filter((payment) => payment.state === state)
      .reduce((total, { amount, charges }) => total + toCents(amount) + toCents(charges), 0);
  const [actual, available, held] = [
    wallet.actual_balance,
    wallet.available_balance,
    wallet.held_balance,
  ].map(toCents) as [number, number, number];
  expect(actual).toBe(100_000_000 - sum('succeeded'));
  expect(held).toBe(sum('processing'));
  expect(available).toBe(actual - held);
  expect(available).toBeGreaterThanOrEqual(0);
}

test('8 invariant: 64 clients at once never overdraw a wallet, and money always adds up', async () => {
  const draw = createDraws(7);
  const references = Array.from({ length: 60 }, newReference);
  const endings = ['1111', '0001', '0002', '0003', '0005'];
  const client = async (): Promise<void> => {
    for (let count = 0; count < 6; count++) {
      const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)]!;
      const body = payout({
        'transaction.reference': pick(references),
        'transaction.amount': 1 + Math.floor(draw() * 60_000),
        'recipient.account': `25471111${pick(endings)}`,
      });
      const { httpStatus } = await service.initiate('payout', body);
      expect([200, 201, 400]).toContain(httpStatus);
      if (draw() < 0.1) await service.advance(20);
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
  expectBalanced(await readState());
  await service.advance(3600);
  const state = await readState();
  expectBalanced(state);
  const made = state.payments.map((payment) => payment.transaction_reference);
  expect(new Set(made).size).toBe(made.length);
});

test('8 invariant: a wallet is spent to its end and no further', async () => {
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => service.initiate('payout', payout({ 'transaction.amount': 90_000 }))),
  );
  const accepted = answers.filter(({ httpStatus }) => httpStatus === 201).length;
  expect(accepted).toBe(Math.floor(1_000_000 / 90_900));
  expectBalanced(await readState());
});

test('3 invariant: of many state changes at once exactly one counts', async () => {
  const { json } = await service.initiate('payout', payout({ 'recipient.account': '254711110003' }));
  const uuid = json.data.payment_uuid as string;
  const states = ['succeeded', 'failed', 'canceled'];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      service.admin('POST', `payments/${uuid}/state`, { state: states[index % 3] }),
    ),
  );
  expect(answers.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(1);
  expectBalanced(await readState());
});

test('8 invariant: payments, wallets and pending webhooks outlive a restart', async () => {
  const open = payout({ 'recipient.account': '254711110003' });
  await service.initiate('payout', open);
  await service.initiate('payout', payout());
  await service.advance(3600);
  const before = await readState();
  await service.close();
  service = await startService({ dataDirectory: folder });
  const after = await readState();
  expect(after.payments).toEqual(before.payments);
  expect(after.wallets).toEqual(before.wallets);
  expectBalanced(after);
  const again = await service.initiate('payout', open);
  expect(again.json).toMatchObject({ status: '200.100', code: 'REJECTED' });
});

test('5 invariant: no secret shows in any answer of the service or the admin surface', async () => {
  const token = await service.token('payout');
  await service.initiate('payout', payout());
  const answers = [
    await service.call('GET', '/_sandbox/openapi.json'),
    await service.admin('GET', 'state'),
    await service.admin('GET', 'settings'),
    await service.admin('GET', 'deliveries'),
    await service.balances('payout'),
    await service.post('/payments/v1/payouts', {}, { authorization: `Bearer ${token}x` }),
  ];
  for (const { text } of answers) {
    for (const secret of [service.consumerSecret, service.consumerKey, token])
      expect(text).not.toContain(secret);
  }
});
