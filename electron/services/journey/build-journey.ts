import type { z } from 'zod';
import type { WebhookSummary } from '@shared/contract/inbox';
import type { JourneyPlace, JourneySummary, journeyStep } from '@shared/contract/journey';
import { findServices } from '@shared/journey/find-services';
import { isDisputed } from '@shared/journey/remark-journey';
import { formatMoney } from '@shared/payments/format-amount';
import { isNeverSent, isOutcomeUnknown } from '@shared/payments/payment-outcome';
import { formatSortableId } from '../../platform/sortable-id';
import { mayBeTaken } from '../history/choose-answered';
import type { ExchangeRow } from '../history/history-store';
import type { SentTo } from '../environments/find-service';
import { isOfWallet } from '../history/read-wallet';
import { describeBalances } from './describe-balances';
import type { JourneyEvent, JourneyParts, Place } from './journey-parts';
import { findWebhookOwners, type WebhookOwner } from './webhook-owner';
import { isProduct } from '@shared/payments/tables/products';
import { isTerminalState, readWebhookState } from '@shared/payments/tables/states';

type Step = z.output<typeof journeyStep>;

const STATE_STEPS: Readonly<Record<string, Step>> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
  processing: 'waiting',
};

const STATE_TONES: Readonly<Record<string, JourneyEvent['tone']>> = {
  succeeded: 'good',
  failed: 'bad',
  canceled: 'warn',
  processing: 'quiet',
};

/** Sums up a journey; null where nothing here started that payment. */
export function summariseJourney(parts: Omit<JourneyParts, 'wallets'>): JourneySummary | null {
  const { reference, exchanges, webhooks } = parts;
  const begun = describeBeginning(parts);
  if (begun === null) return null;
  const { payments, taken, isSpread } = readPayments(parts);
  const isAccepted = payments.some(({ outcome }) => outcome === 'accepted' || outcome === 'duplicate');
  const told = listToldStates(parts);
  const state = readState(told, isAccepted);
  const disputed = isDisputed(listTold(parts));
  const track: JourneySummary['track'] = readTrack(payments, webhooks.length > 0, isAccepted, state);
  const isOneUnknown = taken.some((row) => isOutcomeUnknown(row.outcome, row.error_code));
  if (isSpread && disputed && isOneUnknown) track.accepted = 'unknown';
  return {
    reference,
    ...begun,
    lastAt: findLastTime(exchanges, webhooks),
    finalAt: disputed ? null : findFinalTime(told, state),
    track: disputed ? { ...track, final: 'unknown' } : track,
    // Each service has a payment of its own, and they do not stand alike.
    state: isSpread && disputed ? null : state,
    isDisputed: disputed,
    sentTo: listPlaces(parts),
  };
}

/** Where payments went; of several at one place that one counts that its service may have taken, else the first. */
function listPlaces({ exchanges, placeOf }: Pick<JourneyParts, 'exchanges' | 'placeOf'>): JourneyPlace[] {
  const nameOf = nameServices(exchanges.map(placeOf));
  const sent = exchanges.filter((row) => isProduct(row.operation) && !isNeverSent(row.error_code));
  const heads = new Map<string, ExchangeRow>();
  for (const row of sent) {
    const key = JSON.stringify([row.environment, placeOf(row).service]);
    const head = heads.get(key);
    if (head === undefined || (!mayBeTaken(head) && mayBeTaken(row))) heads.set(key, row);
  }
  return [...heads.values()].map((row) => ({
    environment: row.environment,
    name: nameOf(placeOf(row)),
    service: placeOf(row).service,
    operation: row.operation,
    amount: row.amount,
    currency: row.currency,
    sentAt: row.sent_at,
  }));
}

/** The payments of a reference, those that a service may have, and whether those went to more services than one. */
function readPayments({ exchanges, placeOf }: Pick<JourneyParts, 'exchanges' | 'placeOf'>): {
  payments: ExchangeRow[];
  taken: ExchangeRow[];
  isSpread: boolean;
} {
  const payments = exchanges.filter(({ operation }) => isProduct(operation));
  const taken = payments.filter(mayBeTaken);
  return { payments, taken, isSpread: new Set(taken.map((row) => placeOf(row).service)).size > 1 };
}

