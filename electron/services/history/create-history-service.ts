import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { Exchange } from '@shared/contract/sending';
import { coalesce } from '../../platform/coalesce';
import type { Ports, SqlDatabase } from '../../platform/ports';
import { formatSortableId } from '../../platform/sortable-id';
import type { AppError } from '@shared/errors';
import { errorsOf } from '../errors-of';
import {
  countOtherPayments,
  listOtherPayments,
  listBalances,
  listChanges,
  saveBalances,
  type BalanceReadingRow,
  type NewBalanceReading,
  type OtherPayments,
  type ReadWallet,
  forgetRound,
} from './balance-readings';
import { nothingAnswered } from './choose-answered';
import { HistoryStore, readIdentity, requireId, type ExchangeRow } from './history-store';
import { listExchanges } from './list-exchanges';
import {
  deleteExchanges,
  keepPruned,
  pinExchanges,
  moveRequests,
  renameEnvironment,
  type HistoryRetention,
  type RequestPlace,
} from './tidy-history';
import { shortenExchange } from '../sending/shorten-exchange';

const HistoryError = errorsOf<'history'>();

export interface HistoryDeps {
  ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'dataDirectory'>;
  events: EventBus;
  /** For tests: `:memory:`. Left out: `history.db` of the data directory, in memory where there is none. */
  file?: string;
  /** What of it is kept; left out: all. */
  retention?(): HistoryRetention;
  /** The history was damaged: what was saved and lost. */
  onRescued?(message: string): void;
}

/** Where sending keeps what it did. */
export interface ExchangeRecorder {
  /** Exchanges can be read again; else nobody has a use for what they were made of. */
  readonly isKept: boolean;
  nextId(): string;
  /** Keeps a request before it leaves. @throws what the disk says: a payment is not sent unrecorded */
  begin(exchange: Exchange, product: Product | null): void;
  /** Keeps how it ended. */
  finish(exchange: Exchange, product: Product | null, responseBytes: Uint8Array | null): void;
  recordBalances(exchange: Exchange, product: Product, wallets: readonly NewBalanceReading[]): void;
}

/** Balances as they were read, over restarts; `address` null: of any. */
export interface KeptBalances {
  /** The last reading before a time, and those from it on; oldest first. */
  listAround(wallet: ReadWallet, from: number, most: number, address?: string | null): BalanceReadingRow[];
  /** Readings of every wallet where its amounts changed, oldest first. */
  listChanges(environment: string, address: string | null, most: number): BalanceReadingRow[];
  countOtherPayments(others: OtherPayments): number;
  /** Their references, the latest first. */
  listOtherPayments(others: OtherPayments, most: number): string[];
  forgetRound(exchangeId: string): void;
}

export interface HistoryService extends ExchangeRecorder {
  handlers: HandlersOf<'history'>;
  /** For journeys, the inbox and the doctor, read only. */
  store: Pick<
    HistoryStore,
    | 'listPayments'
    | 'listSigned'
    | 'findByAnswer'
    | 'listOfPayment'
    | 'findAnswered'
    | 'hasCheckoutUrl'
    | 'isKnownRequest'
    | 'listOwnLocal'
    | 'listUndecided'
  >;
  balances: KeptBalances;
  /** Keeps what the local sandbox decided of payments of the own backend, and tells their journeys. */
  settle(decided: readonly { paymentUuid: string; reference: string; state: string; at: number }[]): void;
  /** What was sent and read in an environment stays its own under the name that it has now. */
  renameEnvironment(from: string, to: string): void;
  /** What a request was sent stays its own where its file is now. @param to.block - null: its name is the same */
  moveRequests(from: RequestPlace, to: RequestPlace & { readonly block: string | null }): void;
  close(): void;
}

/** Events come no quicker than a window reads its list anew. */
const tellEveryMs = 250;
/** Commands send over the same data directory: nobody tells of what they write, so it is looked for. */
const lookEveryMs = 1000;
/** What another process sends is told of while it waits for its answer, and a while longer. */
const SENT_ELSEWHERE_MS = 2 * 60_000;
/** Balances touch the journeys of payments this recent. */
const RECENT_MS = 15 * 60_000;

/**
 * Keeps the history of exchanges. Its file is opened with the first use: one that is damaged is replaced by what can
 * be saved of it; one that cannot be used stops what needs it, and nothing else of the app.
 *
 * A request is on disk before it leaves and completed when its answer is there: one whose answer never came
 * because the app ended says so.
 */
