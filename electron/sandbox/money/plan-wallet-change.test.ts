import { describe, expect, it } from 'vitest';
import { LARGEST_MINOR } from './money';
import { planWalletChange } from './plan-wallet-change';
import type { KeptWallet } from './wallets';

const WALLET = {
  product: 'payout',
  currency: 'KES',
  status: 'ACTIVE',
  actualMinor: 5000n,
  heldMinor: 1500n,
} as unknown as KeptWallet;

function plan(change: Parameters<typeof planWalletChange>[3], wallet: KeptWallet = WALLET): KeptWallet {
  const wallets = {
    find: (product: string, currency: string) =>
      product === wallet.product && currency === wallet.currency ? wallet : undefined,
    list: () => [wallet],
  };
  return planWalletChange(wallets as Parameters<typeof planWalletChange>[0], 'payout', 'KES', change);
}

describe('a change of a wallet', () => {
  it('adds to what is there, up to the most that a wallet holds, and touches nothing else', () => {
    expect(plan({ kind: 'top_up', amount: '10.01' })).toEqual({ ...WALLET, actualMinor: 6001n });
    const nearlyFull = { ...WALLET, actualMinor: LARGEST_MINOR - 1n };
    expect(plan({ kind: 'top_up', amount: '0.01' }, nearlyFull).actualMinor).toBe(LARGEST_MINOR);
    expect(() => plan({ kind: 'top_up', amount: '0.02' }, nearlyFull)).toThrow(/two decimals/);
  });

  it.each(['0', '0.00', '-1', '1.001', 'x', '', '1e3000', '99999999999999999999'])(
    'refuses to add %j',
    (amount) => {
      expect(() => plan({ kind: 'top_up', amount })).toThrow(
        expect.objectContaining({ code: 'sandbox.bad_amount' }) as Error,
      );
    },
  );

  it('empties to what payments hold, and sets its status alone', () => {
    expect(plan({ kind: 'empty' })).toEqual({ ...WALLET, actualMinor: 1500n });
    const status = 'SUSPENDED' as KeptWallet['status'];
    expect(plan({ kind: 'set_status', status })).toEqual({ ...WALLET, status });
  });

  it('of a wallet that is not there is refused with those that are', () => {
    const other = { ...WALLET, currency: 'UGX' as KeptWallet['currency'] };
    expect(() => plan({ kind: 'empty' }, other)).toThrow(/no such wallet.*payout UGX/);
  });
});
