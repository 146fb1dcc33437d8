import { markOfLimit, shortOfLimit, type Wallet } from '@shared/payments/read-wallets';
import type { Exchange } from '@shared/contract/sending';
import type { JourneySummary } from '@shared/contract/journey';
import { AppError } from '@shared/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import { tellRenamed } from '../../session/renamed-environments';
import { setTransport } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { startRemembering } from '../../ui/remembered';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import {
  changeOf,
  chartColumns,
  commonError,
  describeSteps,
  describeWallet,
  heldOf,
  paymentsBefore,
  paymentsOf,
  stepsOf,
  type BalanceReading,
  describeNoWallet,
  describeRefusal,
} from './balances-selectors';
import { dropUnanswered, entryKey, findWallet, useBalancesStore } from './balances-store';

const wallet: Wallet = {
  currency: 'KES',
  actualBalance: '1000000.00',
  availableBalance: '998485.5',
  alertLimit: '5000',
  status: 'ACTIVE',
};

const plain = { request: { url: '/balances' } } as Exchange;

let fake: FakeTransport;
const state = () => useBalancesStore.getState();

beforeEach(() => {
  useBalancesStore.setState(useBalancesStore.getInitialState(), true);
  fake = createFakeTransport({
    'balances.fetch': () => ({ exchange: plain, fetchedAt: 7, wallets: [wallet], unreadCount: 0 }),
  });
  setTransport(fake);
});

it('takes back that nothing answers once it does', async () => {
  fake.handlers['balances.fetch'] = () => {
    throw new AppError('app.unreachable', 'The back end does not answer.');
  };
  const stop = dropUnanswered();
  await state().refresh('local', 'payout');
  const error = () => state().entries[entryKey('local', 'payout')]?.error ?? null;
  expect(error()?.code).toBe('app.unreachable');
  fake.setConnection('offline');
  expect(error()).not.toBeNull();
  fake.setConnection('online');
  expect(error()).toBeNull();
  stop();
});

it('says why there is no wallet: a disk that fails is no empty service', () => {
  const full = { code: 'platform.disk_full', message: 'The disk is full.' } as ClientError;
  const none = { answer: null, error: null };
  const answered = { answer: { exchange: plain }, error: null };
  const refused = {
    answer: { exchange: { ...plain, response: { httpStatus: 401 } } as Exchange },
    error: null,
  };
  const asked = { ...none, isLoading: true };
  expect(describeNoWallet([asked, asked])).toBeNull();
  expect(describeNoWallet([answered, asked])).toBeNull();
  expect(describeNoWallet([none, none])?.title).toBe('No wallet yet');
  expect(describeNoWallet([answered, none])?.text).toContain('told of none');
  expect(describeNoWallet([{ answer: null, error: full }, none])).toEqual({
    title: 'No wallet could be read',
    text: 'The table, or the line above it, says why.',
  });
  expect(describeNoWallet([refused, none])?.title).toBe('No wallet could be read');
  expect(describeNoWallet([refused, answered])?.title).toBe('No wallet to show');
});

