import { join } from 'node:path';
import { openDatabase, refuseNewerDatabase, type Migration } from '../../platform/database/database';
import {
  createExchangeLog,
  headColumns,
  type ExchangeLog,
  type LogFilter,
} from '../../platform/database/exchange-log';
import type { SqlDatabase } from '../../platform/ports';
import type { StoredRequest } from './stored-request';

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
export interface RequestStore extends Pick<ExchangeLog<StoredRequest>, 'insertAll' | 'find' | 'readSince'> {
  /** Newest first. */
  list(query: RequestQuery): RequestSummary[];
  /** Whether older ones were there and are forgotten, as far as that can be told. */
  isCut(): boolean;
  clear(): void;
  close(): void;
}

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
  const bounds = { table: 'requests', mostRows: MOST_REQUESTS, mostBytes };
  const columns = { ...headColumns, verdict: 'verdict' };
  const log = createExchangeLog<StoredRequest>(db, bounds, 'the request log', columns);
  return {
    ...log,
    list: (query) => listRequests(log, query),
    isCut: () => log.count() >= MOST_REQUESTS || log.kept.bytes > mostBytes * NEARLY_FULL,
    clear() {
      db.exec('PRAGMA secure_delete = ON; DELETE FROM requests; PRAGMA secure_delete = FAST');
      log.kept.bytes = 0;
    },
    close: () => void db.close(),
  };
}

function listRequests(log: ExchangeLog<StoredRequest>, query: RequestQuery): RequestSummary[] {
  const { limit, operation, statusClass, reference, text } = query;
  const conditions: LogFilter[] = [
    ['operation = ?', operation],
    ['http_status / 100 = ?', statusClass],
    ['instr(reference, ?) > 0', reference],
  ];
  const filters = conditions.filter(([, value]) => value !== null);
  if (text === null) return log.select<RequestSummary>(log.head, filters, limit);

  const found: RequestSummary[] = [];
  const wanted = text.toLowerCase();
  const columns = `seq, ${log.head}, detail, request_body, answer_body`;
  for (let before = Number.MAX_SAFE_INTEGER; found.length < limit;) {
    const page = log.select<SearchedRow>(columns, [['seq < ?', before], ...filters], PAGE);
    for (const { seq, detail, request_body, answer_body, ...summary } of page) {
      const { id, method, path, verdict } = summary;
      const texts = [`${id} ${method} ${path} ${verdict}`, detail, request_body, answer_body];
      if (texts.some((one) => one.toString().toLowerCase().includes(wanted))) found.push(summary);
      before = seq;
    }
    if (page.length < PAGE) break;
  }
  return found.slice(0, limit);
}

interface SearchedRow extends RequestSummary {
  readonly seq: number;
  readonly detail: string;
  readonly request_body: Buffer;
  readonly answer_body: Buffer;
}