type Beginning = 'environment' | 'operation' | 'title' | 'amount' | 'currency' | 'startedAt';

/** What a journey is of, and when it began; null where nothing here tells. */
function describeBeginning(parts: Omit<JourneyParts, 'wallets'>): Pick<JourneySummary, Beginning> | null {
  const { payments, taken } = readPayments(parts);
  // What a service refused is not what the journey is of, where another one took it.
  const first = taken[0] ?? payments[0];
  const head = first ?? parts.exchanges[0];
  const [webhook] = parts.webhooks;
  if (head !== undefined) {
    return {
      environment: head.environment,
      operation: head.operation,
      title: head.title,
      amount: first?.amount ?? webhook?.amount ?? null,
      currency: first?.currency ?? null,
      startedAt: (payments[0] ?? head).sent_at,
    };
  }
  if (webhook === undefined) return null;
  const { amount, receivedAt: startedAt } = webhook;
  return {
    environment: '',
    operation: 'other',
    title: 'Not sent from here',
    amount,
    currency: null,
    startedAt,
  };
}

/** When the final state was first told; null: there is none yet. */
function findFinalTime(told: readonly ToldState[], final: string | null): number | null {
  return told.find(({ state }) => state === final && isTerminalState(state))?.at ?? null;
}

function findLastTime(exchanges: readonly ExchangeRow[], webhooks: readonly WebhookSummary[]): number {
  return Math.max(
    ...exchanges.map((one) => one.sent_at + (one.total_ms ?? 0)),
    ...webhooks.map((one) => one.receivedAt),
  );
}

/** How far a payment is, step by step. */
function readTrack(
  payments: readonly ExchangeRow[],
  hasWebhook: boolean,
  isAccepted: boolean,
  state: string | null,
): JourneySummary['track'] {
  const open = isAccepted ? 'waiting' : 'none';
  return {
    signed: payments.some((one) => one.is_signed === 1) ? 'done' : 'none',
    // A payment that has a state was taken, whatever became of the answer.
    accepted: readAccepted(payments, isAccepted || state !== null),
    // Once the outcome is known nothing waits for it any more; whether one still comes, nobody knows.
    webhook: hasWebhook ? 'done' : state !== null && isTerminalState(state) ? 'none' : open,
    final: (state === null ? null : STATE_STEPS[state]) ?? open,
  };
}

function readAccepted(payments: readonly ExchangeRow[], isAccepted: boolean): Step {
  if (isAccepted) return 'done';
  // What never left says nothing of an earlier try whose outcome is unknown.
  const last = payments.findLast((one) => !isNeverSent(one.error_code));
  if (last === undefined) return 'none';
  if (last.is_finished === 0) return 'waiting';
  if (last.outcome === 'rate_limited') return 'later';
  return isOutcomeUnknown(last.outcome, last.error_code) ? 'unknown' : 'failed';
}

interface ToldState {
  at: number;
  state: string;
}

type ToldParts = Pick<JourneyParts, 'exchanges' | 'webhooks' | 'moreStatesOf' | 'placeOf'>;

/** What webhooks, status queries and the local sandbox itself said of the payment, oldest first. */
function listToldStates({ exchanges, webhooks, moreStatesOf, placeOf }: ToldParts): ToldState[] {
  const isOfPayment = findServices(
    exchanges.filter(({ operation }) => isProduct(operation)).map((one) => placeOf(one).service),
  );
  const ownerOf = findWebhookOwners({ exchanges, placeOf });
  return [
    ...webhooks
      .filter((webhook) => !ownerOf(webhook).isOther)
      .map((webhook) => ({
        at: webhook.receivedAt,
        state: readWebhookState(webhook.status, moreStatesOf(ownerOf(webhook).environment)),
      })),
    ...exchanges
      .filter((one) => one.operation === 'status' && isOfPayment(placeOf(one).service))
      .map(({ sent_at, total_ms, state }) => ({ at: sent_at + (total_ms ?? 0), state })),
    ...exchanges.map(({ settled_at, settled_state }) => ({ at: settled_at ?? 0, state: settled_state })),
  ]
    .filter((one): one is ToldState => one.state !== null)
    .sort((a, b) => a.at - b.at);
}

