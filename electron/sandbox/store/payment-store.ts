import type { Product } from '@shared/payments/tables/products';
import type { PaymentState } from '@shared/payments/tables/states';
import type { SqlDatabase } from '../../platform/ports';
import { readStoredJson } from '../../platform/database/stored-json';

export type FinalState = Exclude<PaymentState, 'processing'>;

/** What a customer was shown and where they go afterwards. */
export interface CheckoutDetails {
  readonly id: string;
  readonly redirectUrl: string;
  readonly description: string;
  readonly customerName: string;
}

/** One payment. Times are epoch milliseconds of the sandbox clock, amounts hundredths. */
export interface Payment {
  readonly paymentUuid: string;
  readonly reference: string;
  readonly paymentReference: string;
  readonly requestUuid: string;
  readonly product: Product;
  readonly amountMinor: bigint;
  readonly chargesMinor: bigint;
  readonly currency: string;
  readonly account: string | null;
  readonly state: PaymentState;
  /** What it becomes when it is due; null: only somebody's act changes it. */
  readonly finalState: FinalState | null;
  /** How often its webhook is sent. */
  readonly copies: number;
  readonly dueAt: number | null;
  readonly callbackUrl: string;
  /** The request's `meta`, as written there; null where it had none. */
  readonly metaJson: string | null;
  readonly checkout: CheckoutDetails | null;
  readonly timeReceived: number;
  readonly lastUpdated: number;
}

/** Payments in the store. Nothing of them is kept in memory. */
export interface PaymentStore {
  /** Writes new payments, of which no two share a reference with each other or with one that is there. @throws what the database says */
  insertAll(payments: readonly Payment[]): void;
  /** Those of the references that a payment has. */
  findTaken(references: readonly string[]): string[];
  findByReference(reference: string): Payment | undefined;
  findByUuid(paymentUuid: string): Payment | undefined;
  findByRequest(requestUuid: string): Payment | undefined;
  findByCheckout(checkoutId: string): Payment | undefined;
  /** Newest first. */
  list(limit: number): Payment[];
  /** When the newest was received; 0: there is none. */
  latestMs(): number;
  /** Those in `processing` that are due, earliest first. */
  listDue(now: number, limit: number): Payment[];
  nextDueAt(): number | null;
  /** Ends a payment that is still in `processing`. @returns false where it was not */
  finish(paymentUuid: string, state: FinalState, at: number): boolean;
  largestUuid(): string | null;
  deleteAll(): void;
}

const COLUMNS = 'payment_uuid, reference, state, due_at, last_updated, detail';

/** Opens the payments of a store. */
export function createPaymentStore(db: SqlDatabase): PaymentStore {
  const insertRows = prepareRowInserts(db);
  const insertCheckout = db.prepare('INSERT INTO checkouts VALUES (?, ?)');
  const taken = db.prepare(
    'SELECT reference FROM json_each(?) AS wanted CROSS JOIN payments ON reference = wanted.value',
  );
  const where = (condition: string) => db.prepare(`SELECT ${COLUMNS} FROM payments WHERE ${condition}`);
  const byReference = where('reference = ?');
  const byUuid = where('payment_uuid = ?');
  const byCheckout = where('payment_uuid = (SELECT payment_uuid FROM checkouts WHERE id = ?)');
  const newest = where('1 ORDER BY payment_uuid DESC LIMIT ?');
  const due = where('due_at <= ? ORDER BY due_at LIMIT ?');
  const next = db.prepare('SELECT min(due_at) AS at FROM payments WHERE due_at IS NOT NULL');
  const largest = db.prepare('SELECT max(payment_uuid) AS id FROM payments');
  const finish = db.prepare(
    `UPDATE payments SET state = ?, last_updated = ?, due_at = NULL WHERE payment_uuid = ? AND state = 'processing'`,
  );
  const one = (row: unknown): Payment | undefined =>
    row === undefined ? undefined : fromRow(row as PaymentRow);

  return {
    insertAll(payments) {
      insertRows(payments);
      for (const { checkout, paymentUuid } of payments) {
        if (checkout !== null) insertCheckout.run([checkout.id, Number(paymentUuid)]);
      }
    },
    findTaken: (references) =>
      (taken.all(JSON.stringify(references)) as { reference: string }[]).map(({ reference }) => reference),
    findByReference: (reference) => one(byReference.get(reference)),
    findByUuid: (uuid) => (/^[1-9]\d{0,15}$/.test(uuid) ? one(byUuid.get(Number(uuid))) : undefined),
    findByRequest(uuid) {
      const found = one(byUuid.get(readRequestNumber(uuid)));
      return found?.requestUuid === uuid ? found : undefined;
    },
    findByCheckout: (id) => one(byCheckout.get(id)),
    list: (limit) => (newest.all(limit) as PaymentRow[]).map(fromRow),
    latestMs: () => one(newest.get(1))?.timeReceived ?? 0,
    listDue: (now, limit) => (due.all(now, limit) as PaymentRow[]).map(fromRow),
    nextDueAt: () => (next.get() as { at: number | null }).at,
    finish: (uuid, state, at) => finish.run([state, at, Number(uuid)]).changes === 1,
    largestUuid() {
      const { id } = largest.get() as { id: number | null };
      return id === null ? null : String(id);
    },
    deleteAll() {
      db.exec('DELETE FROM checkouts; DELETE FROM payments');
    },
  };
}