describe('balances store', () => {
  it('says that the readings of earlier sessions could not be read', async () => {
    fake.handlers['balances.readings'] = () => Promise.reject(new Error('disk'));
    await state().readKept('local', null);
    expect(state().keptError).not.toBeNull();
    fake.handlers['balances.readings'] = () => ({ readings: [] });
    await state().readKept('local', null);
    expect(state().keptError).toBeNull();
  });

  it('keeps a reading of this session where it differs from the one before', async () => {
    await state().refresh('local', 'payout');
    await state().refresh('local', 'payout');
    const entry = () => state().entries[entryKey('local', 'payout')]!;
    expect(entry().readings).toHaveLength(1);
    const changed = { ...wallet, availableBalance: '5' };
    fake.handlers['balances.fetch'] = () => ({
      exchange: plain,
      fetchedAt: 9,
      wallets: [changed],
      unreadCount: 0,
    });
    await state().refresh('local', 'payout');
    expect(entry().readings.map(({ at }) => at)).toEqual([7, 9]);
    expect(entry().answer?.wallets).toEqual([changed]);
  });

  it('keeps the last answer beside the error of a later try', async () => {
    await state().refresh('local', 'payout');
    fake.handlers['balances.fetch'] = () => Promise.reject(new Error('down'));
    await state().refresh('local', 'payout');
    const entry = state().entries[entryKey('local', 'payout')]!;
    expect(entry.answer).not.toBeNull();
    expect(entry.error).not.toBeNull();
    expect(entry.isLoading).toBe(false);
  });

  it('keeps the wallets as they were told last while nobody answers, and drops them where they are not there', async () => {
    const answers = fake.handlers['balances.fetch']!;
    const answer = (status: number | null, url = '/balances'): void => {
      const response = status === null ? null : { httpStatus: status };
      const exchange = { request: { url }, response, reading: { outcome: 'refused' } } as unknown as Exchange;
      fake.handlers['balances.fetch'] = () => ({ exchange, fetchedAt: 9, wallets: [], unreadCount: 0 });
    };
    const shown = async (): Promise<unknown> => {
      await state().refresh('local', 'payout');
      const { told } = state().entries[entryKey('local', 'payout')]!;
      return [told?.fetchedAt, told?.wallets.length];
    };
    // Of a try that nobody answered, or that was refused, nothing is known: no time stands there as if it were.
    answer(null);
    expect(await shown()).toEqual([undefined, undefined]);
    answer(401);
    expect(await shown()).toEqual([undefined, undefined]);
    fake.handlers['balances.fetch'] = answers;
    expect(await shown()).toEqual([7, 1]);
    for (const status of [null, 401, 429, 500]) {
      answer(status);
      expect(await shown()).toEqual([7, 1]);
    }
    answer(404);
    expect(await shown()).toEqual([9, 0]);
    answer(null, '/balances?currency=USD');
    expect(await shown()).toEqual([undefined, undefined]);
  });

  it('asks for one currency in upper case, for all without', async () => {
    state().setCurrency('usd');
    await state().refreshAll('local');
    expect(fake.calls).toHaveLength(3);
    expect(fake.calls[0]?.input).toMatchObject({ currency: 'USD' });
    state().setCurrency('');
    await state().refresh('local', 'payout');
    expect(fake.calls.at(-1)?.input).not.toHaveProperty('currency');
  });
});

describe('what was kept', () => {
  it('puts readings of earlier sessions before those of this one, and remembers how often each environment is read', async () => {
    const kept: Record<string, unknown> = { 'balances.every': { uat: 10, live: 7, other: 'x' } };
    startRemembering({ read: (key) => kept[key], write: (key, value) => void (kept[key] = value) });
    await state().refresh('local', 'payout');
    const amounts = (availableBalance: string) => [{ currency: 'KES', actualBalance: '1', availableBalance }];
    fake.handlers['balances.readings'] = () => ({
      readings: [
        { product: 'payout', at: 3, wallets: amounts('0.1') },
        { product: 'remittance', at: 4, wallets: amounts('5') },
        { product: 'payout', at: 7, wallets: amounts('998485.5') },
      ],
    });
    await state().readKept('local', null);
    const at = (product: 'payout' | 'remittance') =>
      state().entries[entryKey('local', product)]!.readings.map((one) => one.at);
    expect([at('payout'), at('remittance')]).toEqual([[3, 7], [4]]);
    expect(state().every).toEqual({ uat: 10 });
    state().repeat('local', 60);
    expect(kept['balances.every']).toEqual({ uat: 10, local: 60 });
  });

  it('shows what was asked last, whatever comes first, and keeps an error beside it', async () => {
    const answers = new Map<string, (value: { around: null }) => void>();
    fake.handlers['balances.around'] = ({ reference }) =>
      new Promise((resolve) => answers.set(reference, resolve));
    const asked = [state().showAround('local', 'R-1'), state().showAround('local', 'R-2')];
    answers.get('R-2')!({ around: null });
    answers.get('R-1')!({ around: null });
    await Promise.all(asked);
    expect(state().around).toEqual({
      environment: 'local',
      reference: 'R-2',
      found: null,
      error: null,
    });
    fake.handlers['balances.around'] = () => Promise.reject(new Error('down'));
    await state().showAround('local', 'R-2');
    expect(state().around?.error).not.toBeNull();
    // The same reference may be a payment of another service, too: what is known of the one is not shown for the other.
    const asking = state().showAround('data/two', 'R-2');
    expect(state().around).toMatchObject({ environment: 'data/two', error: null });
    await asking;
    expect(fake.calls.at(-1)?.input).toEqual({ environment: 'data/two', reference: 'R-2' });
  });
});

