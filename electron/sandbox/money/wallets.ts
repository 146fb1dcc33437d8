import type { Product } from '@shared/payments/tables/products';
import type { WalletState } from '@shared/payments/tables/states';
import type { SqlDatabase } from '../../platform/ports';

/** One wallet; hundredths. Available is what is actual and not held. */
export interface Wallet {
  readonly product: Product;
  readonly currency: string;
  readonly status: WalletState;
  readonly alertMinor: bigint | null;
  actualMinor: bigint;
  heldMinor: bigint;
}

/** What each wallet starts with, in hundredths. @source design 5 */
export const startingWallets: readonly Readonly<Wallet>[] = [
  startWith('payout', 'KES', 1_000_000n, 'ACTIVE', 50_000n),
  startWith('payout', 'UGX', 10_000_000n, 'ACTIVE', 500_000n),
  startWith('payout', 'TZS', 0n, 'SUSPENDED', null),
  startWith('remittance', 'KES', 1_000_000n, 'ACTIVE', 50_000n),
  startWith('remittance', 'USD', 50_000n, 'ACTIVE', 2_500n),
  startWith('collection', 'KES', 0n, 'ACTIVE', null),
  startWith('collection', 'UGX', 0n, 'INACTIVE', null),
];

function startWith(
  product: Product,
  currency: string,
  major: bigint,
  status: WalletState,
  alert: bigint | null,
): Wallet {
  const alertMinor = alert === null ? null : alert * 100n;
  return { product, currency, status, alertMinor, actualMinor: major * 100n, heldMinor: 0n };
}

/** The wallets of a sandbox: read once, changed in memory during a turn, written before its commit. */
export interface Wallets {
  find(product: Product, currency: string): Wallet | undefined;
  list(product?: Product): Wallet[];
  /** Sets money aside: available falls. The caller has checked that there is enough. */
  hold(wallet: Wallet, minor: bigint): void;
  /** Takes what was held: actual falls. */
  take(wallet: Wallet, minor: bigint): void;
  /** Gives back what was held. */
  release(wallet: Wallet, minor: bigint): void;
  /** Adds money. */
  credit(wallet: Wallet, minor: bigint): void;
  writeChanged(): void;
  reload(): void;
  /** Puts back what a sandbox starts with. */
  reset(): void;
}

/** Opens the wallets of a store; gives an empty store what a sandbox starts with. */
export function createWallets(db: SqlDatabase): Wallets {
  const update = db.prepare(
    'UPDATE wallets SET actual_minor = ?, held_minor = ? WHERE product = ? AND currency = ?',
  );
  const byKey = new Map<string, Wallet>();
  const changed = new Set<Wallet>();

  const reload = (): void => {
    byKey.clear();
    changed.clear();
    for (const row of db.prepare('SELECT * FROM wallets').all() as WalletRow[]) {
      byKey.set(`${row.product}/${row.currency}`, fromRow(row));
    }
  };
  const reset = (): void => {
    db.exec('DELETE FROM wallets');
    const insert = db.prepare('INSERT INTO wallets VALUES (?, ?, ?, ?, ?, ?)');
    for (const { product, currency, actualMinor, heldMinor, alertMinor, status } of startingWallets) {
      const alert = alertMinor === null ? null : Number(alertMinor);
      insert.run(product, currency, Number(actualMinor), Number(heldMinor), alert, status);
    }
    reload();
  };
  const change = (wallet: Wallet, actualMinor: bigint, heldMinor: bigint): void => {
    wallet.actualMinor += actualMinor;
    wallet.heldMinor += heldMinor;
    changed.add(wallet);
  };

  reload();
  if (byKey.size === 0) reset();
  return {
    find: (product, currency) => byKey.get(`${product}/${currency}`),
    list: (product) => [...byKey.values()].filter((one) => product === undefined || one.product === product),
    hold: (wallet, minor) => change(wallet, 0n, minor),
    take: (wallet, minor) => change(wallet, -minor, -minor),
    release: (wallet, minor) => change(wallet, 0n, -minor),
    credit: (wallet, minor) => change(wallet, minor, 0n),
    writeChanged() {
      for (const { actualMinor, heldMinor, product, currency } of changed) {
        update.run([Number(actualMinor), Number(heldMinor), product, currency]);
      }
      changed.clear();
    },
    reload,
    reset,
  };
}

interface WalletRow {
  product: Product;
  currency: string;
  actual_minor: number;
  held_minor: number;
  alert_minor: number | null;
  status: WalletState;
}

function fromRow(row: WalletRow): Wallet {
  return {
    product: row.product,
    currency: row.currency,
    status: row.status,
    alertMinor: row.alert_minor === null ? null : BigInt(row.alert_minor),
    actualMinor: BigInt(row.actual_minor),
    heldMinor: BigInt(row.held_minor),
  };
}
