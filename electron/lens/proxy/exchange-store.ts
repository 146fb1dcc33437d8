import { join } from 'node:path';
import type { ProxyFilter } from '@shared/contract/proxy';
import { openDatabase, type Migration } from '../../platform/database/database';
import { createPruning } from '../../platform/database/prune-oldest';
import type { SqlDatabase } from '../../platform/ports';
import type { ExchangeDetail, StoredExchange } from './stored-exchange';
import { readStoredJson, selectFromDetail, tryStoredJson } from '../../platform/database/stored-json';

/** The latest so many exchanges are kept, and so many bytes of them. */
const MOST_EXCHANGES = 50_000;
const MOST_BYTES = 512 * 1024 * 1024;
const PAGE = 25;

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
export interface ExchangeStore {
  /** Adds exchanges, oldest first, and forgets the oldest beyond the bounds. */
  insertAll(exchanges: readonly StoredExchange[]): void;
  /** Replaces what is known of one beyond its bytes. */
  updateDetail(id: string, detail: ExchangeDetail): void;
  /** Gives all since a moment, oldest first, page by page. */
  readSince(sinceMs: number): Generator<StoredExchange>;
  /** Lists by a filter, newest first, without their bodies. */
  list(query: ExchangeQuery): StoredExchange[];
  /** Gives one with its bodies; null: it is not there, or not any more. */
  find(id: string): StoredExchange | null;
  count(): number;
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
  const db = openDatabase({
    file: join(directory, proxyFile),
    migrations,
    ...(onRescued === null
      ? {}
      : { rescue: { counted: { table: 'exchanges', noun: 'exchanges' }, onRescued } }),
    // What is forgotten is overwritten in the file, too: bodies have names and accounts of people in them.
    pragmas: { cache_size: -2048, secure_delete: 'ON' },
  });
  const insert = db.prepare(
    `INSERT INTO exchanges (id, at, duration_ms, method, path, http_status, operation, reference, size_bytes, detail,
       request_body, answer_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare('UPDATE exchanges SET detail = ? WHERE id = ?');
  const page = db.prepare('SELECT * FROM exchanges WHERE seq > ? AND at >= ? ORDER BY seq LIMIT ?');
  const one = db.prepare('SELECT * FROM exchanges WHERE id = ?');
  const count = db.prepare('SELECT count(*) AS count FROM exchanges');
  const oldest = db.prepare('SELECT min(seq) AS seq FROM exchanges');
  const kept = createPruning(db, { table: 'exchanges', mostRows: MOST_EXCHANGES, mostBytes: MOST_BYTES });
  return {
    insertAll: kept.transaction((exchanges: readonly StoredExchange[]) => {
      for (const exchange of exchanges) {
        const row = toRow(exchange);
        insert.run(row);
        kept.bytes += row[8] as number;
      }
      kept.prune();
    }),
    updateDetail: (id, detail) => void update.run(JSON.stringify(detail), id),
    *readSince(sinceMs) {
      for (let after = 0; ;) {
        const rows = page.all(after, sinceMs, PAGE) as ExchangeRow[];
        for (const row of rows) {
          const exchange = tryFromRow(row);
          if (exchange !== null) yield exchange;
        }
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.seq;
      }
    },
    list: (query) => listExchanges(db, query),
    find: (id) => {
      const row = one.get(id) as ExchangeRow | undefined;
      return row === undefined ? null : fromRow(row, readStoredJson(row.detail, proxyFile));
    },
    count: () => (count.get() as { count: number }).count,
    isCut: () => ((oldest.get() as { seq: number | null }).seq ?? 1) > 1,
    close: () => void db.close(),
  };
}

/** What lists show: the bodies behind it are not read. */
const HEAD = 'seq, id, at, duration_ms, method, path, http_status, operation, reference, detail';

const REASON = selectFromDetail('$.reason');

/** Something is wrong: with a signature, a field, a token, or with the answer. */
const FINDINGS = `(http_status = 401 OR ${selectFromDetail('$.signature.valid')} = 0
  OR ${selectFromDetail('$.token.is_expired')} = 1 OR ${REASON} IS NOT NULL
  OR CASE WHEN json_valid(detail) THEN json_array_length(detail, '$.fieldProblems') > 0 END)`;

function listExchanges(db: SqlDatabase, query: ExchangeQuery): StoredExchange[] {
  const { limit, before, operation, statusClass, onlyFindings, text } = query;
  const filters: [string, ...unknown[]][] = [];
  if (before !== null) filters.push(['seq < (SELECT seq FROM exchanges WHERE id = ?)', before]);
  if (operation !== null) filters.push(['operation = ?', operation]);
  if (statusClass === 'none') filters.push([`${REASON} IS NOT NULL`]);
  else if (statusClass !== null) filters.push(['http_status / 100 = ?', Number(statusClass[0])]);
  if (onlyFindings) filters.push([FINDINGS]);
  if (text !== null) {
    const found = "instr(lower(path || ' ' || coalesce(reference, '') || ' ' || id || ' ' || detail), ?) > 0";
    filters.push([found, text.toLowerCase()]);
  }
  const where = filters.length === 0 ? '' : `WHERE ${filters.map(([sql]) => sql).join(' AND ')}`;
  const values = filters.flatMap(([, ...rest]) => rest);
  const rows = db
    .prepare(`SELECT ${HEAD} FROM exchanges ${where} ORDER BY seq DESC LIMIT ?`)
    .all(...values, limit) as Omit<ExchangeRow, 'request_body' | 'answer_body'>[];
  return rows.flatMap((row) => tryFromRow({ ...row, request_body: EMPTY, answer_body: EMPTY }) ?? []);
}

const EMPTY = Buffer.alloc(0);

interface ExchangeRow {
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly duration_ms: number;
  readonly method: string;
  readonly path: string;
  readonly http_status: number | null;
  readonly operation: StoredExchange['operation'];
  readonly reference: string | null;
  readonly detail: string;
  readonly request_body: Buffer;
  readonly answer_body: Buffer;
}

function toRow(exchange: StoredExchange): unknown[] {
  const { id, at, durationMs, method, path, httpStatus, operation, reference, requestBody, answerBody } =
    exchange;
  const detail = JSON.stringify(exchange.detail);
  const sizeBytes = detail.length + requestBody.length + answerBody.length + 200;
  return [
    id,
    at,
    durationMs,
    method,
    path,
    httpStatus,
    operation,
    reference,
    sizeBytes,
    detail,
    requestBody,
    answerBody,
  ];
}

/** @returns null: damaged; the rows beside it can be read */
function tryFromRow(row: ExchangeRow): StoredExchange | null {
  const detail = tryStoredJson<ExchangeDetail>(row.detail);
  return detail === null ? null : fromRow(row, detail);
}

function fromRow(row: ExchangeRow, detail: ExchangeDetail): StoredExchange {
  return {
    id: row.id,
    at: row.at,
    durationMs: row.duration_ms,
    method: row.method,
    path: row.path,
    httpStatus: row.http_status,
    operation: row.operation,
    reference: row.reference,
    detail,
    requestBody: row.request_body,
    answerBody: row.answer_body,
  };
}
