import type { Journey, UndeliveredWebhook } from '../contract/journey';
import { formatDuration } from '../format-duration';
import { maskSecrets } from '../mask-secrets';
import { isTerminalState } from '../payments/tables/states';
import { findServices } from './find-services';

/** What is missing on a timeline, or does not fit. */
export interface JourneyRemark {
  readonly kind: 'gap' | 'disagreement';
  readonly text: string;
  /** Asking the service for the status is the next step. */
  readonly canAsk: boolean;
  /** Whose payment it is about, where several services have one; null: there is one alone. */
  readonly service: string | null;
}

/** So long after its acceptance a payment without a webhook is worth a word. */
const PATIENCE_MS = 60_000;

/**
 * Says what is missing on the timeline of a payment, and where answers, webhooks and status queries disagree.
 *
 * @param now - epoch milliseconds: a gap grows while nothing comes
 */
export function remarkJourney(
  { summary, events, unasked, undelivered }: Journey,
  now: number,
): JourneyRemark[] {
  return [
    findDisagreement(events) ?? findDoubtfulWebhook(events),
    ...(undelivered === undefined ? [] : [describeUndelivered(undelivered, now)]),
    ...findGaps(summary, events, now),
    ...unasked.map(describeUnasked),
  ].filter((one) => one !== null);
}

/** Whether what answers, webhooks and status queries said of a payment does not fit together. */
export function isDisputed(events: Journey['events']): boolean {
  return (findDisagreement(events) ?? findDoubtfulWebhook(events)) !== null;
}

function describeUndelivered(
  { callbackUrl, attempts, error, nextAttemptAt }: UndeliveredWebhook,
  now: number,
): JourneyRemark {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const next =
    nextAttemptAt === null
      ? 'It is not sent again by itself: “Deliver again”, in the sandbox, sends it once more.'
      : nextAttemptAt <= now
        ? 'It is due again, and goes out once the sandbox runs and its turn comes.'
        : `The next try is in ${formatDuration(nextAttemptAt - now)}, while the sandbox runs.`;
  return {
    kind: 'gap',
    text: `The local sandbox could not deliver its webhook to ${maskSecrets(callbackUrl)} in ${tries}: ${maskSecrets(error)}. ${next}`,
    canAsk: false,
    service: null,
  };
}

const describeUnasked = (name: string): JourneyRemark => ({
  kind: 'gap',
  text: `The team inbox “${name}” could not be asked: webhooks that it has of this payment are missing here.`,
  canAsk: false,
  service: null,
});

/** A final state, who told it and when; `service` as in the event. */
interface Told {
  readonly source: string;
  readonly state: string;
  readonly at: number;
  readonly service: string | null;
}

function findDisagreement(events: Journey['events']): JourneyRemark | null {
  const isOfPayment = findServices(
    events
      .filter(({ kind }) => kind === 'accepted' || kind === 'unknown' || kind === 'refused')
      .map(({ service }) => service),
  );
  const told = events.flatMap(({ kind, state, at, service }): Told[] =>
    state !== null && isTerminalState(state) && isOfPayment(service)
      ? [{ source: kind === 'webhook' ? 'a webhook' : 'a status query', state, at, service }]
      : [],
  );
  const services = [...new Set(told.map(({ service }) => service))].filter((service) => service !== null);
  // A reference is one payment only within one service; who told a webhook is not always known.
  const within =
    services.length < 2
      ? [told]
      : services.map((one) => told.filter(({ service }) => service === one || service === null));
  const remark = within.map(describeDisagreement).find((one) => one !== null) ?? null;
  return remark ?? describeServices(told) ?? describeStands(events);
}

const disagree = (text: string, canAsk = false, service: string | null = null): JourneyRemark => ({
  kind: 'disagreement',
  text: `They disagree: ${text}`,
  canAsk,
  service,
});

function describeDisagreement(told: readonly Told[]): JourneyRemark | null {
  const last = told.at(-1);
  const other = told.findLast(({ state }) => state !== last?.state);
  if (last === undefined || other === undefined) return null;
  const apart = formatDuration(last.at - other.at);
  return disagree(
    `${other.source} said “${other.state}”, and ${apart} later ${last.source} said “${last.state}”. A final state does not change: pay nobody again until the service has said which one holds.`,
    true,
    told.find(({ service }) => service !== null)?.service ?? null,
  );
}

/** Two services that each agree with themselves. */
function describeServices(told: readonly Told[]): JourneyRemark | null {
  const last = told.findLast(({ service }) => service !== null);
  const other = told.findLast(({ service, state }) => service !== null && state !== last?.state);
  if (last === undefined || other === undefined) return null;
  return disagree(
    `${other.service} said “${other.state}”, and ${last.service} “${last.state}”. Each may have a payment of its own with this reference: look at what went to which.`,
  );
}

