import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { Exchange } from '@shared/contract/sending';
import type { Ports } from '../../platform/ports';
import { formatSortableId } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import { HistoryStore, readIdentity, type ExchangeRow, type NewBalanceReading } from './history-store';
import { shortenExchange } from '../sending/shorten-exchange';

const HistoryError = errorsOf<'history'>();

export interface HistoryDeps {
  ports: Pick<Ports, 'clock' | 'logger' | 'dataDirectory'>;
  events: EventBus;
  /** For tests: `:memory:`. Left out: `history.db` of the data directory, in memory where there is none. */
  file?: string;
  /** The history was damaged: what was saved and lost. */
  onRescued?(message: string): void;
}

/** Where sending keeps what it did. */
export interface ExchangeRecorder {
  nextId(): string;
  /** Keeps a request before it leaves. @throws what the disk says: a payment is not sent unrecorded */
  begin(exchange: Exchange, product: Product | null): void;
  /** Keeps how it ended. */
  finish(exchange: Exchange, product: Product | null, responseBytes: Uint8Array | null): void;
  /** Keeps wallets as read. */
  recordBalances(exchange: Exchange, product: Product, wallets: readonly NewBalanceReading[]): void;
}

export interface HistoryService extends ExchangeRecorder {
  handlers: Pick<Handlers, 'history.list' | 'history.get'>;
  /** For journeys, the inbox and the doctor, read only. */
  store: Pick<
    HistoryStore,
    | 'listPayments'
    | 'listSigned'
    | 'listOfPayment'
    | 'findAnswered'
    | 'listBalances'
    | 'hasCheckoutUrl'
    | 'isKnownRequest'
  >;
  close(): void;
}

/** Balances touch the journeys of payments this recent. */
const RECENT_MS = 15 * 60_000;

/**
 * Keeps the history of exchanges. Its file is opened with the first use: one that is damaged is replaced by what can
 * be saved of it; one that cannot be used stops what needs it, and nothing else of the app.
 *
 * A request is on disk before it leaves and completed when its answer is there: one whose answer never came
 * because the app ended says so.
 */
export function createHistoryService({ ports, events, file, onRescued }: HistoryDeps): HistoryService {
  let opened: HistoryStore | null = null;
  const { dataDirectory } = ports;
  const path = file ?? (dataDirectory === null ? ':memory:' : join(dataDirectory, 'history.db'));
  const open = (): HistoryStore =>
    (opened ??= new HistoryStore(path, ports.clock, (message) => {
      ports.logger.log('error', 'history.rescued', { message });
      onRescued?.(message);
    }));
  // Reading the inbox of a folder that never sent anything leaves no history behind.
  const isThere = (): boolean => opened !== null || path === ':memory:' || existsSync(path);
  const underWay = new Set<string>();
  const tellJourneys = (references: readonly (string | null)[]): void => {
    const known = references.filter((reference) => reference !== null);
    if (known.length > 0) events.emit('journey.changed', { references: known });
  };

  return {
    store: {
      listPayments: (...query) => open().listPayments(...query),
      listSigned: (limit) => open().listSigned(limit),
      listOfPayment: (reference) => open().listOfPayment(reference),
      findAnswered: (...payment) => (isThere() ? open().findAnswered(...payment) : null),
      listBalances: (...query) => open().listBalances(...query),
      isKnownRequest: (...request) => open().isKnownRequest(...request),
      hasCheckoutUrl: (url) => open().hasCheckoutUrl(url),
    },
    close: () => opened?.close(),
    nextId: () => open().nextId(),
    begin(exchange, product) {
      open().save(exchange, product, null, false);
      underWay.add(exchange.id);
      tellJourneys([exchange.reference]);
    },
    finish(exchange, product, responseBytes) {
      underWay.delete(exchange.id);
      try {
        open().save(exchange, product, responseBytes, true);
      } catch (error) {
        // The answer is worth more than its record: it is shown all the same.
        ports.logger.log('error', 'history.not_written', { exchangeId: exchange.id, error });
      }
      tellJourneys([exchange.reference]);
    },
    recordBalances(exchange, product, wallets) {
      const { id, environment, sentAt } = exchange;
      try {
        open().saveBalances(id, environment, product, sentAt, wallets);
      } catch (error) {
        ports.logger.log('error', 'history.not_written', { exchangeId: id, error });
      }
      tellJourneys(open().listRecentReferences(environment, product, ports.clock.now() - RECENT_MS));
    },
    handlers: {
      'history.list': (query) => {
        const rows = open().list(query);
        return {
          exchanges: rows.map(toSummary),
          nextBefore: rows.length === query.limit ? formatSortableId(rows.at(-1)!.id) : null,
        };
      },
      'history.get': ({ id, isForScreen }) => {
        const found = open().get(id);
        if (found === null) {
          throw new HistoryError(
            'history.unknown',
            'This exchange is not in the history any more. Reload the list.',
            {
              details: { id: id.slice(0, 40) },
            },
          );
        }
        const { isFinished } = found;
        const exchange = shortenExchange(found.exchange, isForScreen);
        if (isFinished || underWay.has(id)) return exchange;
        return { ...exchange, error: describeInterrupted(exchange) };
      },
    },
  };
}

function toSummary(row: ExchangeRow) {
  return {
    id: formatSortableId(row.id),
    environment: row.environment,
    operation: row.operation,
    identity: readIdentity(row),
    title: row.title,
    sentAt: row.sent_at,
    reference: row.reference,
    method: row.method,
    url: row.url,
    httpStatus: row.http_status,
    totalMs: row.total_ms,
    outcome: row.outcome,
    summary: row.summary,
  };
}

function describeInterrupted({ operation }: Exchange): { code: string; message: string } {
  const next = isProduct(operation)
    ? 'It may have been processed: query its status before you send it again.'
    : 'Send it again.';
  return { code: 'sending.interrupted', message: `Countersign ended before the answer was there. ${next}` };
}
