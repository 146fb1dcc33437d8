import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Wallet } from '@shared/payments/read-wallets';
import type { Product } from '@shared/payments/tables/products';
import type { SqlDatabase } from '../../platform/ports';
import { fromInstant } from '../../platform/sortable-id';

/** One wallet as it stood at a time. */
export interface BalanceReadingRow {
  id: number;
  exchange_id: number;
  environment: string;
  product: Product;
  currency: string;
  read_at: number;
  actual_balance: string;
  available_balance: string;
  status: string;
  /** How long the query took that asked for it, where that is known. */
  total_ms?: number | null;
}

export type NewBalanceReading = Omit<Wallet, 'alertLimit'>;

/** A wallet that readings are looked up of. */
export interface ReadWallet {
  readonly environment: string;
  readonly product: Product;
  readonly currency: string;
}

/** What a reading is one of: the exchange that asked for it, the environment and product, and when. */
export interface ReadingSource {
  readonly exchangeId: number;
  readonly environment: string;
  readonly product: Product;
  readonly readAt: number;
}

/** Title of a reading that nobody asked for by hand: a round every ten seconds would push all else out of sight. */
export const ROUND_TITLE = 'Wallet balances, refreshed by itself';
/** A request of a user's own has an identity, whatever its title. */
export const IS_ROUND = `(operation = 'balances' AND collection_id IS NULL AND title = '${ROUND_TITLE}')`;

const OF_WALLET = 'environment = ? AND product = ? AND currency = ?';
const isAt = (url: string): string => `substr(${url}, 1, length(?)) = ? COLLATE NOCASE`;
/** Readings of an address alone: the environment may have had another one. */
const AT_ADDRESS = `(? IS NULL OR EXISTS (SELECT 1 FROM exchanges e WHERE e.id = exchange_id AND ${isAt('e.url')}))`;
/** Payments to an address alone. */
const SENT_TO_ADDRESS = `(? IS NULL OR ${isAt('url')})`;
const toQueried = (url: string): string => `substr(${url}, 1, instr(${url} || '?', '?') - 1)`;
/** Readings that asked the address which an exchange asks; the embedded sandbox is one service, whatever its port. */
const ASKED_ALIKE = `(environment = '${localEnvironmentId}' OR (
  SELECT ${toQueried('e.url')} FROM exchanges e WHERE e.id = exchange_id
) = (SELECT ${toQueried('e.url')} FROM exchanges e WHERE e.id = ?))`;
/** So many readings of one wallet are looked through for changes, the latest. */
const MOST_READ = 5000;

/**
 * Keeps wallets as read. Of readings of one address that say the same the first and the last stay: a balance that is
 * read every ten seconds takes room as it moves, not as it is looked at.
 */
