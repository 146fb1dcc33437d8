import type { Wallet } from '@shared/payments/read-wallets';
import type { Exchange } from '@shared/contract/sending';
import { beforeEach, describe, expect, it } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { availableShare, changeOf, chartColumns, heldOf, isBelowLimit } from './balances-selectors';
import { entryKey, useBalancesStore } from './balances-store';

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
  it('keeps each reading of this session', async () => {
    await state().refresh('local', 'payout');
    await state().refresh('local', 'payout');
    const entry = state().entries[entryKey('local', 'payout')]!;
    expect(entry.readings).toHaveLength(2);
    expect(entry.answer?.wallets).toEqual([wallet]);
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

  it('marks a wallet that has reached its limit', () => {
    expect(isBelowLimit(wallet)).toBe(false);
    expect(isBelowLimit({ ...wallet, availableBalance: '5000.00' })).toBe(true);
    expect(isBelowLimit({ ...wallet, availableBalance: '4999.99' })).toBe(true);
    expect(isBelowLimit({ ...wallet, availableBalance: '1', alertLimit: null })).toBe(false);
  });

  it('draws no share of an empty wallet', () => {
    expect(availableShare({ ...wallet, actualBalance: '0', availableBalance: '0' })).toBeNull();
    expect(availableShare(wallet)).toBeCloseTo(0.998);
  });

  it('tells what changed since the reading before', () => {
    const before = { at: 1000, wallets: [wallet] };
    const after = { at: 2000, wallets: [{ ...wallet, availableBalance: '998000.5' }] };
    expect(changeOf([before, after], 'KES')).toBe('-485.0');
    expect(changeOf([before, before], 'KES')).toBeNull();
    expect(changeOf([before], 'KES')).toBeNull();
    expect(chartColumns([before, after], 'KES').times).toEqual([1, 2]);
    expect(chartColumns([before], 'USD').available).toEqual([null]);
  });
});
