import type { WebhookSummary } from '@shared/contract/inbox';
import { mayBeTaken } from '../history/choose-answered';
import type { SentTo } from '../environments/find-service';
import type { ExchangeRow } from '../history/history-store';
import type { Place } from './journey-parts';

/** Whose payment a webhook tells of, among those that were sent with its reference. */
export interface WebhookOwner {
  /** Which service has that payment; null: there is one alone, or nobody can tell. */
  readonly service: string | null;
  /** Its payment UUID is none of those that the services gave: it tells of a payment that was not sent from here. */
  readonly isOther: boolean;
  /** Several services have a payment with its reference, and nobody can tell which of them it tells of. */
  readonly isUnplaced: boolean;
  /** Where its payment was sent: what that environment calls states counts. Empty: nobody can tell. */
  readonly environment: string;
}

/**
 * Finds whose webhooks come in for one reference.
 *
 * A reference is one payment only within one service, and so is a payment UUID; both together are one payment.
 */
export function findWebhookOwners({
  exchanges,
  placeOf,
}: {
  exchanges: readonly ExchangeRow[];
  placeOf: (sent: SentTo) => Pick<Place, 'service'>;
}): (webhook: Pick<WebhookSummary, 'paymentUuid'>) => WebhookOwner {
  const taken = exchanges.filter(mayBeTaken);
  const given = new Map<string | null, Set<string>>();
  for (const row of taken) {
    const uuids = given.get(placeOf(row).service) ?? new Set();
    if (row.payment_uuid !== null) uuids.add(row.payment_uuid);
    given.set(placeOf(row).service, uuids);
  }
  const services = [...given];
  const isEachKnown = services.length > 0 && services.every(([, uuids]) => uuids.size > 0);
  return ({ paymentUuid }) => {
    const named = services.filter(([, uuids]) => paymentUuid !== null && uuids.has(paymentUuid));
    const isTold = services.length > 1 && named.length === 1;
    const isUnplaced = services.length > 1 && !isTold;
    const head = taken.find((row) => !isTold || placeOf(row).service === named[0]![0]) ?? exchanges[0];
    return {
      service: isTold ? named[0]![0] : null,
      isOther: paymentUuid !== null && isEachKnown && named.length === 0,
      isUnplaced,
      environment: isUnplaced ? '' : (head?.environment ?? ''),
    };
  };
}
