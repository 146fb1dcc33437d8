import type { WebhookRow } from '@shared/contract/webhook-columns';
import { AppError } from '@shared/errors';
import { keepStatements } from '../platform/database/keep-statements';
import type { SqlDatabase, SqlStatement } from '../platform/ports';
import {
  readLogBody,
  readLogHead,
  readLogHeaders,
  readLogRow,
  type LogRow,
  type StoredWebhook,
} from './inbox-log';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { matchesFilter } from '@shared/webhooks/filter/match-filter';
import { toFilterSubject } from './filter-subject';
import { sqlDialects, toSqlCondition } from './filter-sql';
import { readWebhookId } from './read-webhook';
import { chooseSource, splitWords, type SearchSource } from './inbox-search';

export interface InboxQuery {
  limit: number;
  /** Rows below this id follow; null: from the newest on. */
  before: number | null;
  /** So many of the newest are passed over, in place of `before`; left out: none. */
  skip?: number;
  /** The page tells how many rows follow it. */
  isPlaced?: boolean;
  search: string;
  /** An expression as `parseFilter` reads it. */
  filter: string;
}

/** A row of a list, and how many earlier webhooks carried its webhook-id (counted up to 1000). */
export type ListedWebhook = WebhookRow & { earlier_attempts: number };

/** A webhook of the same payment, and the head that it came with. */
export interface EarlierWebhook {
  readonly row: WebhookRow;
  readonly head: Buffer;
}

export interface InboxPage {
  rows: ListedWebhook[];
  /** All that the query matches, counted up to {@link MAX_COUNTED} where it searches. */
  totalCount: number;
  /** There are more than that. */
  isTotalCut: boolean;
  /** Below this id the list goes on; null: this is its end. A page may be short where much has to be looked at. */
  next: number | null;
  unreadCount: number;
  /** How many rows follow the page; null, or left out: that was not asked for, or is not known. */
  below?: number | null;
}

/** Where a filter looks at webhooks one by one, nobody knows how many come before one. @throws {AppError} `inbox.no_position` */
export function refusePosition(): never {
  throw new AppError(
    'inbox.no_position',
    'This filter looks at webhooks one by one, and can be read from the newest on alone.',
  );
}

/** Searches count no further: the figure is shown as it is, and a count of everything would cost more than the search. */
export const MAX_COUNTED = 5000;
/** So many rows that are not in the catalogue yet are looked through by one page of a search or a filter; the next goes on from there. */
const MAX_TAIL = 2000;
/** More bytes of them are not held at once. */
const MAX_TAIL_BYTES = 16 * 1024 * 1024;
/** Of a head that is only looked into, no more is read. */
const MOST_HEAD_BYTES = 256 * 1024;
interface TailSize {
  readonly id: number;
  readonly bytes: number;
}

/** Attempts of one webhook-id are counted no further. */
const MOST_ATTEMPTS = 1000;
/** So long one page looks at webhooks one by one; the next goes on from there. */
const SCAN_MS = 40;
const SCAN_BATCH = 400;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Filters that an index counts, however many they leave. */
const indexedWords: ReadonlySet<string> = new Set(Object.values(sqlDialects.sqlite.words));

const EARLIER = `(SELECT count(*) FROM (SELECT 1 FROM webhooks e
  WHERE e.webhook_id = w.webhook_id AND e.id < w.id LIMIT ${MOST_ATTEMPTS})) AS earlier_attempts`;
const EARLIER_OF_ONE = `(SELECT 1 FROM webhooks WHERE webhook_id = ? AND id < ? LIMIT ${MOST_ATTEMPTS})`;
/** Rows of the log are wide: only its index is read to count them. */
const TAIL = 'arrivals INDEXED BY arrivals_by_id WHERE id > (SELECT id FROM indexed)';

/**
 * Reads the inbox; has its own connection, so that reading never waits for writing.
 *
 * Webhooks that are durable but not in the catalogue yet are read from the log: a list is never behind.
 */
export class InboxReader {
  readonly #database: SqlDatabase;
  readonly #prepare: (sql: string) => SqlStatement;
  /** Of what waits for the catalogue: who has which webhook-id; null: not read in this look. */
  #waitingIds: Map<string, number[]> | null = null;

  /** @param keys - what signatures are verified with */
  constructor(
    database: SqlDatabase,
    private readonly keys: () => readonly string[] = () => [],
  ) {
    this.#database = database;
    this.#prepare = keepStatements(database);
  }

  list(query: InboxQuery): InboxPage {
    return this.#inSnapshot(() => this.#list(query));
  }

