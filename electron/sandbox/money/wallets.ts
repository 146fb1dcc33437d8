import type { Product } from '@shared/payments/tables/products';
import type { WalletState } from '@shared/payments/tables/states';
import type { SqlDatabase, SqlStatement } from '../../platform/ports';

/** One wallet; hundredths. Available is what is actual and not held. */
export interface KeptWallet {
  readonly product: Product;
  readonly currency: string;
  readonly status: WalletState;
  readonly alertMinor: bigint | null;
  readonly actualMinor: bigint;
  readonly heldMinor: bigint;
}

/** What each wallet starts with, in hundredths. @source design 5 */
export const startingWallets: readonly KeptWallet[] = [
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
): KeptWallet {
  const alertMinor = alert === null ? null : alert * 100n;
  return { product, currency, status, alertMinor, actualMinor: major * 100n, heldMinor: 0n };
}

/** The wallets of a store. Nothing of them is kept in memory, so that a transaction that is undone leaves no trace. */
export interface Wallets {
  find(product: Product, currency: string): KeptWallet | undefined;
  list(product?: Product): KeptWallet[];
  /** Opens the wallets for the movements of one transaction. */
  open(): Ledger;
  /** Sets money and status by hand. @param wallet - as it is to be */
  replace(wallet: KeptWallet): void;
  /** Puts back what a sandbox starts with. */
  reset(): void;
}

/** Opens the wallets of a store; gives an empty store what a sandbox starts with. */
export function createWallets(db: SqlDatabase): Wallets {
  const all = db.prepare('SELECT * FROM wallets ORDER BY product, currency');
  const one = db.prepare('SELECT * FROM wallets WHERE product = ? AND currency = ?');
  const update = db.prepare(
    'UPDATE wallets SET actual_minor = ?, held_minor = ? WHERE product = ? AND currency = ?',
  );
  const replace = db.prepare(
    'UPDATE wallets SET actual_minor = ?, status = ? WHERE product = ? AND currency = ?',
  );
  const list = (): KeptWallet[] => (all.all() as WalletRow[]).map(fromRow);
  const find = (product: Product, currency: string): KeptWallet | undefined => {
    const row = one.get(product, currency) as WalletRow | undefined;
    return row === undefined ? undefined : fromRow(row);
  };
  const reset = (): void => {
    db.exec('DELETE FROM wallets');
    const insert = db.prepare('INSERT INTO wallets VALUES (?, ?, ?, ?, ?, ?)');
    for (const { product, currency, actualMinor, heldMinor, alertMinor, status } of startingWallets) {
      const alert = alertMinor === null ? null : Number(alertMinor);
      insert.run(product, currency, Number(actualMinor), Number(heldMinor), alert, status);
    }
  };

  if (list().length === 0) reset();
  return {
    find,
    list: (product) => list().filter((wallet) => product === undefined || wallet.product === product),
    replace: ({ actualMinor, status, product, currency }) =>
      void replace.run(Number(actualMinor), status, product, currency),
    open: () => new Ledger(find, update),
    reset,
  };
}

/** The movements of one transaction: what one payment takes, the next one sees; written by `save`. */
export class Ledger {
  private readonly opened = new Map<string, KeptWallet | undefined>();
  private readonly changed = new Set<string>();

  constructor(
    private readonly read: Wallets['find'],
    private readonly update: SqlStatement,
  ) {}

  find(product: Product, currency: string): KeptWallet | undefined {
    const key = `${product}/${currency}`;
    if (!this.opened.has(key)) this.opened.set(key, this.read(product, currency));
    return this.opened.get(key);
  }

  /** Sets money aside: available falls. The caller has checked that there is enough. */
  hold(wallet: KeptWallet, minor: bigint): void {
    this.move(wallet, 0n, minor);
  }

  /** Takes what was held: actual falls. */
  take(wallet: KeptWallet, minor: bigint): void {
    this.move(wallet, -minor, -minor);
  }

  /** Gives back what was held. */
  release(wallet: KeptWallet, minor: bigint): void {
    this.move(wallet, 0n, -minor);
  }

  /** Adds money. */
  credit(wallet: KeptWallet, minor: bigint): void {
    this.move(wallet, minor, 0n);
  }

  /** Writes what was moved, before the transaction ends. @throws what the database says: no wallet goes below zero */
  save(): void {
    for (const key of this.changed) {
      const { actualMinor, heldMinor, product, currency } = this.opened.get(key)!;
      this.update.run([Number(actualMinor), Number(heldMinor), product, currency]);
    }
    this.changed.clear();
  }

  private move({ product, currency }: KeptWallet, actualMinor: bigint, heldMinor: bigint): void {
    const key = `${product}/${currency}`;
    const wallet = this.find(product, currency)!;
    this.opened.set(key, {
      ...wallet,
      actualMinor: wallet.actualMinor + actualMinor,
      heldMinor: wallet.heldMinor + heldMinor,
    });
    this.changed.add(key);
  }
}

interface WalletRow {
  product: Product;
  currency: string;
  actual_minor: number;
  held_minor: number;
  alert_minor: number | null;
  status: WalletState;
}

function fromRow(row: WalletRow): KeptWallet {
  return {
    product: row.product,
    currency: row.currency,
    status: row.status,
    alertMinor: row.alert_minor === null ? null : BigInt(row.alert_minor),
    actualMinor: BigInt(row.actual_minor),
    heldMinor: BigInt(row.held_minor),
  };
}
