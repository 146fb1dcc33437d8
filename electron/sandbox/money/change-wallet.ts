import type { SandboxWalletChange } from '@shared/contract/sandbox';
import { AppError } from '@shared/errors';
import type { Product } from '@shared/payments/tables/products';
import { LARGEST_MINOR, toMinor } from './money';
import type { SandboxWallet, Wallets } from './wallets';

/**
 * Tops a wallet up, sets its status, or empties it.
 *
 * What payments hold stays: a payment under way ends as it would have, and no wallet goes below zero.
 * @returns the wallet as it is now
 * @throws {AppError} `sandbox.wallet_unknown`, `sandbox.bad_amount`
 */
export function changeWallet(
  wallets: Wallets,
  product: Product,
  currency: string,
  change: SandboxWalletChange,
): SandboxWallet {
  const wallet = wallets.find(product, currency);
  if (wallet === undefined) {
    const known = wallets.list().map((one) => `${one.product} ${one.currency}`);
    throw new AppError(
      'sandbox.wallet_unknown',
      `The sandbox has no such wallet. It has: ${known.join(', ')}.`,
    );
  }
  const changed = applyChange(wallet, change);
  wallets.replace(changed);
  return changed;
}

function applyChange(wallet: SandboxWallet, change: SandboxWalletChange): SandboxWallet {
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