  get(id: number): StoredWebhook<ListedWebhook> | null {
    return this.#inSnapshot(() => {
      const logRow = this.#prepare('SELECT * FROM arrivals WHERE id = ?').get(id) as LogRow | undefined;
      if (logRow === undefined) return null;
      const { row, headers, body, remoteAddress } = readLogRow(logRow, this.keys());
      const stored = this.#prepare('SELECT * FROM webhooks WHERE id = ?').get(id) as WebhookRow | undefined;
      return { row: this.#withAttempts(stored ?? row), headers, body, remoteAddress };
    });
  }

  /** A webhook's bytes as received, secrets and all; null: it is not there. */
  getBytes(id: number): { head: Buffer; body: Buffer } | null {
    const logRow = this.#prepare('SELECT * FROM arrivals WHERE id = ?').get(id) as LogRow | undefined;
    return logRow === undefined ? null : { head: readLogHead(logRow), body: readLogBody(logRow) };
  }

  findByPayment(reference: string, paymentUuids: readonly string[]): ListedWebhook[] {
    return this.#inSnapshot(() => {
      const marks = paymentUuids.map(() => '?').join(', ');
      const stored = this.#prepare(
        `SELECT w.*, ${EARLIER} FROM webhooks w WHERE w.client_reference = ?
           UNION SELECT w.*, ${EARLIER} FROM webhooks w WHERE w.payment_uuid IN (${marks}) ORDER BY 1`,
      ).all(reference, ...paymentUuids) as ListedWebhook[];
      const tail = this.#readTail(NEWEST, MAX_TAIL)
        .map(({ row }) => row)
        .reverse();
      const isOfPayment = (row: WebhookRow): boolean =>
        row.client_reference === reference || paymentUuids.includes(row.payment_uuid ?? '');
      return [...stored, ...tail.filter(isOfPayment).map((row) => this.#withAttempts(row))];
    });
  }

  /** Webhooks of the same payment that came before one, newest first, with the head that they came with. */
  findEarlier({ id, client_reference, payment_uuid }: WebhookRow, limit: number): EarlierWebhook[] {
    const [column, value] =
      client_reference === null
        ? (['payment_uuid', payment_uuid] as const)
        : (['client_reference', client_reference] as const);
    if (value === null) return [];
    return this.#inSnapshot(() => {
      const inTail = this.#readTail(id, MAX_TAIL)
        .map(({ row }) => row)
        .filter((row) => row[column] === value);
      const sql = `SELECT * FROM webhooks WHERE ${column} = ? AND id < ? ORDER BY id DESC LIMIT ?`;
      const stored = this.#prepare(sql).all(value, id, limit) as WebhookRow[];
      const known = new Set(inTail.map((row) => row.id));
      const rows = [...inTail, ...stored.filter((row) => !known.has(row.id))].slice(0, limit);
      return this.#withHeads(rows);
    });
  }

  /** Rows with their heads. A whole webhook is read for one of them by the database alone: it is not taken over here. */
  #withHeads(rows: readonly WebhookRow[]): EarlierWebhook[] {
    const read = this.#prepare(
      `SELECT substr(raw, 1, min(head_size, ${MOST_HEAD_BYTES})) AS head FROM arrivals WHERE id = ?`,
    );
    return rows.map((row) => {
      const stored = read.get(row.id) as { head: Buffer } | undefined;
      return { row, head: stored?.head ?? Buffer.alloc(0) };
    });
  }

  /** Whether more waits for the catalogue than one look goes through: a burst, or a listener that was killed in one. */
  isFarBehind(): boolean {
    return this.#inSnapshot(() => this.#count(TAIL) > MAX_TAIL);
  }

  countUnread(): number {
    return this.#inSnapshot(() => this.#count('webhooks WHERE is_read = 0') + this.#count(TAIL));
  }

  /** Adds how many earlier webhooks carried the same webhook-id. */
  withAttempts(rows: readonly WebhookRow[]): ListedWebhook[] {
    return this.#inSnapshot(() => rows.map((row) => this.#withAttempts(row)));
  }

  #list(query: InboxQuery): InboxPage {
    const { limit } = query;
    const nowMs = Date.now();
    const filter = parseFilter(query.filter);
    const condition = toSqlCondition(filter, nowMs, sqlDialects.sqlite);
    const passes = (stored: StoredWebhook): boolean => matchesFilter(filter, toFilterSubject(stored), nowMs);
    const words = splitWords(query.search);
    const isPlain = words.length === 0 && condition.sql === '1' && condition.isExact;
    const skip = query.skip ?? 0;
    if (skip > 0 && !condition.isExact) refusePosition();
    const source = chooseSource(words, condition, () =>
      this.#count(`webhooks w WHERE ${condition.sql}`, ...condition.values),
    );
    const fits = (stored: StoredWebhook & { searchText: string }): boolean =>
      passes(stored) && words.every((word) => stored.searchText.includes(word));
    const seek = (): number =>
      isPlain
        ? this.#seekPlain(skip)
        : this.#seek(skip, source, this.#readTail(NEWEST, MAX_TAIL).filter(fits));
    const before = skip > 0 ? seek() : (query.before ?? NEWEST);
    const tail = this.#readTail(before, isPlain ? limit : MAX_TAIL);
    const matches = tail.filter(fits);
    const rows = matches.slice(0, limit).map(({ row }) => this.#withAttempts(row));
    const below = Math.min(before, this.#indexedId() + 1);
    const tailCount = this.#count(TAIL);
    const unreadCount = this.#count('webhooks WHERE is_read = 0') + tailCount;
    const isBehind = !isPlain && tailCount > MAX_TAIL;
    const end = endOfLook(tail, isBehind, limit - rows.length);
    if (end !== null) return { rows, totalCount: rows.length, isTotalCut: true, next: end, unreadCount };
    if (!condition.isExact) {
      const next = this.#scan(source, rows, { limit, below, passes });
      return { rows, totalCount: rows.length, isTotalCut: next !== null, next, unreadCount };
    }
    if (rows.length < limit) {
      const sql = `SELECT w.*, ${EARLIER} FROM ${source.from} WHERE ${source.condition} AND ${source.id} < ?
        ORDER BY ${source.id} DESC LIMIT ?`;
      rows.push(...(this.#prepare(sql).all(...source.values, below, limit - rows.length) as ListedWebhook[]));
    }
    const mostCounted = words.length === 0 && indexedWords.has(condition.sql) ? NEWEST : MAX_COUNTED;
    const countMatches = (): number => {
      if (before === NEWEST && rows.length < limit) return rows.length;
      const limited = `(SELECT 1 FROM ${source.countedFrom} WHERE ${source.condition} LIMIT ${mostCounted})`;
      const tailMatches = before === NEWEST ? matches : this.#readTail(NEWEST, MAX_TAIL).filter(fits);
      return this.#count(limited, ...source.values) + tailMatches.length;
    };
    const totalCount = isPlain ? this.#count('webhooks') + tailCount : countMatches();
    const next = rows.length === limit ? rows.at(-1)!.id : null;
    const isTotalCut = isBehind || totalCount >= mostCounted;
    const countBelow = (): number => {
      if (next === null) return 0;
      if (isPlain) return this.#count('arrivals INDEXED BY arrivals_by_id WHERE id < ?', next);
      const inTail = matches.filter(({ row }) => row.id < next).length;
      const from = `${source.countedFrom} WHERE ${source.condition} AND ${source.id} < ?`;
      return inTail + this.#count(from, ...source.values, Math.min(next, below));
    };
    const placed = query.isPlaced === true ? { below: isTotalCut ? null : countBelow() } : {};
    return { rows, totalCount, isTotalCut, next, unreadCount, ...placed };
  }

  /** The id after which a list goes on that passes over so many of the newest; 0: it has no more than these. */
  #seekPlain(skip: number): number {
    const sql = 'SELECT id FROM arrivals INDEXED BY arrivals_by_id ORDER BY id DESC LIMIT 1 OFFSET ?';
    return (this.#prepare(sql).get(skip - 1) as { id: number } | undefined)?.id ?? 0;
  }

  /** @param newest - those that fit and are not in the catalogue yet, newest first */
  #seek(skip: number, source: SearchSource, newest: readonly StoredWebhook[]): number {
    const inTail = newest[skip - 1];
    if (inTail !== undefined) return inTail.row.id;
    const sql = `SELECT ${source.id} AS id FROM ${source.from} WHERE ${source.condition} AND ${source.id} <= ?
      ORDER BY ${source.id} DESC LIMIT 1 OFFSET ?`;
    const values = [...source.values, this.#indexedId(), skip - 1 - newest.length];
    return (this.#prepare(sql).get(...values) as { id: number } | undefined)?.id ?? 0;
  }

  /** Looks at webhooks one by one, as long as a page may take. @returns where to go on; null: at the end */
  #scan(
    { from, condition, id, values }: SearchSource,
    rows: ListedWebhook[],
    { limit, below, passes }: { limit: number; below: number; passes: (stored: StoredWebhook) => boolean },
  ): number | null {
    if (rows.length >= limit) return rows.at(-1)!.id;
    const until = performance.now() + SCAN_MS;
    const sql = `SELECT w.* FROM ${from} WHERE ${condition} AND ${id} < ? ORDER BY ${id} DESC LIMIT ${SCAN_BATCH}`;
    for (let next = below; ;) {
      const batch = this.#prepare(sql).all(...values, next) as WebhookRow[];
      for (const row of batch) {
        next = row.id;
        if (passes(this.#readLazily(row))) rows.push(this.#withAttempts(row));
        if (rows.length >= limit || performance.now() >= until) return next;
      }
      if (batch.length < SCAN_BATCH) return null;
    }
  }

  /** A row with the bytes that it was made of, read only where a filter asks for them. */
  #readLazily(row: WebhookRow): StoredWebhook {
    let known: LogRow | null = null;
    const read = (): LogRow =>
      (known ??= this.#prepare('SELECT * FROM arrivals WHERE id = ?').get(row.id) as LogRow);
    return {
      row,
      get headers() {
        return readLogHeaders(read());
      },
      get body() {
        return readLogBody(read());
      },
      remoteAddress: null,
    };
  }

  /** Rows that are not in the catalogue yet, newest first. */
  #readTail(before: number, limit: number): (StoredWebhook & { searchText: string })[] {
    const range = [this.#indexedId(), before, limit];
    const where = 'FROM arrivals WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?';
    const sizes = this.#prepare(`SELECT id, length(raw) AS bytes ${where}`).all(...range) as TailSize[];
    if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_TAIL_BYTES)
      return sizes.map(({ id }) => this.#readOneOfTail(id));
    const logRows = this.#prepare(`SELECT * ${where}`).all(...range) as LogRow[];
    return logRows.map((logRow) => readLogRow(logRow, this.keys()));
  }

  /** Without its body, which is fetched where it is asked for: a burst of long webhooks does not fit into the memory. */
  #readOneOfTail(id: number): StoredWebhook & { searchText: string } {
    const read = (): LogRow => this.#prepare('SELECT * FROM arrivals WHERE id = ?').get(id) as LogRow;
    const { row, headers, remoteAddress, searchText } = readLogRow(read(), this.keys());
    return {
      row,
      headers,
      remoteAddress,
      searchText,
      get body() {
        return readLogBody(read());
      },
    };
  }

  #withAttempts(row: WebhookRow): ListedWebhook {
    const { webhook_id, id } = row;
    if (webhook_id === null) return { ...row, earlier_attempts: 0 };
    const waiting = id > this.#indexedId() ? (this.#readWaitingIds().get(webhook_id) ?? []) : [];
    const count = waiting.filter((one) => one < id).length + this.#count(EARLIER_OF_ONE, webhook_id, id);
    return { ...row, earlier_attempts: Math.min(count, MOST_ATTEMPTS) };
  }

  /** Heads alone are read: a burst of long webhooks would hold a list up. As hex, since an expression gives text. */
  #readWaitingIds(): Map<string, number[]> {
    if (this.#waitingIds !== null) return this.#waitingIds;
    const heads = this.#prepare(
      'SELECT id, hex(substr(raw, 1, head_size)) AS head FROM arrivals WHERE id > ? ORDER BY id DESC LIMIT ?',
    ).all(this.#indexedId(), MAX_TAIL) as { id: number; head: string }[];
    const found = new Map<string, number[]>();
    for (const { id, head } of heads) {
      const name = readWebhookId(Buffer.from(head, 'hex'));
      if (name === null) continue;
      const ids = found.get(name);
      if (ids === undefined) found.set(name, [id]);
      else ids.push(id);
    }
    return (this.#waitingIds = found);
  }

  #indexedId(): number {
    return (this.#prepare('SELECT id FROM indexed').get() as { id: number }).id;
  }

  #count(from: string, ...values: unknown[]): number {
    return (this.#prepare(`SELECT count(*) AS n FROM ${from}`).get(values) as { n: number }).n;
  }

  #inSnapshot<T>(read: () => T): T {
    this.#waitingIds = null;
    this.#database.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#database.exec('COMMIT');
    }
  }
}

/** What lies between a tail that was not read to its end and the catalogue is passed over by nobody: the next page looks there. */
function endOfLook(tail: readonly StoredWebhook[], isBehind: boolean, room: number): number | null {
  return room > 0 && isBehind && tail.length === MAX_TAIL ? tail.at(-1)!.row.id : null;
}
