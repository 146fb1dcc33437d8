import type { ProductName } from '@shared/payments/tables/products';
import type { PaymentState } from '@shared/payments/tables/states';
import type { SqlDatabase } from '../platform/ports';

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
  readonly product: ProductName;
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
  /** @returns false where the reference is taken; nothing is written then */
  insert(payment: Payment): boolean;
  hasReference(reference: string): boolean;
  findByReference(reference: string): Payment | undefined;
  findByUuid(paymentUuid: string): Payment | undefined;
  findByRequest(requestUuid: string): Payment | undefined;
  findByCheckout(checkoutId: string): Payment | undefined;
  /** Newest first. */
  list(limit: number): Payment[];
  /** Those in `processing` that are due, earliest first. */
  listDue(now: number, limit: number): Payment[];
  nextDueAt(): number | null;
  /** Ends a payment that is still in `processing`. @returns false where it was not */
  finish(paymentUuid: string, state: FinalState, at: number): boolean;
  largestUuid(): string | null;
  deleteAll(): void;
}

const COLUMNS = `payment_uuid, reference, payment_reference, request_uuid, product, amount_minor, charges_minor,
  currency, account, state, final_state, copies, due_at, callback_url, meta, checkout, time_received, last_updated`;

/** Opens the payments of a store. */
export function createPaymentStore(db: SqlDatabase): PaymentStore {
  const insert = db.prepare(
    `INSERT INTO payments (${COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (reference) DO NOTHING`,
  );
  const insertCheckout = db.prepare('INSERT INTO checkouts VALUES (?, ?)');
  const has = db.prepare('SELECT 1 FROM payments WHERE reference = ?');
  const where = (condition: string) => db.prepare(`SELECT ${COLUMNS} FROM payments WHERE ${condition}`);
  const byReference = where('reference = ?');
  const byUuid = where('payment_uuid = ?');
  const byRequest = where('request_uuid = ?');
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
    insert(payment) {
      if (insert.run(toValues(payment)).changes === 0) return false;
      if (payment.checkout !== null) insertCheckout.run([payment.checkout.id, Number(payment.paymentUuid)]);
      return true;
    },
    hasReference: (reference) => has.get(reference) !== undefined,
    findByReference: (reference) => one(byReference.get(reference)),
    findByUuid: (uuid) => (/^[1-9]\d{0,15}$/.test(uuid) ? one(byUuid.get(Number(uuid))) : undefined),
    findByRequest: (uuid) => one(byRequest.get(uuid)),
    findByCheckout: (id) => one(byCheckout.get(id)),
    list: (limit) => (newest.all(limit) as PaymentRow[]).map(fromRow),
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

interface PaymentRow {
  payment_uuid: number;
  reference: string;
  payment_reference: string;
  request_uuid: string;
  product: ProductName;
  amount_minor: number;
  charges_minor: number;
  currency: string;
  account: string | null;
  state: PaymentState;
  final_state: FinalState | null;
  copies: number;
  due_at: number | null;
  callback_url: string;
  meta: string | null;
  checkout: string | null;
  time_received: number;
  last_updated: number;
}

function toValues(payment: Payment): (string | number | null)[] {
  return [
    Number(payment.paymentUuid),
    payment.reference,
    payment.paymentReference,
    payment.requestUuid,
    payment.product,
    Number(payment.amountMinor),
    Number(payment.chargesMinor),
    payment.currency,
    payment.account,
    payment.state,
    payment.finalState,
    payment.copies,
    payment.dueAt,
    payment.callbackUrl,
    payment.metaJson,
    payment.checkout === null ? null : JSON.stringify(payment.checkout),
    payment.timeReceived,
    payment.lastUpdated,
  ];
}

function fromRow(row: PaymentRow): Payment {
  return {
    paymentUuid: String(row.payment_uuid),
    reference: row.reference,
    paymentReference: row.payment_reference,
    requestUuid: row.request_uuid,
    product: row.product,
    amountMinor: BigInt(row.amount_minor),
    chargesMinor: BigInt(row.charges_minor),
    currency: row.currency,
    account: row.account,
    state: row.state,
    finalState: row.final_state,
    copies: row.copies,
    dueAt: row.due_at,
    callbackUrl: row.callback_url,
    metaJson: row.meta,
    checkout: row.checkout === null ? null : (JSON.parse(row.checkout) as CheckoutDetails),
    timeReceived: row.time_received,
    lastUpdated: row.last_updated,
  };
}
