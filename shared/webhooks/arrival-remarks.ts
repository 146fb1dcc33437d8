import { formatDuration } from '../format-duration';
import { isTerminalState, readWebhookState, type PaymentState } from '../payments/tables/states';

/** What of a webhook its place among the news of its payment is judged by. */
export interface WebhookArrival {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly webhookId: string | null;
  readonly status: string | null;
  readonly code: string | null;
  readonly amount: string | null;
  readonly paymentUuid: string | null;
  /** Its `webhook-timestamp`, epoch milliseconds; null: none, or none that can be read. */
  readonly stampedAt: number | null;
}

/** What is known of its payment beside it. */
export interface PaymentNews {
  /** Webhooks of the payment that came before it, newest first. */
  readonly earlier: readonly WebhookArrival[];
  /** When the request left that was accepted, and when its answer was there; null: none that was accepted. */
  readonly accepted: { readonly sentAt: number; readonly answeredAt: number } | null;
  /** What status queries were answered, at any time. */
  readonly statuses: readonly { readonly at: number; readonly state: string }[];
  /** States that webhooks of its environment report beside those that are known everywhere. */
  readonly moreStates: Readonly<Record<string, PaymentState>>;
}

/** `repeated`: the same news under another webhook-id; attempts with one id are counted elsewhere. */
export const arrivalRemarkKinds = ['early', 'late', 'out_of_order', 'repeated', 'disagrees'] as const;

export interface ArrivalRemark {
  readonly kind: (typeof arrivalRemarkKinds)[number];
  readonly text: string;
}

/**
 * Says what is odd about the moment at which a webhook came, and about what it says beside the other news of its payment.
 *
 * Only what follows from what was seen here: clocks of two machines are never compared, and where a fact is missing
 * nothing is said.
 */
export function remarkArrival(webhook: WebhookArrival, news: PaymentNews): ArrivalRemark[] {
  return [
    remarkEarly(webhook, news),
    remarkLate(webhook, news),
    remarkOrder(webhook, news),
    remarkRepeated(webhook, news),
    remarkDisagreement(webhook, news),
  ].filter((one) => one !== null);
}

/** Reads a `webhook-timestamp`: whole seconds; null: it is none. */
export function readWebhookTimestamp(header: string | null): number | null {
  return header !== null && /^\d{9,11}$/.test(header.trim()) ? Number(header) * 1000 : null;
}

function remarkEarly({ receivedAt }: WebhookArrival, { accepted }: PaymentNews): ArrivalRemark | null {
  if (accepted === null || receivedAt >= accepted.answeredAt || receivedAt < accepted.sentAt) return null;
  const before = formatDuration(accepted.answeredAt - receivedAt);
  const text = `Early: it came ${before} before the answer that accepted the payment. A receiver has to take it all the same.`;
  return { kind: 'early', text };
}

function remarkLate(
  { receivedAt, status }: WebhookArrival,
  { earlier, statuses, moreStates }: PaymentNews,
): ArrivalRemark | null {
  if (readWebhookState(status, moreStates) === null) return null;
  const first = findFirst(statuses.filter(({ at, state }) => at < receivedAt && isTerminalState(state)));
  // A webhook had brought the news before anybody asked.
  if (
    first === undefined ||
    earlier.some((one) => one.receivedAt <= first.at && readWebhookState(one.status, moreStates))
  )
    return null;
  const after = formatDuration(receivedAt - first.at);
  return { kind: 'late', text: `Late: a status query said “${first.state}” ${after} before it came.` };
}

function findFirst<T extends { readonly at: number }>(all: readonly T[]): T | undefined {
  return all.toSorted((left, right) => left.at - right.at)[0];
}

function remarkOrder({ stampedAt }: WebhookArrival, { earlier }: PaymentNews): ArrivalRemark | null {
  if (stampedAt === null) return null;
  const newest = Math.max(...earlier.map((one) => one.stampedAt ?? 0));
  if (newest <= stampedAt) return null;
  const younger = formatDuration(newest - stampedAt);
  const text = `Out of order: the service stamped it ${younger} before a webhook of this payment that came first. The newest stamp counts, not the last to come.`;
  return { kind: 'out_of_order', text };
}

function remarkRepeated(webhook: WebhookArrival, { earlier }: PaymentNews): ArrivalRemark | null {
  const { receivedAt, webhookId, status, code, amount, paymentUuid } = webhook;
  const isAttempt = webhookId !== null && earlier.some((one) => one.webhookId === webhookId);
  if (isAttempt || status === null) return null;
  const same = earlier.find(
    (one) =>
      one.status === status && one.code === code && one.amount === amount && one.paymentUuid === paymentUuid,
  );
  if (same === undefined) return null;
  const before = sayBefore(receivedAt - same.receivedAt);
  const id =
    webhookId === null || same.webhookId === null ? 'without one webhook-id' : 'under another webhook-id';
  return {
    kind: 'repeated',
    text: `Repeated: a webhook that says the same came ${before}, ${id}. Its effect must not happen twice.`,
  };
}

/** Where the clock was put back since, or another receiver's is behind, that it came first is all that is known. */
const sayBefore = (beforeMs: number): string =>
  beforeMs < 0 ? 'before' : `${formatDuration(beforeMs)} before`;

function remarkDisagreement(webhook: WebhookArrival, news: PaymentNews): ArrivalRemark | null {
  const own = readWebhookState(webhook.status, news.moreStates);
  if (own === null) return null;
  const other = [
    ...news.statuses
      .filter(({ state }) => isTerminalState(state))
      .map(({ at, state }) => ({ at, state, source: 'a status query', isBefore: at < webhook.receivedAt })),
    ...news.earlier.map(({ receivedAt, status }) => ({
      at: receivedAt,
      state: readWebhookState(status, news.moreStates) ?? own,
      source: 'another webhook',
      isBefore: true,
    })),
  ]
    .toSorted((left, right) => right.at - left.at)
    .find(({ state }) => state !== own);
  if (other === undefined) return null;
  const aheadMs = webhook.receivedAt - other.at;
  const when = other.isBefore ? sayBefore(aheadMs) : `${formatDuration(-aheadMs)} after`;
  const text = `It disagrees: it says “${own}”, and ${other.source} ${when} it said “${other.state}”. A final state does not change: ask the status again, and the service which one holds.`;
  return { kind: 'disagrees', text };
}