export function createHistoryService(deps: HistoryDeps): HistoryService {
  const { ports, events, file, onRescued } = deps;
  let opened: HistoryStore | null = null;
  let pruning: { soon(): void; stop(): void } | null = null;
  let stopFollowing: (() => void) | null = null;
  const changed = coalesce(() => events.emit('history.changed', {}), { everyMs: tellEveryMs });
  const path = file ?? (ports.dataDirectory === null ? ':memory:' : join(ports.dataDirectory, 'history.db'));
  const open = (): HistoryStore => {
    if (opened?.isDamaged === false) return opened;
    // The call that met the damage failed; this one finds what could be saved.
    pruning?.stop();
    opened?.close();
    opened = new HistoryStore(path, ports, (message) => {
      ports.logger.log('error', 'history.rescued', { message });
      onRescued?.(message);
    });
    pruning = startPruning(opened, deps, () => changed.ask());
    stopFollowing ??= followOthers(
      deps,
      () => opened,
      (references) => {
        changed.ask();
        tellJourneys(references);
      },
    );
    return opened;
  };
  // Reading the inbox of a folder that never sent anything leaves no history behind.
  const isThere = (): boolean => opened !== null || path === ':memory:' || existsSync(path);
  const underWay = new Set<string>();
  const tellJourneys = (references: readonly (string | null)[]): void => {
    const known = references.filter((reference) => reference !== null);
    if (known.length > 0) events.emit('journey.changed', { references: known });
  };

  return {
    isKept: true,
    store: readExchanges(open, isThere, underWay),
    balances: readBalances(open, isThere),
    close() {
      stopFollowing?.();
      pruning?.stop();
      changed.cancel();
      opened?.close();
    },
    nextId: () => open().nextId(),
    begin(exchange, product) {
      open().begin(exchange, product);
      underWay.add(exchange.id);
      changed.ask();
      tellJourneys([exchange.reference]);
    },
    finish(exchange, product, responseBytes) {
      underWay.delete(exchange.id);
      try {
        open().finish(exchange, product, responseBytes);
      } catch (error) {
        // The answer is worth more than its record: it is shown all the same.
        ports.logger.log('error', 'history.not_written', { exchangeId: exchange.id, error });
      }
      changed.ask();
      tellJourneys([exchange.reference]);
    },
    settle(decided) {
      for (const { paymentUuid, state, at } of decided) open().settle(paymentUuid, state, at);
      tellJourneys(decided.map(({ reference }) => reference));
    },
    ...createRenaming({ open, isThere, changed, ports }),
    recordBalances(exchange, product, wallets) {
      const { id, environment, sentAt } = exchange;
      try {
        const source = { exchangeId: requireId(id), environment, product, readAt: sentAt };
        saveBalances(open().database, source, wallets);
        tellJourneys(open().listRecentReferences(environment, product, ports.clock.now() - RECENT_MS));
      } catch (error) {
        ports.logger.log('error', 'history.not_written', { exchangeId: id, error });
      }
    },
    handlers: createHandlers({ open, underWay, changed, unpinned: () => pruning?.soon() }),
  };
}

/** What is told of has its new name by now: where it cannot be written, what is kept stands there under the former one. */
function createRenaming({
  open,
  isThere,
  changed,
  ports,
}: Pick<OpenHistory, 'open' | 'changed'> & {
  isThere(): boolean;
  ports: Pick<Ports, 'logger'>;
}): Pick<HistoryService, 'renameEnvironment' | 'moveRequests'> {
  const write = (rename: (database: SqlDatabase) => void): void => {
    try {
      if (isThere()) rename(open().database);
    } catch (error) {
      ports.logger.log('error', 'history.not_written', { error });
    }
    changed.ask();
  };
  return {
    renameEnvironment: (from, to) => write((database) => renameEnvironment(database, from, to)),
    moveRequests: (from, to) => write((database) => moveRequests(database, from, to)),
  };
}

function readExchanges(
  open: () => HistoryStore,
  isThere: () => boolean,
  underWay: ReadonlySet<string>,
): HistoryService['store'] {
  return {
    listPayments: (...query) => open().listPayments(...query),
    listSigned: (limit) => open().listSigned(limit),
    findByAnswer: (identifier, limit) => open().findByAnswer(identifier, limit),
    // One that is cut off waits for nothing any more: what became of it is not known.
    listOfPayment: (reference) =>
      open()
        .listOfPayment(reference)
        .map((row) => (isCutOff(row, underWay) ? { ...row, is_finished: 1, summary: UNANSWERED } : row)),
    findAnswered: (...payment) => (isThere() ? open().findAnswered(...payment) : nothingAnswered),
    isKnownRequest: (...request) => open().isKnownRequest(...request),
    listOwnLocal: (limit) => (isThere() ? open().listOwnLocal(limit) : []),
    listUndecided: (limit) => (isThere() ? open().listUndecided(limit) : []),
    hasCheckoutUrl: (url) => open().hasCheckoutUrl(url),
  };
}