/** What is written once, as it lies in the row. */
type PaymentDetail = [
  paymentReference: string,
  requestUuid: string,
  product: Product,
  amountMinor: number,
  chargesMinor: number,
  currency: string,
  account: string | null,
  finalState: FinalState | null,
  copies: number,
  callbackUrl: string,
  metaJson: string | null,
  checkout: CheckoutDetails | null,
  timeReceived: number,
];

interface PaymentRow {
  payment_uuid: number;
  reference: string;
  state: PaymentState;
  due_at: number | null;
  last_updated: number | null;
  detail: string;
}

/** Rows that one statement writes, largest first: a call into SQLite costs as much as a row or two. */
const ROWS_A_CALL = [16, 8, 4, 2, 1];

function prepareRowInserts(db: SqlDatabase): (payments: readonly Payment[]) => void {
  const statements = ROWS_A_CALL.map((rows) =>
    db.prepare(
      `INSERT INTO payments (payment_uuid, reference, due_at, detail) VALUES ${Array(rows).fill('(?, ?, ?, ?)').join(', ')}`,
    ),
  );
  return (payments) => {
    let from = 0;
    ROWS_A_CALL.forEach((rows, size) => {
      for (; payments.length - from >= rows; from += rows) {
        statements[size]!.run(toValues(payments, from, from + rows));
      }
    });
  };
}

function toValues(payments: readonly Payment[], from: number, to: number): (string | number | null)[] {
  const values: (string | number | null)[] = [];
  for (let index = from; index < to; index++) {
    const payment = payments[index]!;
    values.push(Number(payment.paymentUuid), payment.reference, payment.dueAt, writeDetail(payment));
  }
  return values;
}

/** Writes {@link PaymentDetail}; by hand, because this runs for each payment: identifiers of ours need no escapes. */
function writeDetail(payment: Payment): string {
  const { finalState, checkout, account, metaJson } = payment;
  return (
    `["${payment.paymentReference}","${payment.requestUuid}","${payment.product}",` +
    `${payment.amountMinor},${payment.chargesMinor},"${payment.currency}",` +
    `${account === null ? 'null' : JSON.stringify(account)},` +
    `${finalState === null ? 'null' : `"${finalState}"`},${payment.copies},` +
    `${JSON.stringify(payment.callbackUrl)},${metaJson === null ? 'null' : JSON.stringify(metaJson)},` +
    `${checkout === null ? 'null' : JSON.stringify(checkout)},${payment.timeReceived}]`
  );
}

function fromRow(row: PaymentRow): Payment {
  const [
    paymentReference,
    requestUuid,
    product,
    amountMinor,
    chargesMinor,
    currency,
    account,
    finalState,
    copies,
    callbackUrl,
    metaJson,
    checkout,
    timeReceived,
  ] = readStoredJson<PaymentDetail>(row.detail, 'sandbox.db');
  return {
    paymentUuid: String(row.payment_uuid),
    reference: row.reference,
    paymentReference,
    requestUuid,
    product,
    amountMinor: BigInt(amountMinor),
    chargesMinor: BigInt(chargesMinor),
    currency,
    account,
    state: row.state,
    finalState,
    copies,
    dueAt: row.due_at,
    callbackUrl,
    metaJson,
    checkout,
    timeReceived,
    lastUpdated: row.last_updated ?? timeReceived,
  };
}

/** Characters of a UUID before its last group, which is the number of the request. */
const NUMBER_AT = 24;

/**
 * Writes the id of a request so that it leads to the payment that it made: the last group is the number of both.
 *
 * @param uuid - random, version 4
 * @param number - below 2^48
 */
export function writeRequestId(uuid: string, number: number): string {
  const high = Math.floor(number / 256);
  if (high !== lastHigh) {
    lastHigh = high;
    lastHighText = high.toString(16).padStart(10, '0');
  }
  return uuid.slice(0, NUMBER_AT) + lastHighText + HEX_BYTES[number % 256]!;
}

/** All but the last two digits of a number change once in 256 requests. */
let lastHigh = 0;
let lastHighText = '0000000000';
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function readRequestNumber(requestId: string): number {
  const number = Number.parseInt(requestId.slice(NUMBER_AT), 16);
  return Number.isSafeInteger(number) ? number : 0;
}