export function saveBalances(
  database: SqlDatabase,
  { exchangeId, environment, product, readAt }: ReadingSource,
  wallets: readonly NewBalanceReading[],
): void {
  const latest = database.prepare(
    // Those of a clock that was put back since lie ahead: with them nothing would be one that says the same.
    `SELECT * FROM balance_readings WHERE ${OF_WALLET} AND ${ASKED_ALIKE} AND read_at <= ?
     ORDER BY read_at DESC, id DESC LIMIT 2`,
  );
  const remove = database.prepare('DELETE FROM balance_readings WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO balance_readings
      (exchange_id, environment, product, currency, read_at, actual_balance, available_balance, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  database.transaction(() => {
    for (const { currency, actualBalance, availableBalance, status } of wallets) {
      const [last, ...earlier] = latest.all([
        environment,
        product,
        currency,
        exchangeId,
        readAt,
      ]) as BalanceReadingRow[];
      const isMiddle =
        earlier.length > 0 &&
        [last!, ...earlier].every(
          (one) =>
            one.actual_balance === actualBalance &&
            one.available_balance === availableBalance &&
            one.status === status,
        );
      if (isMiddle) {
        remove.run([last!.id]);
        forgetRound(database, last!.exchange_id);
      }
      insert.run([
        exchangeId,
        environment,
        product,
        currency,
        readAt,
        actualBalance,
        availableBalance,
        status,
      ]);
    }
  })();
}

/** Forgets a round that read nothing, or whose readings said what others say. */
export function forgetRound(database: SqlDatabase, exchangeId: number): void {
  database
    .prepare(
      `DELETE FROM exchanges WHERE id = ? AND ${IS_ROUND}
         AND NOT EXISTS (SELECT 1 FROM balance_readings WHERE exchange_id = exchanges.id)`,
    )
    .run([exchangeId]);
}

/** The last reading before a time, and those from it on; oldest first. */
export function listBalances(
  database: SqlDatabase,
  { environment, product, currency }: ReadWallet,
  from: number,
  limit: number,
  address: string | null = null,
): BalanceReadingRow[] {
  const read = (rest: string, ...values: unknown[]): BalanceReadingRow[] =>
    database
      .prepare(
        `SELECT *, (SELECT total_ms FROM exchanges e WHERE e.id = exchange_id) AS total_ms
         FROM balance_readings WHERE ${OF_WALLET} AND ${AT_ADDRESS} AND ${rest}`,
      )
      .all([
        environment,
        product,
        currency,
        address,
        address,
        address,
        from,
        ...values,
      ]) as BalanceReadingRow[];
  return [
    ...read('read_at < ? ORDER BY read_at DESC, id DESC LIMIT 1'),
    ...read('read_at >= ? ORDER BY read_at, id LIMIT ?', limit),
  ];
}

/** Readings of every wallet of an environment where its amounts changed, oldest first: so many of each, the latest. */
export function listChanges(
  database: SqlDatabase,
  environment: string,
  address: string | null,
  most: number,
): BalanceReadingRow[] {
  const wallets = database
    .prepare('SELECT DISTINCT product, currency FROM balance_readings WHERE environment = ?')
    .all([environment]) as Pick<BalanceReadingRow, 'product' | 'currency'>[];
  const changes = database.prepare(
    `SELECT * FROM (
       SELECT *, lag(actual_balance) OVER earlier AS actual_before, lag(available_balance) OVER earlier AS available_before
       FROM (SELECT * FROM balance_readings WHERE ${OF_WALLET} AND ${AT_ADDRESS}
             ORDER BY read_at DESC, id DESC LIMIT ${MOST_READ})
       WINDOW earlier AS (ORDER BY read_at, id)
     ) WHERE actual_before IS NOT actual_balance OR available_before IS NOT available_balance
     ORDER BY read_at DESC, id DESC LIMIT ?`,
  );
  return wallets
    .flatMap(
      ({ product, currency }) =>
        changes.all([environment, product, currency, address, address, address, most]) as BalanceReadingRow[],
    )
    .toSorted((left, right) => left.read_at - right.read_at || left.id - right.id);
}

/** What the other payments of a wallet are looked for by. */
export interface OtherPayments {
  readonly wallet: ReadWallet;
  /** How the addresses that they were sent to begin; null: any. */
  readonly address: string | null;
  /** The payment that is no other one. */
  readonly reference: string;
  readonly from: number;
  readonly to: number;
}

/** Where ids are ahead of the clock, which was put back, what was sent says when, and the last reading how far they had come. */
const OTHER_PAYMENTS = `FROM exchanges WHERE id >= ?1
  AND id < max(?2, ifnull((SELECT max(exchange_id) FROM balance_readings WHERE ${OF_WALLET} AND read_at <= ?), 0))
  AND (id < ?2 OR (sent_at >= ? AND sent_at < ?))
  AND operation = ? AND environment = ? AND currency = ? AND reference <> ? AND ${SENT_TO_ADDRESS}`;

const bindOthers = ({ wallet, address, reference, from, to }: OtherPayments): unknown[] => {
  const { environment, product, currency } = wallet;
  const reading = [environment, product, currency, to];
  const others = [...reading, from, to, product, environment, currency, reference];
  return [fromInstant(from), fromInstant(to), ...others, address, address, address];
};

/** How many payments a wallet had within a time, one reference apart. */
export function countOtherPayments(database: SqlDatabase, others: OtherPayments): number {
  const { count } = database
    .prepare(`SELECT count(DISTINCT reference) AS count ${OTHER_PAYMENTS}`)
    .get(bindOthers(others)) as { count: number };
  return count;
}

/** References of the other payments of a wallet that were sent within a time, the latest first. */
export function listOtherPayments(database: SqlDatabase, others: OtherPayments, most: number): string[] {
  const rows = database
    .prepare(`SELECT reference ${OTHER_PAYMENTS} GROUP BY reference ORDER BY max(id) DESC LIMIT ?`)
    .all([...bindOthers(others), most]) as { reference: string }[];
  return rows.map((row) => row.reference);
}
