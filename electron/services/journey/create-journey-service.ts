import { labelEnvironment, localEnvironmentId } from '@shared/contract/environment-id';
import type { WebhookSummary } from '@shared/contract/inbox';
import type { JourneySummary, UndeliveredWebhook } from '@shared/contract/journey';
import type { Handlers } from '@shared/contract/contract';
import type { EnvironmentRecord } from '@shared/contract/environments';
import type { EventBus } from '@shared/contract/events';
import { isProduct } from '@shared/payments/tables/products';
import { fromInstant, toInstant } from '../../platform/sortable-id';
import { createHiding, type Hide } from '../../platform/mask-message';
import { errorsOf } from '../errors-of';
import type { EnvironmentsService } from '../environments/create-environments-service';
import { findService, type SentTo } from '../environments/find-service';
import { readWallets, type MovedWallet } from '../history/read-wallet';
import type { HistoryService } from '../history/create-history-service';
import type { InboxService } from '../inbox/create-inbox-service';
import type { TeamService } from '../team/create-team-service';
import { endOfReading } from './describe-balances';
import { listJourneyEvents, narrowToService, summariseJourney } from './build-journey';
import type { JourneyParts, JourneyWallet, Place, UnderWay } from './journey-parts';

const JourneyError = errorsOf<'journey.get'>();

export interface JourneyDeps {
  history: {
    store: Pick<HistoryService['store'], 'listPayments' | 'findByAnswer' | 'findAnswered' | 'listOfPayment'>;
    balances: Pick<HistoryService['balances'], 'listAround' | 'listOtherPayments'>;
  };
  inbox: Pick<InboxService, 'findByPayment' | 'findByText'>;
  team: Pick<TeamService, 'findByPayment'>;
  events: EventBus;
  environments: Pick<EnvironmentsService, 'list'>;
  /** What a webhook may repeat, and a journey that is given to others must not; left out: nothing is kept. */
  listSecrets?(): Promise<string[]>;
  /** What the local sandbox could not deliver of a payment. */
  findUndelivered?(
    reference: string,
    paymentUuids: readonly (string | null)[],
  ): Promise<UndeliveredWebhook | undefined>;
}

export interface JourneyService {
  handlers: Pick<Handlers, 'journey.list' | 'journey.get'>;
  /** Sums up what is known of the payment that one service has; null where nothing of it was sent. */
  summariseAt(reference: string, isAt: (sent: SentTo) => boolean): Promise<JourneySummary | null>;
}

/** What is shorter stands in too many answers to be an identifier. */
const SHORTEST_IDENTIFIER = 4;
/** A journey shows so many readings of its wallet after it began: later ones belong to later payments. */
const MAX_READINGS = 10;
/** Other payments of a wallet are looked for so far back, and so many: more of them cannot be told apart. */
const OTHERS_WITHIN_MS = 7 * 24 * 60 * 60_000;
const MOST_OTHERS = 100;

/**
 * Makes the service that joins exchanges, webhooks, status polls and balance readings of one reference.
 *
 * Nothing is stored for it: a journey is read from the history and the inbox each time. Sending tells that a
 * journey changed through the history; webhooks are told from here.
 */
export function createJourneyService(deps: JourneyDeps): JourneyService {
  const { history, inbox, team, events, environments, findUndelivered } = deps;
  tellOfWebhooks(events);

  const collect = async (reference: string, known: readonly EnvironmentRecord[]): Promise<Collected> => {
    const exchanges = history.store.listOfPayment(reference);
    const uuids = exchanges
      .filter(({ operation }) => isProduct(operation))
      .map(({ payment_uuid }) => payment_uuid)
      .filter((uuid) => uuid !== null);
    const payment = [reference, [...new Set(uuids)]] as const;
    const [own, teams] = await Promise.all([inbox.findByPayment(...payment), team.findByPayment(...payment)]);
    const webhooks = [...own, ...teams.webhooks];
    return {
      reference,
      exchanges,
      webhooks: webhooks.sort((left, right) => left.receivedAt - right.receivedAt),
      moreStatesOf: (one) => readWebhookStates(one, known),
      placeOf: (sent) => findPlace(sent, known),
      unasked: teams.unasked,
    };
  };
  const withBalances = async (
    parts: Collected,
    known: readonly EnvironmentRecord[],
  ): Promise<JourneyParts & Collected> => {
    const readOther = async (reference: string): Promise<UnderWay | null> =>
      readUnderWay(await collect(reference, known));
    const read = (moved: MovedWallet): Promise<JourneyWallet> =>
      readBalances(moved, { history, reference: parts.reference, readOther });
    return { ...parts, wallets: await Promise.all(readWallets(parts.exchanges).map(read)) };
  };

  return {
    summariseAt: async (reference, isAt) =>
      summariseJourney(narrowToService(await collect(reference, environments.list()), isAt)),
    handlers: {
      'journey.list': async ({ limit, before, search }) => {
        const text = search.trim();
        const listed = history.store.listPayments(limit, before === null ? null : fromInstant(before), text);
        const isUnfound = listed.length === 0 && before === null && text.length >= SHORTEST_IDENTIFIER;
        const references = isUnfound ? await findNamed(deps, text, limit) : listed.map(readReference);
        const known = environments.list();
        const collected = await Promise.all(references.map((reference) => collect(reference, known)));
        const journeys = collected
          .map((parts) => summariseJourney(parts))
          .filter((journey): journey is JourneySummary => journey !== null);
        return {
          journeys,
          nextBefore: !isUnfound && listed.length === limit ? toInstant(listed.at(-1)!.id) : null,
        };
      },
      'journey.get': async ({ reference }) => {
        const known = environments.list();
        const parts = await withBalances(await collect(reference, known), known);
        const summary = summariseJourney(parts);
        if (summary === null) {
          throw new JourneyError(
            'journey.unknown',
            'Nothing with this reference was sent or received here. A status query asks the service for it.',
            { details: { reference: reference.slice(0, 200) } },
          );
        }
        const local = parts.exchanges.filter((one) => one.environment === localEnvironmentId);
        const uuids = local.map(({ payment_uuid }) => payment_uuid);
        const undelivered = local.length > 0 ? await findUndelivered?.(reference, uuids) : undefined;
        const hide = createHiding((await deps.listSecrets?.()) ?? []);
        return {
          summary,
          events: listJourneyEvents(parts, summary).map((event) => ({
            ...event,
            title: hide(event.title),
            detail: event.detail === null ? null : hide(event.detail),
          })),
          unasked: parts.unasked,
          ...(undelivered && { undelivered: hideUndelivered(undelivered, hide) }),
        };
      },
    },
  };
}