function readBalances(open: () => HistoryStore, isThere: () => boolean): KeptBalances {
  return {
    listAround: (...query) => (isThere() ? listBalances(open().database, ...query) : []),
    listChanges: (...query) => (isThere() ? listChanges(open().database, ...query) : []),
    countOtherPayments: (...query) => (isThere() ? countOtherPayments(open().database, ...query) : 0),
    listOtherPayments: (...query) => (isThere() ? listOtherPayments(open().database, ...query) : []),
    forgetRound: (id) => forgetRound(open().database, requireId(id)),
  };
}

interface OpenHistory {
  open(): HistoryStore;
  /** Sent by this process, with no answer yet. */
  readonly underWay: ReadonlySet<string>;
  readonly changed: { ask(): void };
  unpinned(): void;
}

function createHandlers({ open, underWay, changed, unpinned }: OpenHistory): HistoryService['handlers'] {
  return {
    'history.list': async (query) => {
      const { rows, nextBefore } = await listExchanges(open().database, query);
      return { exchanges: rows.map((row) => toSummary(row, underWay)), nextBefore };
    },
    'history.pin': ({ ids, isPinned }) => {
      pinExchanges(open().database, ids, isPinned);
      if (!isPinned) unpinned();
      changed.ask();
      return {};
    },
    'history.follow': ({ collectionId, path, toPath }) => {
      moveRequests(open().database, { collectionId, path }, { collectionId, path: toPath, block: null });
      changed.ask();
      return {};
    },
    'history.delete': ({ ids }) => {
      // What is under way is written once more when its answer is there.
      const deleted = deleteExchanges(
        open().database,
        ids.filter((id) => !underWay.has(id)),
      );
      changed.ask();
      return { deleted };
    },
    'history.get': ({ id, isForScreen }) => {
      const found = open().get(id);
      if (found === null) throw unknownExchange(id);
      const { isFinished } = found;
      const exchange = shortenExchange(found.exchange, isForScreen);
      if (isFinished || underWay.has(id)) return exchange;
      return { ...exchange, error: describeInterrupted(exchange) };
    },
    'history.readBody': ({ id, offset, length }) => {
      const part = open().readBodyPart(id, offset, length);
      if (part === null) throw unknownExchange(id);
      return { base64: Buffer.from(part.bytes).toString('base64'), sizeBytes: part.sizeBytes };
    },
  };
}

function unknownExchange(id: string): AppError {
  return new HistoryError(
    'history.unknown',
    'There is no exchange with this id in the history. It may have been deleted.',
    { details: { id: id.slice(0, 40) } },
  );
}

function startPruning(
  { database }: HistoryStore,
  { ports, events, retention }: Pick<HistoryDeps, 'ports' | 'events' | 'retention'>,
  onPruned: () => void,
): { soon(): void; stop(): void } | null {
  if (retention === undefined) return null;
  const { soon, stop } = keepPruned(database, {
    retention,
    onPruned,
    now: () => ports.clock.now(),
    onFailure: (error) => ports.logger.log('error', 'history.not_pruned', { error: String(error) }),
  });
  const stopFollowing = events.subscribe('settings.changed', ({ names }) => {
    if (names.includes('historyMost') || names.includes('historyDays')) soon();
  });
  return {
    soon,
    stop() {
      stopFollowing();
      stop();
    },
  };
}

/** Looks whether another process wrote, and tells of which payments. @returns ends it */
function followOthers(
  { ports }: Pick<HistoryDeps, 'ports'>,
  current: () => HistoryStore | null,
  tell: (references: readonly string[]) => void,
): () => void {
  const look = (): void => {
    const store = current();
    try {
      if (store?.isDamaged !== false || !store.hasChangedElsewhere()) return;
      tell(store.listReferencesSince(ports.clock.now() - SENT_ELSEWHERE_MS));
    } catch (error) {
      ports.logger.log('warn', 'history.not_looked', { error: String(error) });
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return () => clearInterval(timer);
}

const UNANSWERED = 'No answer is known';

/** Whether nobody here waits for the answer any more: the app ended before, or another process waits for it. */
const isCutOff = ({ id, is_finished }: ExchangeRow, underWay: ReadonlySet<string>): boolean =>
  is_finished === 0 && !underWay.has(formatSortableId(id));

function toSummary(row: ExchangeRow, underWay: ReadonlySet<string>) {
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
    summary: isCutOff(row, underWay) ? UNANSWERED : row.summary,
    isPinned: row.is_pinned === 1,
  };
}

function describeInterrupted({ operation }: Exchange): { code: string; message: string } {
  const next = isProduct(operation)
    ? 'It may have been processed: query its status before you send it again.'
    : 'Send it again.';
  const why = 'Countersign ended before the answer was there, or a command still waits for it.';
  return { code: 'sending.interrupted', message: `${why} ${next}` };
}