it('forgets what was read of an environment that has another address by now, and what comes late of it', async () => {
  const read = async (address: string | null, at: number): Promise<void> => {
    fake.handlers['balances.fetch'] = () => ({
      exchange: plain,
      fetchedAt: at,
      wallets: [wallet],
      unreadCount: 0,
    });
    fake.handlers['balances.readings'] = () => ({
      readings: [{ product: 'payout', at: at - 5, wallets: [wallet] }],
    });
    await state().readKept('data/one', address);
    await state().refresh('data/one', 'payout');
  };
  const readings = (): number[] | null =>
    state().entries['data/one/payout']?.readings.map(({ at }) => at) ?? null;
  await state().refresh('data/other', 'payout');
  // What is asked before the address is known is not lost.
  const first = state().refresh('data/one', 'payout');
  await state().readKept('data/one', 'http://a.test');
  await first;
  expect(state().entries['data/one/payout']?.told).not.toBeNull();
  await read('http://a.test', 17);
  await read('http://a.test', 18);
  expect(readings()).toEqual([7]);
  let settle: (at: number) => void = () => undefined;
  fake.handlers['balances.fetch'] = () =>
    new Promise(
      (resolve) =>
        (settle = (at) => resolve({ exchange: plain, fetchedAt: at, wallets: [wallet], unreadCount: 0 })),
    );
  const asking = state().refresh('data/one', 'payout');
  await state().readKept('data/one', 'http://b.test');
  settle(20);
  await asking;
  expect(readings()).toEqual([13]);
  expect(state().entries['data/one/payout']).toMatchObject({ told: null, isLoading: false });
  expect(state().entries['data/other/payout']?.told).not.toBeNull();
  void state().refresh('data/one', 'payout');
  tellRenamed({ from: 'data/one', to: 'data/uno' });
  expect(readings()).toBeNull();
  expect(state().entries['data/uno/payout']).toMatchObject({ isLoading: false, readings: [{ at: 13 }] });
  expect(state().addresses['data/uno']).toBe('http://b.test');
  await read('http://b.test', 30);
  expect(state().entries['data/one/payout']?.told?.fetchedAt).toBe(30);
});

describe('the wallet on show', () => {
  it('is the one that was chosen, and the first where that is not there', async () => {
    fake.handlers['balances.fetch'] = ({ product }) => ({
      exchange: plain,
      fetchedAt: 7,
      wallets: product === 'payout' ? [wallet, { ...wallet, currency: 'UGX' }] : [],
      unreadCount: 0,
    });
    expect(findWallet(state(), 'local')).toBeNull();
    await state().refreshAll('local');
    expect(findWallet(state(), 'local')).toMatchObject({ product: 'payout', currency: 'KES' });
    state().choose({ product: 'payout', currency: 'UGX' });
    expect(findWallet(state(), 'local')).toMatchObject({ currency: 'UGX' });
    state().choose({ product: 'remittance', currency: 'USD' });
    expect(findWallet(state(), 'local')).toMatchObject({ product: 'payout', currency: 'KES' });
  });
});

