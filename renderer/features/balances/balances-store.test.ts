import type { Wallet } from '@shared/payments/read-wallets';
import type { Exchange } from '@shared/contract/sending';
import { beforeEach, describe, expect, it } from 'vitest';
import { setTransport } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import {
  changeOf,
  chartColumns,
  commonError,
  describeWallet,
  heldOf,
  shortOfLimit,
  stepsOf,
  type BalanceReading,
} from './balances-selectors';
import { entryKey, findWallet, useBalancesStore } from './balances-store';

const wallet: Wallet = {
  currency: 'KES',
  actualBalance: '1000000.00',
  availableBalance: '998485.5',
  alertLimit: '5000',
  status: 'ACTIVE',
};

let fake: FakeTransport;
const state = () => useBalancesStore.getState();

beforeEach(() => {
  useBalancesStore.setState(useBalancesStore.getInitialState(), true);
  fake = createFakeTransport({
    'balances.fetch': () => ({ exchange: {} as Exchange, fetchedAt: 7, wallets: [wallet] }),
  });
  setTransport(fake);
});

describe('balances store', () => {
  it('keeps a reading of this session where it differs from the one before', async () => {
    await state().refresh('local', 'payout');
    await state().refresh('local', 'payout');
    const entry = () => state().entries[entryKey('local', 'payout')]!;
    expect(entry().readings).toHaveLength(1);
    const changed = { ...wallet, availableBalance: '5' };
    fake.handlers['balances.fetch'] = () => ({
      exchange: {} as Exchange,
      fetchedAt: 9,
      wallets: [changed],
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

describe('the wallet on show', () => {
  it('is the one that was chosen, and the first where that is not there', async () => {
    fake.handlers['balances.fetch'] = ({ product }) => ({
      exchange: {} as Exchange,
      fetchedAt: 7,
      wallets: product === 'payout' ? [wallet, { ...wallet, currency: 'UGX' }] : [],
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

  it('says what a wallet’s figures mean', () => {
    const low = { ...wallet, status: 'SUSPENDED', availableBalance: '4118.50', actualBalance: '4421.5' };
    expect(describeWallet(low, [])).toBe(
      'The service has suspended this wallet: nothing is paid out of it. 881.50 short of the alert limit. ' +
        '303.00 is held for payments that are not final.',
    );
    expect(describeWallet(wallet, stepsOf(readings, 'KES'))).toContain('−485.00 since the first reading');
  });
});
