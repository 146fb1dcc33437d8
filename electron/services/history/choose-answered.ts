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

/**
 * Chooses what a webhook answers among what was sent with its reference, which is one payment only within one service.
 *
 * @param rows - payments before tests, the latest first
 * @returns null: each is known to be another payment, or nobody can tell which of several services it comes from
 */
export function chooseAnswered<T extends Sent>(rows: readonly T[], paymentUuid: string | null): T | null {
  const named = paymentUuid === null ? undefined : rows.find((row) => row.payment_uuid === paymentUuid);
  if (named !== undefined || paymentUuid === null) return named ?? chooseOfOneService(rows);
  // Where one attempt was told another UUID, the payment at that service is another one, whatever came of the others.
  const told = new Set(
    rows.filter((row) => row.payment_uuid !== null && isProduct(row.operation)).map(serviceOf),
  );
  const mayBe = rows.filter(
    (row) => row.payment_uuid === null && !(isProduct(row.operation) && told.has(serviceOf(row))),
  );
  return chooseOfOneService(mayBe);
}

function chooseOfOneService<T extends Sent>(rows: readonly T[]): T | null {
  const taken = rows.filter(mayBeTaken);
  if (new Set(taken.map(serviceOf)).size > 1) return null;
  return taken[0] ?? rows[0] ?? null;
}