/** A final state stays, whatever an older poll that came in later says. */
function readState(told: readonly ToldState[], isAccepted: boolean): string | null {
  const final = told.findLast(({ state }) => isTerminalState(state));
  return final?.state ?? told.at(-1)?.state ?? (isAccepted ? 'processing' : null);
}

/** Puts everything on one timeline, oldest first. */
export function listJourneyEvents(parts: JourneyParts, summary: JourneySummary): JourneyEvent[] {
  const { wallets } = parts;
  const readings = wallets.flatMap((wallet) => {
    // What a wallet did is judged by the payment that its own service has.
    const own =
      wallets.length < 2
        ? summary
        : summariseJourney(narrowToService(parts, (row) => isOfWallet(row, wallet.moved)));
    return own === null ? [] : describeBalances(wallet, own, summary.sentTo);
  });
  return [...listTold(parts), ...readings].sort((a, b) => a.at - b.at);
}

/** What went to one service and what that told: another one has a payment of its own with this reference. */
export function narrowToService<T extends Omit<JourneyParts, 'wallets'>>(
  parts: T,
  isAt: (sent: SentTo) => boolean,
): T {
  const ownerOf = findWebhookOwners(parts);
  const exchanges = parts.exchanges.filter(isAt);
  const services = new Set(exchanges.map((row) => parts.placeOf(row).service));
  const webhooks = parts.webhooks.filter((webhook) => {
    const { service, isUnplaced } = ownerOf(webhook);
    return service === null ? !isUnplaced : services.has(service);
  });
  return { ...parts, exchanges, webhooks };
}

/** What was sent, and what was said of it, oldest first. */
function listTold({ exchanges, webhooks, moreStatesOf, placeOf }: ToldParts): JourneyEvent[] {
  const nameOf = nameServices(exchanges.map(placeOf));
  const isSpread = new Set(exchanges.map((row) => nameOf(placeOf(row)))).size > 1;
  const ownerOf = findWebhookOwners({ exchanges, placeOf });
  return [
    ...exchanges.flatMap((row) => {
      const place = { ...placeOf(row), label: nameOf(placeOf(row)) };
      return isProduct(row.operation) ? describePayment(row, place) : describeOther(row, place, isSpread);
    }),
    ...webhooks.map((webhook) => describeWebhook(webhook, ownerOf(webhook), moreStatesOf)),
  ].sort((a, b) => a.at - b.at);
}

/** Calls a service by its environment, and by its address where that environment had several. */
function nameServices(places: readonly Place[]): (place: Place) => string {
  const services = new Map<string, Set<string | null>>();
  for (const { label, service } of places)
    services.set(label, (services.get(label) ?? new Set()).add(service));
  const isMoved = ({ label }: Place): boolean => services.get(label)!.size > 1;
  return (place) => (isMoved(place) ? `${place.label} at ${place.service ?? 'no address'}` : place.label);
}

/** No webhook, and nothing that a webhook or a status query said. */
const untold = { webhookId: null, state: null };

function describePayment(row: ExchangeRow, { label, service }: Place): JourneyEvent[] {
  const exchangeId = formatSortableId(row.id);
  const amount = row.amount === null ? null : formatMoney(row.currency, row.amount);
  const sent: JourneyEvent = {
    kind: 'sent',
    at: row.sent_at,
    title: row.is_signed === 1 ? 'Signed and sent' : 'Sent',
    detail: [row.title, amount, label].filter(Boolean).join(' · '),
    tone: row.is_signed === 1 ? 'good' : 'quiet',
    exchangeId,
    ...untold,
    service,
  };
  if (isNeverSent(row.error_code))
    return [{ ...sent, kind: 'refused', title: `Not sent: ${row.summary}`, tone: 'bad' }];
  if (row.is_finished === 0) return [sent];
  return [
    sent,
    {
      ...readPaymentAnswer(row),
      at: row.sent_at + (row.total_ms ?? 0),
      detail: describeAnswer(row),
      exchangeId,
      ...untold,
      service,
    },
    ...describeSettlement(row),
  ];
}

