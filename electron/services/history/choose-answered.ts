import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Operation } from '@shared/contract/common';
import { isNeverSent } from '@shared/payments/payment-outcome';
import { isProduct } from '@shared/payments/tables/products';
import { readAddress } from '../environments/address-binding';

/** What of an exchange tells whether a payment came of it, and where. */
interface Sent {
  readonly environment: string;
  readonly url: string;
  readonly operation: Operation;
  readonly outcome: string | null;
  readonly error_code: string | null;
  readonly payment_uuid: string | null;
}

const nothingTaken: ReadonlySet<string | null> = new Set(['rejected', 'unauthorized', 'rate_limited']);

/** Tells whether a service may have a payment because of this exchange. */
export function mayBeTaken({ operation, outcome, error_code }: Omit<Sent, 'payment_uuid'>): boolean {
  return isProduct(operation) && !isNeverSent(error_code) && !nothingTaken.has(outcome);
}

/** The embedded sandbox is one service, whatever port it got. */
const serviceOf = ({ environment, url }: Sent): string =>
  environment === localEnvironmentId ? localEnvironmentId : readAddress(url) || url;

/** What a webhook answers. */
export interface Answered<T> {
  /** Null: each that is known here is another payment, or nobody can tell which of several it is. */
  readonly row: T | null;
  /** So many services may have the payment, and nobody can tell which; 0: it is told, or there is none. */
  readonly oneOf: number;
}

export const nothingAnswered: Answered<never> = { row: null, oneOf: 0 };

/**
 * Chooses what a webhook answers among what was sent with its reference, which is one payment only within one service.
 *
 * @param rows - payments before tests, the latest first
 */
export function chooseAnswered<T extends Sent>(rows: readonly T[], paymentUuid: string | null): Answered<T> {
  const named = paymentUuid === null ? undefined : rows.find((row) => row.payment_uuid === paymentUuid);
  if (named !== undefined) return { row: named, oneOf: 0 };
  if (paymentUuid === null) return chooseOfOneService(rows);
  // Where one attempt was told another UUID, the payment at that service is another one, whatever came of the others.
  const told = new Set(
    rows.filter((row) => row.payment_uuid !== null && isProduct(row.operation)).map(serviceOf),
  );
  const mayBe = rows.filter(
    (row) => row.payment_uuid === null && !(isProduct(row.operation) && told.has(serviceOf(row))),
  );
  return chooseOfOneService(mayBe);
}

function chooseOfOneService<T extends Sent>(rows: readonly T[]): Answered<T> {
  const taken = rows.filter(mayBeTaken);
  const services = new Set(taken.map(serviceOf)).size;
  if (services > 1) return { row: null, oneOf: services };
  return { row: taken[0] ?? rows[0] ?? null, oneOf: 0 };
}
