import type { WebhookSummary } from '@shared/contract/inbox';
import { mayBeTaken } from '../history/choose-answered';
import type { JourneyParts } from './journey-parts';

/** Whose payment a webhook tells of, among those that were sent with its reference. */
export interface WebhookOwner {
  /** Which service has that payment; null: there is one alone, or nobody can tell. */
  readonly service: string | null;
  /** Its payment UUID is none of those that the services gave: it tells of a payment that was not sent from here. */
  readonly isOther: boolean;
}

/**
 * Finds whose webhooks come in for one reference.
 *
 * A reference is one payment only within one service, and so is a payment UUID; both together are one payment.
 */
export function findWebhookOwners({
  exchanges,
  placeOf,
}: Pick<JourneyParts, 'exchanges' | 'placeOf'>): (
  webhook: Pick<WebhookSummary, 'paymentUuid'>,
) => WebhookOwner {
  const given = new Map<string | null, Set<string>>();
  for (const row of exchanges.filter(mayBeTaken)) {
    const uuids = given.get(placeOf(row).service) ?? new Set();
    if (row.payment_uuid !== null) uuids.add(row.payment_uuid);
    given.set(placeOf(row).service, uuids);
  }
  const services = [...given];
  const isEachKnown = services.length > 0 && services.every(([, uuids]) => uuids.size > 0);
  return ({ paymentUuid }) => {
    if (paymentUuid === null) return { service: null, isOther: false };
    const owners = services.filter(([, uuids]) => uuids.has(paymentUuid)).map(([service]) => service);
    const isTold = services.length > 1 && owners.length === 1;
    return { service: isTold ? owners[0]! : null, isOther: isEachKnown && owners.length === 0 };
  };
}