/** What the local sandbox decided of a payment of the own backend: nobody here has to be told of it. */
function describeSettlement({ settled_state, settled_at }: ExchangeRow): JourneyEvent[] {
  if (settled_state === null || settled_at === null) return [];
  return [
    {
      kind: 'settled',
      at: settled_at,
      title: `Decided by the sandbox: ${settled_state}`,
      detail: null,
      tone: STATE_TONES[settled_state] ?? 'quiet',
      exchangeId: null,
      ...untold,
      service: null,
    },
  ];
}

/** Refusals that leave nothing to mend in the request. */
const mildOutcomes: ReadonlySet<string | null> = new Set(['duplicate', 'rate_limited']);

function readPaymentAnswer(row: ExchangeRow): Pick<JourneyEvent, 'kind' | 'title' | 'tone'> {
  if (row.outcome === 'accepted') return { kind: 'accepted', title: 'Accepted', tone: 'good' };
  if (isOutcomeUnknown(row.outcome, row.error_code))
    return { kind: 'unknown', title: `Outcome unknown: ${row.summary}`, tone: 'warn' };
  return { kind: 'refused', title: row.summary, tone: mildOutcomes.has(row.outcome) ? 'warn' : 'bad' };
}

function describeAnswer({ http_status, payment_uuid, total_ms }: ExchangeRow): string | null {
  const facts = [
    http_status === null ? null : `HTTP ${http_status}`,
    payment_uuid === null ? null : `payment ${payment_uuid}`,
    total_ms === null ? null : `${Math.round(total_ms)} ms`,
  ].filter(Boolean);
  return facts.length === 0 ? null : facts.join(' · ');
}

/** A query or a test webhook; its environment is named where not all of the journey happened in one. */
function describeOther(row: ExchangeRow, { label, service }: Place, isSpread: boolean): JourneyEvent[] {
  const detail = [describeAnswer(row), isSpread ? label : ''].filter(Boolean).join(' · ');
  const base = { ...baseEvent(row), detail: detail === '' ? null : detail, service };
  if (row.operation === 'send_test') {
    return [{ ...base, kind: 'sent', title: 'Test webhook asked for', tone: 'quiet' }];
  }
  if (row.operation !== 'status') return [];
  const isAnswered = row.outcome === 'ok';
  return [
    {
      ...base,
      kind: 'status',
      at: row.sent_at + (row.total_ms ?? 0),
      title: isAnswered && row.state !== null ? `Status: ${row.state}` : `Status query: ${row.summary}`,
      state: isAnswered ? row.state : null,
      tone: isAnswered ? (STATE_TONES[row.state ?? ''] ?? 'quiet') : 'bad',
    },
  ];
}

function baseEvent(row: ExchangeRow): Omit<JourneyEvent, 'kind' | 'title' | 'tone' | 'detail' | 'service'> {
  return { at: row.sent_at, exchangeId: formatSortableId(row.id), ...untold };
}

function describeWebhook(
  webhook: WebhookSummary,
  { service, isOther, environment }: WebhookOwner,
  moreStatesOf: JourneyParts['moreStatesOf'],
): JourneyEvent {
  const { id, receivedAt, status, earlierAttempts, respondedStatus } = webhook;
  const state = isOther ? null : readWebhookState(status, moreStatesOf(environment));
  const again = earlierAttempts > 0 ? `, delivery ${earlierAttempts + 1}` : '';
  return {
    kind: 'webhook',
    at: receivedAt,
    title: status === null ? `Webhook${again}` : `Webhook: ${status}${again}`,
    detail: [
      `${webhook.method} ${webhook.path}`,
      `answered ${respondedStatus}`,
      ...(isOther
        ? [`of another payment with this reference, ${webhook.paymentUuid}: it does not count here`]
        : []),
      ...(service === null ? [] : [`payment ${webhook.paymentUuid}`]),
    ].join(' · '),
    tone: state === null ? 'quiet' : (STATE_TONES[state] ?? 'quiet'),
    exchangeId: webhook.answers?.exchangeId ?? null,
    webhookId: id,
    state,
    service,
  };
}
