import type { SandboxWalletChange } from '@shared/contract/sandbox';
import { AppError } from '@shared/errors';
import type { Product } from '@shared/payments/tables/products';
import { LARGEST_MINOR, toMinor } from './money';
import type { KeptWallet, Wallets } from './wallets';

/**
 * Says how a wallet is after it was topped up or emptied, or its status set; nothing is written yet.
 *
 * What payments hold stays: a payment under way ends as it would have, and no wallet goes below zero. A refusal must not
 * fall into a transaction: all that others wrote in that turn would be undone with it.
 * @throws {AppError} `sandbox.wallet_unknown`, `sandbox.bad_amount`
 */
export function planWalletChange(
  wallets: Pick<Wallets, 'find' | 'list'>,
  product: Product,
  currency: string,
  change: SandboxWalletChange,
): KeptWallet {
  const wallet = wallets.find(product, currency);
  if (wallet === undefined) {
    const known = wallets.list().map((one) => `${one.product} ${one.currency}`);
    throw new AppError(
      'sandbox.wallet_unknown',
      `The sandbox has no such wallet. It has: ${known.join(', ')}.`,
    );
  }
  return applyChange(wallet, change);
}

function applyChange(wallet: KeptWallet, change: SandboxWalletChange): KeptWallet {
  if (change.kind === 'set_status') return { ...wallet, status: change.status };
  if (change.kind === 'empty') return { ...wallet, actualMinor: wallet.heldMinor };
  const minor = toMinor(change.amount);
  const sum = wallet.actualMinor + (minor ?? 0n);
  if (minor !== null && minor > 0n && sum <= LARGEST_MINOR) return { ...wallet, actualMinor: sum };
  throw new AppError(
    'sandbox.bad_amount',
    'Write an amount above zero with at most two decimals; a wallet holds up to 1,000,000,000,000.00.',
  );
}