/** How the payment of one reference stands at each of the services that it went to, where they do not stand alike. */
function describeStands(events: Journey['events']): JourneyRemark | null {
  const sentTo = events.filter(({ kind }) => kind === 'sent').map(({ service }) => service);
  const stands = [...new Set(sentTo)].flatMap((service) => {
    const stand = readStand(events.filter((one) => one.service === service));
    return service === null || stand === null ? [] : [{ service, stand }];
  });
  const unplaced = events.findLast(
    ({ kind, service, state }) =>
      kind === 'webhook' && service === null && state !== null && isTerminalState(state),
  );
  if (stands.length < 2) return null;
  if (unplaced === undefined && new Set(stands.map(({ stand }) => stand)).size === 1) return null;
  const each = stands.map(({ service, stand }) => `${service} ${stand}`);
  const webhook =
    unplaced === undefined ? [] : [`a webhook said “${unplaced.state}”, and not of which payment`];
  return disagree(
    `this reference went to ${stands.length} services, and each has a payment of its own. ${[...each, ...webhook].join('; ')}. Ask each for its status before you act on it.`,
  );
}

/** What is known last of the payment at one service; null: it took none. */
function readStand(events: Journey['events']): string | null {
  const told = events.findLast(({ state }) => state !== null && isTerminalState(state));
  if (told !== undefined) return `said “${told.state}”`;
  const has = (kind: Journey['events'][number]['kind']): boolean => events.some((one) => one.kind === kind);
  if (has('accepted')) return 'took it, and its end is not known';
  if (has('unknown')) return 'may have taken it: nobody knows';
  if (events.some(({ kind, tone }) => kind === 'refused' && tone === 'warn'))
    return 'may have one from before';
  return has('refused') ? null : 'has not answered yet';
}

/** A payment that was refused or never left, and whose webhook tells of an outcome: nothing here can have led to it. */
function findDoubtfulWebhook(events: Journey['events']): JourneyRemark | null {
  const mayBeTaken = events.some(({ kind, state, tone }) =>
    kind === 'status'
      ? state !== null
      : kind === 'accepted' || kind === 'unknown' || (kind === 'refused' && tone === 'warn'),
  );
  const lastOf = (...kinds: string[]): number => events.findLastIndex(({ kind }) => kinds.includes(kind));
  const isUnderWay = lastOf('sent') > lastOf('refused', 'accepted', 'unknown');
  const refused = events.findLast(({ kind, tone }) => kind === 'refused' && tone === 'bad');
  const webhook = events.findLast(({ kind, state }) => kind === 'webhook' && state !== null);
  if (mayBeTaken || isUnderWay || refused === undefined || webhook === undefined) return null;
  return disagree(
    `nothing that was sent from here was taken, and a webhook said “${webhook.state}”. Whoever knows the address of the listener can send one: ask its status before you act on it.`,
    true,
  );
}

/** What is missing: of each service by itself where several may have a payment with the reference. */
function findGaps(summary: Journey['summary'], events: Journey['events'], now: number): JourneyRemark[] {
  const sentTo = new Set(events.filter(({ kind }) => kind === 'sent').map(({ service }) => service));
  const services = [...sentTo].filter(
    (service) => service !== null && readStand(events.filter((one) => one.service === service)) !== null,
  );
  if (services.length < 2) return [findGap(summary, events, now)].filter((one) => one !== null);
  return services.flatMap((service) => {
    const own = events.filter((one) => one.service === service);
    // What may be of any of them may be of this one.
    const unplaced = events.filter(
      ({ kind, service: of }) => of === null && (kind === 'webhook' || kind === 'settled'),
    );
    const state = own.findLast((one) => one.state !== null && isTerminalState(one.state))?.state ?? null;
    const isTold = own.some((one) => one.kind === 'accepted' || one.state !== null);
    const stand = { state, track: { accepted: isTold ? 'done' : 'unknown' } } as const;
    const gap = findGap(stand, [...own, ...unplaced], now);
    return gap === null ? [] : [{ ...gap, text: `${service}: ${gap.text}`, service }];
  });
}

function findGap(
  { track, state }: { track: Pick<Journey['summary']['track'], 'accepted'>; state: string | null },
  events: Journey['events'],
  now: number,
): JourneyRemark | null {
  const find = (kind: Journey['events'][number]['kind']) => events.findLast((one) => one.kind === kind);
  const [accepted, unknown] = [find('accepted'), find('unknown')];
  // That of a payment whose outcome the sandbox itself told goes to the backend which sent it.
  const hasWebhook = find('webhook') !== undefined || find('settled') !== undefined;
  const remark = { kind: 'gap', service: null } as const;
  if (accepted !== undefined && !hasWebhook && now - accepted.at > PATIENCE_MS) {
    const ago = `Accepted ${formatDuration(now - accepted.at)} ago, and no webhook of it is known here`;
    return state !== null && isTerminalState(state)
      ? {
          ...remark,
          text: `${ago}, though the outcome is known: if none was deleted, look at the callback address.`,
          canAsk: false,
        }
      : { ...remark, text: `${ago}: ask its status.`, canAsk: true };
  }
  if (track.accepted === 'unknown' && unknown !== undefined) {
    const isItsOwn = (one: Journey['events'][number]): boolean =>
      one.kind === 'sent' && one.exchangeId === unknown.exchangeId;
    const { at: sentAt } = events.find(isItsOwn) ?? unknown;
    const ago = formatDuration(Math.max(0, now - sentAt));
    const text = `Sent ${ago} ago, and nobody said whether it was taken: ask its status before you send it again.`;
    return { ...remark, text, canAsk: true };
  }
  return null;
}
