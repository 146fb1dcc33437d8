import { join } from 'node:path';
import type { ProxyFilter } from '@shared/contract/proxy';
import { openDatabase, type Migration } from '../../platform/database/database';
import {
  createExchangeLog,
  headColumns,
  type ExchangeLog,
  type LogFilter,
  type LoggedRow,
} from '../../platform/database/exchange-log';
import { requireKept } from '../../platform/files/kept-folder';
import { selectFromDetail } from '../../platform/database/stored-json';
import type { ExchangeDetail, StoredExchange } from './stored-exchange';

/** The latest so many exchanges are kept, and so many bytes of them. */
const MOST_EXCHANGES = 50_000;
const MOST_BYTES = 512 * 1024 * 1024;

export const proxyFile = 'proxy.db';

const migrations: readonly Migration[] = [
  {
    id: 1,
    name: 'exchanges',
    // What lists show stands first: the bodies behind it are not read for them.
    sql: `
      CREATE TABLE exchanges (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        duration_ms REAL NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        http_status INTEGER,
        operation TEXT,
        reference TEXT,
        size_bytes INTEGER NOT NULL,
        detail TEXT NOT NULL,
        request_body BLOB NOT NULL,
        answer_body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX exchanges_by_reference ON exchanges (reference) WHERE reference IS NOT NULL;
      CREATE INDEX exchanges_by_time ON exchanges (at);
    `,
  },
];

/** Exchanges in a database of their own: durable once `insertAll` returns, and bounded. */
export interface ExchangeStore extends Pick<
  ExchangeLog<StoredExchange>,
  'insertAll' | 'find' | 'readSince' | 'count'
> {
  /** Replaces what is known of one beyond its bytes. */
  updateDetail(id: string, detail: ExchangeDetail): void;
  /** Lists by a filter, newest first, without their bodies. */
  list(query: ExchangeQuery): StoredExchange[];
  /** Whether older ones were there and are forgotten. */
  isCut(): boolean;
  close(): void;
}

/** Which exchanges, newest first; what is null does not count. */
export interface ExchangeQuery extends ProxyFilter {
  readonly limit: number;
  /** Id of the last one seen. */
  readonly before: string | null;
}

/**
 * Opens the exchanges of a data directory.
 *
 * @param onRescued - for the one that writes: told what of a damaged file was saved; null for those who only read
 * @throws {AppError} `platform.*`
 */
export function openExchangeStore(
  directory: string,
  onRescued: ((message: string) => void) | null,
): ExchangeStore {
  const file = join(directory, proxyFile);
  const db = openDatabase({
    file,
    migrations,
    ...(onRescued === null
      ? {}
      : { rescue: { counted: { table: 'exchanges', noun: 'exchanges' }, onRescued } }),
    // What is forgotten is overwritten in the file, too: bodies have names and accounts of people in them.
    pragmas: { cache_size: -2048, secure_delete: 'ON' },
  });
  const log = createExchangeLog<StoredExchange>(
    db,
    { table: 'exchanges', mostRows: MOST_EXCHANGES, mostBytes: MOST_BYTES },
    proxyFile,
    headColumns,
  );
  const update = db.prepare('UPDATE exchanges SET detail = ? WHERE id = ?');
  const oldest = db.prepare('SELECT min(seq) AS seq FROM exchanges');
  return {
    ...log,
    insertAll(exchanges) {
      requireKept(file);
      log.insertAll(exchanges);
    },
    updateDetail: (id, detail) => void update.run(JSON.stringify(detail), id),
    list: (query) => listExchanges(log, query),
    isCut: () => ((oldest.get() as { seq: number | null }).seq ?? 1) > 1,
    close: () => void db.close(),
  };
}

const REASON = selectFromDetail('$.reason');

/** Something is wrong: with a signature, a field, a token, or with the answer. */
const FINDINGS = `(http_status = 401 OR ${selectFromDetail('$.signature.valid')} = 0
  OR ${selectFromDetail('$.token.is_expired')} = 1 OR ${REASON} IS NOT NULL
  OR CASE WHEN json_valid(detail) THEN json_array_length(detail, '$.fieldProblems') > 0 END)`;

function listExchanges(log: ExchangeLog<StoredExchange>, query: ExchangeQuery): StoredExchange[] {
  const { limit, before, operation, statusClass, onlyFindings, text } = query;
  const filters: LogFilter[] = [];
  if (before !== null) filters.push(['seq < (SELECT seq FROM exchanges WHERE id = ?)', before]);
  if (operation !== null) filters.push(['operation = ?', operation]);
  if (statusClass === 'none') filters.push([`${REASON} IS NOT NULL`]);
  else if (statusClass !== null) filters.push(['http_status / 100 = ?', Number(statusClass[0])]);
  if (onlyFindings) filters.push([FINDINGS]);
  if (text !== null) {
    const found = "instr(lower(path || ' ' || coalesce(reference, '') || ' ' || id || ' ' || detail), ?) > 0";
    filters.push([found, text.toLowerCase()]);
  }
  return log
    .select<Omit<LoggedRow<StoredExchange>, 'requestBody' | 'answerBody'>>(
      `${log.head}, detail`,
      filters,
      limit,
    )
    .flatMap((row) => log.tryRow({ ...row, requestBody: EMPTY, answerBody: EMPTY }) ?? []);
}

const EMPTY = Buffer.alloc(0);