/** Its address and its receiver's answer may hold what is kept, as events may. */
const hideUndelivered = (undelivered: UndeliveredWebhook, hide: Hide): UndeliveredWebhook => ({
  ...undelivered,
  callbackUrl: hide(undelivered.callbackUrl),
  error: hide(undelivered.error),
});

/** States that webhooks of an environment report beside those that are known everywhere. */
const readWebhookStates = (
  environment: string,
  known: readonly EnvironmentRecord[],
): ReturnType<JourneyParts['moreStatesOf']> =>
  known.find(({ id }) => id === environment)?.setup.profile.webhookStates ?? {};

const findPlace = (sent: SentTo, known: readonly EnvironmentRecord[]): Place => ({
  label: labelEnvironment(sent.environment, known),
  service: findService(sent, known),
});

type Collected = Omit<JourneyParts, 'wallets'> & { unasked: string[] };

/** Readings of the wallet that a payment moved, and what else could move it. */
async function readBalances(
  moved: MovedWallet,
  {
    history,
    reference,
    readOther,
  }: {
    history: JourneyDeps['history'];
    reference: string;
    readOther: (reference: string) => Promise<UnderWay | null>;
  },
): Promise<JourneyWallet> {
  const { wallet, address, sentAt } = moved;
  const balances = history.balances.listAround(wallet, sentAt, MAX_READINGS, address);
  const [first, last] = [balances[0], balances.at(-1)];
  if (first === undefined || first === last) return { moved, balances, others: [] };
  const within = { from: first.read_at - OTHERS_WITHIN_MS, to: endOfReading(last!) + 1 };
  const sought = { wallet, address, reference, ...within };
  const listed = history.balances.listOtherPayments(sought, MOST_OTHERS + 1);
  if (listed.length > MOST_OTHERS) return { moved, balances, others: null };
  const others = await Promise.all(listed.map(readOther));
  return { moved, balances, others: others.filter((one) => one !== null) };
}

/** How long a payment could move its wallet; null for one that was refused or never left. */
function readUnderWay(parts: Collected): UnderWay | null {
  const summary = summariseJourney(parts);
  if (summary === null) return null;
  const { accepted } = summary.track;
  if (accepted === 'failed' || accepted === 'none' || accepted === 'later') return null;
  return { from: summary.startedAt, to: summary.finalAt };
}

/** Says which journeys webhooks changed, as they come into the local inbox or a team's. */
function tellOfWebhooks(events: EventBus): void {
  const tell = ({ webhooks }: { webhooks: readonly WebhookSummary[] }): void => {
    const references = new Set(
      webhooks.map(({ clientReference }) => clientReference).filter((reference) => reference !== null),
    );
    if (references.size > 0) events.emit('journey.changed', { references: [...references] });
  };
  events.subscribe('inbox.received', tell);
  events.subscribe('team.received', tell);
}

const readReference = ({ reference }: { reference: string | null }): string => reference!;

/** What only an answer names (a payment reference), or only a webhook (its id, an idempotency key, a payment UUID). */
async function findNamed(
  { history, inbox }: Pick<JourneyDeps, 'history' | 'inbox'>,
  text: string,
  limit: number,
): Promise<string[]> {
  const answered = history.store.findByAnswer(text, limit);
  if (answered.length > 0) return answered.map(readReference);
  const sent = new Set<string>();
  const received = new Set<string>();
  // Numbers may begin alike: one that is a payment's own is no part of another's.
  const own = await inbox.findByPayment(text, [text]);
  for (const { clientReference, paymentUuid } of own.length > 0 ? own : await inbox.findByText(text, limit)) {
    // The journey of a reference has a webhook whose payment is another one's, or nobody knows whose, too.
    const ofReference = clientReference === null ? [] : history.store.listOfPayment(clientReference);
    const row =
      ofReference.find(({ operation }) => isProduct(operation)) ??
      history.store.findAnswered(clientReference, paymentUuid).row;
    if (row !== null && row.reference !== null) sent.add(row.reference);
    else if (clientReference !== null) received.add(clientReference);
  }
  // A payment that a backend sent is known by its webhooks alone.
  return [...(sent.size > 0 ? sent : received)];
}
