import { isProduct } from '@shared/payments/tables/products';
import { findWalletAddress, type SentTo } from '../environments/find-service';
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
  return payment === undefined ? null : readMoved(payment);
}

/**
 * Reads the same for each service that may have taken a payment: a reference is one payment only within one.
 *
 * @param exchanges - the oldest first; of several at one service the first counts
 */
export function readWallets(exchanges: readonly ExchangeRow[]): MovedWallet[] {
  const taken = exchanges.filter(mayBeTaken).map(readMoved);
  const found = taken.length > 0 ? taken : [readWallet(exchanges)];
  const services = new Map<string, MovedWallet>();
  for (const moved of found) {
    if (moved === null) continue;
    const service = moved.address ?? moved.wallet.environment;
    if (!services.has(service)) services.set(service, moved);
  }
  return [...services.values()];
}

/** Tells whether something was sent to the service that has this wallet, by whatever environment. */
export function isOfWallet(sent: SentTo, { wallet, address }: MovedWallet): boolean {
  return address === null ? sent.environment === wallet.environment : findWalletAddress(sent) === address;
}

function readMoved(payment: ExchangeRow): MovedWallet | null {
  if (!isProduct(payment.operation) || payment.currency === null) return null;
  const { environment, operation, currency, sent_at, amount } = payment;
  return {
    wallet: { environment, product: operation, currency },
    address: findWalletAddress(payment),
    sentAt: sent_at,
    amount,
  };
}
