import { isProduct } from '@shared/payments/tables/products';
import { findWalletAddress } from '../environments/find-service';
import type { ReadWallet } from './balance-readings';
import { mayBeTaken } from './choose-answered';
import type { ExchangeRow } from './history-store';

/** The wallet that a payment moved, and where. */
export interface MovedWallet {
  readonly wallet: ReadWallet;
  /** How the addresses of its service begin; null: any. */
  readonly address: string | null;
  /** When the payment was sent there. */
  readonly sentAt: number;
  readonly amount: string | null;
}

/**
 * Reads of what was sent with a reference which wallet it moved; null where it names none.
 *
 * @param exchanges - the oldest first; of several services the first counts that may have taken a payment
 */
export function readWallet(exchanges: readonly ExchangeRow[]): MovedWallet | null {
  const payment = exchanges.find(mayBeTaken) ?? exchanges.find(({ operation }) => isProduct(operation));
  if (payment === undefined || !isProduct(payment.operation) || payment.currency === null) return null;
  const { environment, operation, currency, sent_at, amount } = payment;
  return {
    wallet: { environment, product: operation, currency },
    address: findWalletAddress(payment),
    sentAt: sent_at,
    amount,
  };
}
