import type { JourneySummary } from '@shared/contract/journey';
import { expect, it } from 'vitest';
import { formatSortableId } from '../../platform/sortable-id';
import type { ExchangeRow } from '../history/history-store';
import { readBalanceAround, type AroundHistory } from './balance-around';

const paid = (environment: string, more: Partial<ExchangeRow> = {}) =>
  ({
    id: 0,
    environment,
    url: `https://${environment}.test/pay`,
    operation: 'payout',
    currency: 'KES',
    outcome: 'accepted',
    error_code: null,
    sent_at: 10,
    total_ms: 1,
    ...more,
  }) as ExchangeRow;
const summariseAt = (): Promise<JourneySummary> =>
  Promise.resolve({ state: null, finalAt: null } as JourneySummary);

it('takes the charges from a status of the service that paid: elsewhere the reference may be another payment', async () => {
  const status = (id: number, environment: string, url = `https://${environment}.test/status`) =>
    paid(environment, { id, url, operation: 'status', outcome: 'ok', sent_at: 20 + id });
  const totals = new Map([
    [formatSortableId(1), '10.00'],
    [formatSortableId(2), '99.00'],
  ]);
  const around = async (...rows: ExchangeRow[]) => {
    const history = {
      store: { listOfPayment: () => rows },
      balances: { listAround: () => [], countOtherPayments: () => 0 },
      handlers: {
        'history.get': async ({ id }: { id: string }) => ({
          response: { body: `{"data":{"total_amount":"${totals.get(id)}"}}` },
        }),
      },
    } as unknown as AroundHistory;
    return readBalanceAround('R-1', { history, asked: null, summariseAt });
  };
  expect(await around(paid('uat'), status(1, 'uat'), status(2, 'local'))).toMatchObject({
    totalAmount: '10.00',
  });
  expect(await around(paid('uat'), status(2, 'local'))).toMatchObject({ totalAmount: null });
  // One environment that had two addresses is two services; two with one address are one.
  const moved = status(2, 'uat', 'https://other.test/status');
  expect(await around(paid('uat'), moved)).toMatchObject({ totalAmount: null });
  expect(await around(paid('uat'), status(1, 'again', 'https://uat.test/status'))).toMatchObject({
    totalAmount: '10.00',
  });
  expect(await around(paid('local'), status(1, 'local', 'http://127.0.0.1:5/status'))).toMatchObject({
    totalAmount: '10.00',
  });
  expect(await around()).toBeNull();
});

it('asks for the readings and payments of the address that the payment went to, whatever its environment has now', async () => {
  const asked: unknown[] = [];
  const readings = [
    { read_at: 5, available_balance: '50' },
    { read_at: 12, available_balance: '40' },
  ];
  const history = {
    store: {
      listOfPayment: () => [
        paid('uat', { outcome: 'rejected', sent_at: 1 }),
        paid('uat', { url: 'https://two.test/pay' }),
      ],
    },
    balances: {
      listAround: (...query: unknown[]) => (asked.push(query), readings),
      countOtherPayments: (query: unknown) => (asked.push(query), 3),
    },
  } as unknown as AroundHistory;
  expect(await readBalanceAround('R-1', { history, asked: null, summariseAt })).toMatchObject({
    sentAt: 10,
    before: { at: 5, available: '50' },
    after: { at: 12, available: '40' },
    otherCount: 3,
  });
  const first = { id: 'uat', label: 'uat', baseUrl: 'https://one.test' };
  await expect(readBalanceAround('R-1', { history, asked: first, summariseAt })).rejects.toMatchObject({
    code: 'journey.unknown',
    message:
      "No payment with this reference was sent from here to the service that 'uat' is now: choose the environment that it went to. A status query asks the service for it.",
  });
  const wallet = { environment: 'uat', product: 'payout', currency: 'KES' };
  const address = 'https://two.test/';
  expect(asked).toEqual([[wallet, 10, 500, address], { wallet, address, reference: 'R-1', from: 5, to: 12 }]);
});

it('tells of the payment that the environment which is asked has, where another service has one with its reference', async () => {
  const rows = [
    paid('one', { amount: '10' }),
    paid('two', { amount: '25', sent_at: 50 }),
    paid('local', { amount: '70', url: 'http://127.0.0.1:4010/pay', sent_at: 60 }),
  ];
  const around = async (id: string, baseUrl: string) => {
    const history = {
      store: { listOfPayment: () => rows },
      balances: { listAround: () => [] },
    } as unknown as AroundHistory;
    return readBalanceAround('R-1', { history, asked: { id, label: id, baseUrl }, summariseAt });
  };
  expect(await around('one', 'https://one.test')).toMatchObject({ sentAt: 10, amount: '10' });
  expect(await around('two', 'https://two.test/v1')).toMatchObject({ sentAt: 50, amount: '25' });
  expect(await around('again', 'https://two.test')).toMatchObject({ sentAt: 50, amount: '25' });
  expect(await around('local', 'http://127.0.0.1:5')).toMatchObject({ sentAt: 60, amount: '70' });
  await expect(around('three', 'https://three.test')).rejects.toMatchObject({ code: 'journey.unknown' });
});

it('tells how the payment stands at the service that has the wallet, not at another one', async () => {
  const rows = [paid('one'), paid('two')];
  const history = {
    store: { listOfPayment: () => rows },
    balances: { listAround: () => [] },
  } as unknown as AroundHistory;
  const ofTwo: typeof summariseAt = () => Promise.resolve({ state: 'failed', finalAt: 77 } as JourneySummary);
  const around = await readBalanceAround('R-1', {
    history,
    asked: { id: 'two', label: 'two', baseUrl: 'https://two.test' },
    summariseAt: (_reference, isAt) => {
      expect(rows.map(isAt)).toEqual([false, true]);
      return ofTwo();
    },
  });
  expect(around).toMatchObject({ state: 'failed', isFinal: true });
});

it('says of a payment that was refused or never left that it was not taken', async () => {
  const tell = async (state: string | null, ...rows: ExchangeRow[]) => {
    const history = {
      store: { listOfPayment: () => rows },
      balances: { listAround: () => [] },
    } as unknown as AroundHistory;
    const told = () => Promise.resolve({ state, finalAt: null } as JourneySummary);
    return (await readBalanceAround('R-1', { history, asked: null, summariseAt: told }))?.mayBeTaken;
  };
  const unsent = { outcome: null, error_code: 'sending.unreachable', is_finished: 1 };
  expect(await tell(null, paid('uat', { outcome: 'rejected', is_finished: 1 }))).toBe(false);
  expect(await tell(null, paid('uat', { outcome: 'rate_limited', is_finished: 1 }))).toBe(false);
  expect(await tell(null, paid('uat', unsent))).toBe(false);
  expect(await tell('succeeded', paid('uat', unsent))).toBe(true);
  expect(await tell(null, paid('uat', { outcome: 'failed', is_finished: 1 }))).toBe(true);
  expect(await tell(null, paid('uat'))).toBe(true);
});
