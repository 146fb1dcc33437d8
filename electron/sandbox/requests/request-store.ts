import { join } from 'node:path';
import { openDatabase, refuseNewerDatabase, type Migration } from '../../platform/database/database';
import { createPruning } from '../../platform/database/prune-oldest';
import type { SqlDatabase } from '../../platform/ports';
import type { RequestDetail, StoredRequest } from './stored-request';
import { readStoredJson, tryStoredJson } from '../../platform/database/stored-json';

/** The latest so many requests are kept, and so many bytes of them on disk or in memory. */
export const MOST_REQUESTS = 1000;
const MOST_BYTES = { disk: 32 * 1024 * 1024, memory: 8 * 1024 * 1024 };
/** What is forgotten for want of room leaves at least so much of it filled. */
const NEARLY_FULL = 0.9;
/** Requests whose bodies are looked through at a time. */
const PAGE = 50;

const migrations: readonly Migration[] = [
  {
    id: 1,
    name: 'requests',
    // What lists show stands first: the bodies behind it are not read for them.
    sql: `
      CREATE TABLE requests (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        duration_ms REAL NOT NULL,
        operation TEXT,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        http_status INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        reference TEXT,
        size_bytes INTEGER NOT NULL,
        detail TEXT NOT NULL,
        request_body BLOB NOT NULL,
        answer_body BLOB NOT NULL
      ) STRICT;
    `,
  },
];

/** One request as lists show it. */
export type RequestSummary = Omit<StoredRequest, 'detail' | 'requestBody' | 'answerBody'>;

/** Which requests are asked for; what is null does not count. */
export interface RequestQuery {
  readonly limit: number;
  readonly operation: string | null;
  /** First digit of the HTTP status. */
  readonly statusClass: number | null;
  /** A piece of the reference, written as it is. */
  readonly reference: string | null;
  /** Anywhere in the request or its answer, in any case. */
  readonly text: string | null;
}

/** Requests in a database of their own, bounded: nothing that a payment waits for. */
export interface RequestStore {
  /** Adds requests, oldest first, and forgets the oldest beyond the bounds. */
  insertAll(requests: readonly StoredRequest[]): void;
  /** Newest first. */
  list(query: RequestQuery): RequestSummary[];
  get(id: string): StoredRequest | undefined;
  /** Gives all since a moment with their bodies, oldest first. */
  listWhole(sinceMs: number): StoredRequest[];
  /** Whether older ones were there and are forgotten, as far as that can be told. */
  isCut(): boolean;
  clear(): void;
  close(): void;
}

const SUMMARY = 'id, at, duration_ms, operation, method, path, http_status, verdict, reference';

/**
 * Opens the store of requests.
 *
 * Nothing waits for the disk (`synchronous=OFF`): a crash of this program loses nothing that was written; after a
 * power cut the file may be damaged, and is then set aside and what can be read of it saved.
 * @param directory - where `sandbox-requests.db` lies; left out: in memory
 * @param onRescued - for the one that writes: told what of a damaged file was saved; null for those who only read
 */
export function openRequestStore(
  directory: string | undefined,
  onRescued: ((message: string) => void) | null,
): RequestStore {
  const db = openDatabase({
    file: directory === undefined ? ':memory:' : join(directory, 'sandbox-requests.db'),
    migrations,
    ...(onRescued === null
      ? {}
      : { rescue: { counted: { table: 'requests', noun: 'logged requests' }, onRescued } }),
    pragmas: { synchronous: 'OFF', cache_size: -512, secure_delete: 'FAST' },
  });
  return createStore(db, directory === undefined ? MOST_BYTES.memory : MOST_BYTES.disk);
}

/** @throws {AppError} `platform.database_newer`: the store is opened with the first request, when nobody looks any more */
export function checkRequestStore(directory: string): void {
  refuseNewerDatabase(join(directory, 'sandbox-requests.db'), migrations);
}