describe('balances selectors', () => {
  it('tell in the words of the service what is not there, once', () => {
    const refuse = (description: string | null) =>
      describeRefusal({
        response: { httpStatus: 404 },
        reading: { code: '404', status: null, title: 'Not found', description },
      } as unknown as Parameters<typeof describeRefusal>[0]);
    expect(refuse('ZZZ is not an ISO 4217 currency code.')).toEqual({
      headline: 'ZZZ is not an ISO 4217 currency code.',
      detail: 'HTTP 404 · code 404',
    });
    expect(refuse(null)?.headline).toBe('This currency is not provisioned for the product');
  });

  it('subtracts exactly, beyond what a double holds', () => {
    const held = (actualBalance: string, availableBalance: string) =>
      heldOf({ ...wallet, actualBalance, availableBalance });
    expect(held('0.3', '0.1')).toBe('0.2');
    expect(held('90071992547409931.01', '0.02')).toBe('90071992547409930.99');
    expect(held('1', '2.5')).toBe('-1.5');
    expect(held('1e3', '1')).toBe('999');
    expect(held('n/a', '1')).toBeNull();
    expect(heldOf(wallet)).toBe('1514.50');
  });

  it('says an error of all products once', () => {
    const fail = (message: string) => toClientError(new Error(message));
    expect(commonError([fail('down'), fail('down'), fail('down')])?.message).toBe('down');
    expect(commonError([fail('down'), fail('other'), fail('down')])).toBeNull();
    expect(commonError([fail('down'), null, fail('down')])).toBeNull();
    expect(commonError([null, null, null])).toBeNull();
  });

  it('tells how far a wallet is below its limit', () => {
    expect(shortOfLimit(wallet)).toBeNull();
    expect(shortOfLimit({ ...wallet, availableBalance: '5000.00' })).toBe('0.00');
    expect(shortOfLimit({ ...wallet, availableBalance: '4118.5' })).toBe('881.5');
    expect(shortOfLimit({ ...wallet, availableBalance: '1', alertLimit: null })).toBeNull();
  });

  it('marks a wallet that stands at its limit as that, however the amounts are written: it is not below', () => {
    const mark = (availableBalance: string, alertLimit: string | null) =>
      markOfLimit({ ...wallet, availableBalance, alertLimit });
    expect([mark('5000', '5000.00'), mark('5000.000', '5e3'), mark('0', '0.00')]).toEqual(
      Array(3).fill('at its limit'),
    );
    expect([
      mark('4999.99', '5000'),
      mark('-0.01', '0'),
      mark('999999999999999999.98', '999999999999999999.99'),
    ]).toEqual(Array(3).fill('below its limit'));
    expect([mark('5000.01', '5000'), mark('', '5000'), mark('1', null), mark('1', 'n/a')]).toEqual(
      Array(4).fill(null),
    );
    expect(describeWallet({ ...wallet, availableBalance: '5000' }, [])).toMatch(
      /^It stands at the alert limit\./,
    );
  });

  const readings: BalanceReading[] = [
    { at: 1000, wallets: [wallet] },
    {
      at: 2000,
      wallets: [
        { ...wallet, availableBalance: '998485.50' },
        { ...wallet, currency: 'USD' },
      ],
    },
    { at: 3000, wallets: [{ ...wallet, availableBalance: '998000.5' }] },
  ];

  it('makes a step where the amounts of a wallet changed, not where another wallet’s did', () => {
    expect(stepsOf(readings, 'KES').map(({ at, change }) => [at, change])).toEqual([
      [1000, null],
      [3000, '-485.0'],
    ]);
    expect(changeOf(stepsOf(readings, 'KES'))).toBe('-485.0');
    expect(changeOf(stepsOf(readings.slice(0, 2), 'KES'))).toBeNull();
    expect(stepsOf(readings, 'TZS')).toEqual([]);
  });

  it('draws the last step until the last reading, and writes literals beside it', () => {
    const { times, lines, literals } = chartColumns(stepsOf(readings, 'KES'), '5000', 9000);
    expect(times).toEqual([1, 3, 9]);
    expect(lines[0]).toEqual([998485.5, 998000.5, 998000.5]);
    expect(literals[2]).toEqual(['5000', '5000', '5000']);
    // A limit far below the steps would flatten them.
    expect(lines[2]).toEqual([null, null, null]);
    expect(chartColumns(stepsOf(readings, 'KES'), '997000', 9000).lines[2]).toEqual([997000, 997000, 997000]);
    expect(chartColumns(stepsOf(readings, 'TZS'), null, 9000).times).toEqual([]);
  });

  const place = {
    environment: 'local',
    name: 'Local sandbox',
    service: 'http://127.0.0.1:4010',
    amount: '5',
  };
  const sentTo = (at: number, more: Partial<JourneySummary['sentTo'][number]> = {}) => ({
    ...place,
    operation: 'payout' as const,
    currency: 'KES',
    sentAt: at,
    ...more,
  });
  const journey = (reference: string, ...places: JourneySummary['sentTo']) =>
    ({ reference, sentTo: places, environment: 'local' }) as JourneySummary;
  const payoutKes = { product: 'payout', currency: 'KES' } as const;

  it('names the payments of this wallet that were sent between two readings', () => {
    const payments = [
      journey('A', sentTo(1000)),
      journey('B', sentTo(2000)),
      journey('C', sentTo(3000)),
      journey('D', sentTo(2500, { currency: 'USD' })),
      journey('E', sentTo(2500, { operation: 'remittance' })),
      journey('F', sentTo(2500, { environment: 'data/staging' })),
      journey('never sent'),
    ];
    const own = paymentsOf(payments, { environment: 'local', address: null }, payoutKes);
    expect(paymentsBefore(3000, 1000, own)).toEqual(['C', 'B']);
    expect(paymentsBefore(1000, undefined, own)).toEqual([]);
  });

  it('names a payment at each service that it went to, by the address that the environment has now', () => {
    const [one, two] = [
      sentTo(1000, { environment: 'data/one', service: 'https://one.test' }),
      sentTo(2000, { environment: 'data/two', service: 'https://two.test', amount: '7' }),
    ];
    const moved = sentTo(3000, { environment: 'data/one', service: 'https://old.test' });
    const payments = [journey('A', one, two), journey('B', moved), journey('C', { ...one, service: null })];
    const at = (environment: string, address: string) =>
      paymentsOf(payments, { environment, address }, payoutKes).map(
        ({ reference, sentAt, amount }) => `${reference} ${sentAt} ${amount}`,
      );
    expect(at('data/one', 'https://one.test/v1')).toEqual(['A 1000 5']);
    expect(at('data/two', 'https://two.test')).toEqual(['A 2000 7']);
    // Another environment that has the address of a service has its wallets, too.
    expect(at('data/three', 'https://two.test/')).toEqual(['A 2000 7']);
    expect([at('data/one', 'no address'), at('data/one', '')]).toEqual([[], []]);
  });

  it('says in words what a drawing of the readings shows', () => {
    const clock = (at: number) => new Date(at).toTimeString().slice(0, 8);
    const of = (list: typeof readings, currency = 'KES') => describeSteps(stepsOf(list, currency), 9000);
    expect(of(readings)).toBe(
      `Available 998,485.50 at ${clock(1000)}, then 998,000.50 at ${clock(3000)}: changed once, ` +
        'lowest 998,000.50, highest 998,485.50',
    );
    expect(of(readings.slice(0, 2))).toBe(`Available 998,485.50 at ${clock(1000)}, unchanged since`);
    expect(of(readings, 'TZS')).toBe('No readings yet');
  });

  it('says what a wallet’s figures mean', () => {
    const low = { ...wallet, status: 'SUSPENDED', availableBalance: '4118.50', actualBalance: '4421.5' };
    expect(describeWallet(low, [])).toBe(
      'The service has suspended this wallet: nothing is paid out of it. 881.50 short of the alert limit. ' +
        '303.00 is held for payments that are not final.',
    );
    expect(describeWallet(wallet, stepsOf(readings, 'KES'))).toContain('−485.00 since the first reading');
  });
});
