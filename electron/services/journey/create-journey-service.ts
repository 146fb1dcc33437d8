import type { WebhookSummary } from '@shared/contract/inbox';
import type { JourneySummary } from '@shared/contract/journey';
import type { Handlers } from '@shared/contract/contract';
import type { EnvironmentRecord } from '@shared/contract/environments';
import type { EventBus } from '@shared/contract/events';
import { isProduct } from '@shared/payments/tables/products';
import { fromInstant, toInstant } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { HistoryService } from '../history/create-history-service';
import type { ExchangeRow } from '../history/history-store';
import type { InboxService } from '../inbox/create-inbox-service';
import type { TeamService } from '../team/create-team-service';
import { listJourneyEvents, summariseJourney, type JourneyParts } from './build-journey';

const JourneyError = errorsOf<'journey.get'>();

export interface JourneyDeps {
  history: {
    store: Pick<HistoryService['store'], 'listPayments' | 'findByAnswer' | 'findAnswered' | 'listOfPayment'>;
    balances: Pick<HistoryService['balances'], 'listAround'>;
  };
  inbox: Pick<InboxService, 'findByPayment' | 'findByText'>;
  team: Pick<TeamService, 'findByPayment'>;
  events: EventBus;
  environments: Pick<EnvironmentsService, 'list'>;
}

export interface JourneyService {
  handlers: Pick<Handlers, 'journey.list' | 'journey.get'>;
}

/** What is shorter stands in too many answers to be an identifier. */
const SHORTEST_IDENTIFIER = 4;
/** A journey shows so many readings of its wallet after it began: later ones belong to later payments. */
const MAX_READINGS = 10;

/**
 * Makes the service that joins exchanges, webhooks, status polls and balance readings of one reference.
 *
 * Nothing is stored for it: a journey is read from the history and the inbox each time. Sending tells that a
 * journey changed through the history; webhooks are told from here.
 */
export function createJourneyService({
  history,
  inbox,
  team,
  events,
  environments,
}: JourneyDeps): JourneyService {
  tellOfWebhooks(events);

  const collect = async (
    reference: string,
    known: readonly EnvironmentRecord[],
  ): Promise<Omit<JourneyParts, 'balances'>> => {
    const exchanges = history.store.listOfPayment(reference);
    const uuids = exchanges
      .filter(({ operation }) => isProduct(operation))
      .map(({ payment_uuid }) => payment_uuid)
      .filter((uuid) => uuid !== null);
    const payment = [reference, [...new Set(uuids)]] as const;
    const webhooks = await Promise.all([inbox.findByPayment(...payment), team.findByPayment(...payment)]);
    const own = known.find(({ id }) => id === exchanges[0]?.environment);
    return {
      reference,
      exchanges,
      webhooks: webhooks.flat().sort((left, right) => left.receivedAt - right.receivedAt),
      moreStates: own?.setup.profile.webhookStates ?? {},
    };
  };
  const withBalances = (parts: Omit<JourneyParts, 'balances'>): JourneyParts => {
    const payment = parts.exchanges.find(({ operation }) => isProduct(operation));
    return { ...parts, balances: payment === undefined ? [] : readBalances(payment) };
  };
  const readBalances = (payment: ExchangeRow): JourneyParts['balances'] => {
    const { environment, operation, currency, sent_at } = payment;
    if (!isProduct(operation) || currency === null) return [];
    return history.balances.listAround({ environment, product: operation, currency }, sent_at, MAX_READINGS);
  };

  return {
    handlers: {
      'journey.list': async ({ limit, before, search }) => {
        const text = search.trim();
        const listed = history.store.listPayments(limit, before === null ? null : fromInstant(before), text);
        const isUnfound = listed.length === 0 && before === null && text.length >= SHORTEST_IDENTIFIER;
        const rows = isUnfound ? await findNamed({ history, inbox }, text, limit) : listed;
        const known = environments.list();
        const collected = await Promise.all(rows.map((row) => collect(row.reference!, known)));
        const journeys = collected
          .map((parts) => summariseJourney({ ...parts, balances: [] }))
          .filter((journey): journey is JourneySummary => journey !== null);
        return {
          journeys,
          nextBefore: !isUnfound && rows.length === limit ? toInstant(rows.at(-1)!.id) : null,
        };
      },
      'journey.get': async ({ reference }) => {
        const parts = withBalances(await collect(reference, environments.list()));
        const summary = summariseJourney(parts);
        if (summary === null) {
          throw new JourneyError(
            'journey.unknown',
            'Nothing with this reference was sent or received here. A status query asks the service for it.',
            { details: { reference: reference.slice(0, 200) } },
          );
        }
        return { summary, events: listJourneyEvents(parts, summary.finalAt) };
      },
    },
  };
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

/** What only an answer names (a payment reference), or only a webhook (its id, an idempotency key, a payment UUID). */
async function findNamed(
  { history, inbox }: Pick<JourneyDeps, 'history' | 'inbox'>,
  text: string,
  limit: number,
): Promise<ExchangeRow[]> {
  const answered = history.store.findByAnswer(text, limit);
  if (answered.length > 0) return answered;
  const rows = new Map<string, ExchangeRow>();
  for (const { clientReference, paymentUuid } of await inbox.findByText(text, limit)) {
    const row = history.store.findAnswered(clientReference, paymentUuid);
    if (row !== null && row.reference !== null) rows.set(row.reference, row);
  }
  return [...rows.values()];
}