function createStore(db: SqlDatabase, mostBytes: number): RequestStore {
  const insert = db.prepare(
    `INSERT INTO requests (${SUMMARY}, size_bytes, detail, request_body, answer_body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const kept = createPruning(db, { table: 'requests', mostRows: MOST_REQUESTS, mostBytes });
  const whole = db.prepare('SELECT * FROM requests WHERE at >= ? ORDER BY seq');
  const count = db.prepare('SELECT count(*) AS count FROM requests');
  const one = db.prepare(`SELECT * FROM requests WHERE id = ? ORDER BY seq DESC LIMIT 1`);
  return {
    insertAll: kept.transaction((requests: readonly StoredRequest[]) => {
      for (const request of requests) {
        const { sizeBytes, row } = toRow(request);
        insert.run(row);
        kept.bytes += sizeBytes;
      }
      kept.prune();
    }),
    list: (query) => listRequests(db, query),
    get(id) {
      const row = one.get(id) as StoredRow | undefined;
      return row === undefined ? undefined : fromRow(row, readStoredJson(row.detail, 'the request log'));
    },
    listWhole: (sinceMs) =>
      (whole.all(sinceMs) as StoredRow[]).flatMap((row) => {
        const detail = tryStoredJson<RequestDetail>(row.detail);
        return detail === null ? [] : [fromRow(row, detail)];
      }),
    isCut: () =>
      (count.get() as { count: number }).count >= MOST_REQUESTS || kept.bytes > mostBytes * NEARLY_FULL,
    clear() {
      db.exec('PRAGMA secure_delete = ON; DELETE FROM requests; PRAGMA secure_delete = FAST');
      kept.bytes = 0;
    },
    close: () => void db.close(),
  };
}

function listRequests(db: SqlDatabase, query: RequestQuery): RequestSummary[] {
  const { limit, operation, statusClass, reference, text } = query;
  const filters = [
    { sql: 'operation = ?', value: operation },
    { sql: 'http_status / 100 = ?', value: statusClass },
    { sql: 'instr(reference, ?) > 0', value: reference },
  ].filter(({ value }) => value !== null);
  const where = ['seq < ?', ...filters.map(({ sql }) => sql)].join(' AND ');
  const values = filters.map(({ value }) => value);
  const select = (columns: string, before: number, count: number): StoredRow[] =>
    db
      .prepare(`SELECT ${columns} FROM requests WHERE ${where} ORDER BY seq DESC LIMIT ?`)
      .all(before, ...values, count) as StoredRow[];
  const isFirst = Number.MAX_SAFE_INTEGER;
  if (text === null) return select(SUMMARY, isFirst, limit).map(toSummary);

  const found: StoredRow[] = [];
  const wanted = text.toLowerCase();
  for (let before = isFirst; found.length < limit;) {
    const page = select('*', before, PAGE);
    found.push(...page.filter((row) => holdsText(row, wanted)));
    if (page.length < PAGE) break;
    before = page.at(-1)!.seq;
  }
  return found.slice(0, limit).map(toSummary);
}

function holdsText(row: StoredRow, wanted: string): boolean {
  const { id, method, path, verdict, detail, request_body, answer_body } = row;
  const texts = [`${id} ${method} ${path} ${verdict}`, detail, request_body, answer_body];
  return texts.some((one) => one.toString().toLowerCase().includes(wanted));
}

interface StoredRow {
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly duration_ms: number;
  readonly operation: StoredRequest['operation'];
  readonly method: string;
  readonly path: string;
  readonly http_status: number;
  readonly verdict: StoredRequest['verdict'];
  readonly reference: string | null;
  readonly detail: string;
  readonly request_body: Buffer;
  readonly answer_body: Buffer;
}

function toRow(request: StoredRequest): { sizeBytes: number; row: unknown[] } {
  const { id, at, durationMs, operation, method, path, httpStatus, verdict, reference } = request;
  const detail = JSON.stringify(request.detail);
  const { requestBody, answerBody } = request;
  const sizeBytes = detail.length + requestBody.length + answerBody.length + 200;
  const summary = [id, at, durationMs, operation, method, path, httpStatus, verdict, reference];
  return { sizeBytes, row: [...summary, sizeBytes, detail, requestBody, answerBody] };
}

function toSummary(row: StoredRow): RequestSummary {
  const { id, at, operation, method, path, verdict, reference } = row;
  const { duration_ms: durationMs, http_status: httpStatus } = row;
  return { id, at, durationMs, operation, method, path, httpStatus, verdict, reference };
}

function fromRow(row: StoredRow, detail: RequestDetail): StoredRequest {
  return {
    ...toSummary(row),
    detail,
    requestBody: row.request_body,
    answerBody: row.answer_body,
  };
}
