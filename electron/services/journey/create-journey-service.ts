import type { JourneySummary } from '@shared/contract/journey';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { isProduct } from '@shared/payments/tables/products';
import { fromInstant, toInstant } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import type { HistoryService } from '../history/create-history-service';
import type { ExchangeRow } from '../history/history-store';
import type { InboxService } from '../inbox/create-inbox-service';
import { listJourneyEvents, summariseJourney, type JourneyParts } from './build-journey';

const JourneyError = errorsOf<'journey.get'>();

export interface JourneyDeps {
  history: { store: Pick<HistoryService['store'], 'listPayments' | 'listOfPayment' | 'listBalances'> };
  inbox: Pick<InboxService, 'findByPayment'>;
  events: EventBus;
}

export interface JourneyService {
  handlers: Pick<Handlers, 'journey.list' | 'journey.get'>;
}

/** A journey shows so many readings of its wallet after it began: later ones belong to later payments. */
const MAX_READINGS = 10;

/**
 * Makes the service that joins exchanges, webhooks, status polls and balance readings of one reference.
 *
 * Nothing is stored for it: a journey is read from the history and the inbox each time. Sending tells that a
 * journey changed through the history; webhooks are told from here.
 */
export function createJourneyService({ history, inbox, events }: JourneyDeps): JourneyService {
  events.subscribe('inbox.received', ({ webhooks }) => {
    const references = new Set(
      webhooks.map(({ clientReference }) => clientReference).filter((reference) => reference !== null),
    );
    if (references.size > 0) events.emit('journey.changed', { references: [...references] });
  });

  const collect = (reference: string): Omit<JourneyParts, 'balances'> => {
    const exchanges = history.store.listOfPayment(reference);
    const uuids = exchanges
      .filter(({ operation }) => isProduct(operation))
      .map(({ payment_uuid }) => payment_uuid)
      .filter((uuid) => uuid !== null);
    return { reference, exchanges, webhooks: inbox.findByPayment(reference, [...new Set(uuids)]) };
  };
  const withBalances = (parts: Omit<JourneyParts, 'balances'>): JourneyParts => {
    const payment = parts.exchanges.find(({ operation }) => isProduct(operation));
    return { ...parts, balances: payment === undefined ? [] : readBalances(payment) };
  };
  const readBalances = (payment: ExchangeRow): JourneyParts['balances'] => {
    const { environment, operation, currency, sent_at } = payment;
    if (!isProduct(operation) || currency === null) return [];
    return history.store.listBalances({ environment, product: operation, currency }, sent_at, MAX_READINGS);
  };

  return {
    handlers: {
      'journey.list': ({ limit, before, search }) => {
        const rows = history.store.listPayments(
          limit,
          before === null ? null : fromInstant(before),
          search.trim(),
        );
        const journeys = rows
          .map((row) => summariseJourney({ ...collect(row.reference!), balances: [] }))
          .filter((journey): journey is JourneySummary => journey !== null);
        return { journeys, nextBefore: rows.length === limit ? toInstant(rows.at(-1)!.id) : null };
      },
      'journey.get': ({ reference }) => {
        const parts = withBalances(collect(reference));
        const summary = summariseJourney(parts);
        if (summary === null) {
          throw new JourneyError(
            'journey.unknown',
            'Nothing with this reference was sent or received here. Look it up in Lookups to ask the service.',
            { details: { reference: reference.slice(0, 200) } },
          );
        }
        return { summary, events: listJourneyEvents(parts, summary.finalAt) };
      },
    },
  };
}
