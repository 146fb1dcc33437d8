import type { WebhookRow } from '@shared/contract/webhook-columns';
import type { Filter } from '@shared/webhooks/filter/filter-fields';
import { matchesFilter } from '@shared/webhooks/filter/match-filter';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { toFilterSubject } from '../filter-subject';
import { sqlDialects, toSqlCondition, type SqlCondition } from '../filter-sql';
import {
  MAX_COUNTED,
  type EarlierWebhook,
  type InboxPage,
  refusePosition,
  type InboxQuery,
  type ListedWebhook,
} from '../inbox-reader';
import type { StoredWebhook } from '../inbox-log';
import { SCHEMA } from './postgres-schema';
import { fromPostgresText, toPostgresText } from './postgres-text';
import { toSearchWords } from './search-words';
import {
  boundInstant,
  BYTES,
  HEAD,
  joinBytes,
  LISTED_ROW,
  numberValues,
  readRow,
  READ_UP_TO,
  ROW,
  WEBHOOKS,
} from './stored-rows';
import { readOverCuts, toStoreError } from './store-errors';
import { WordSearch, type StoreValue } from './word-search';

/** As much of a connection, or a pool of them, as reading asks for. */
export interface StoreSession {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** All that there are is counted so far: it is a figure to read, and counting goes through the index. */
const MAX_ALL_COUNTED = 100_000;
/** So long one page looks at webhooks one by one; the next goes on from there. */
const SCAN_MS = 300;
const SCAN_BATCH = 200;
/** Bytes of so many webhooks are looked at together, as far as they stay below this. */
const SCAN_BYTES = 4 * 1024 * 1024;
const NEWEST = Number.MAX_SAFE_INTEGER;
const MOST_OF_PAYMENT = 1000;

/** Where a page begins, and what is told of it. */
interface Place {
  readonly before: number;
  readonly skip: number;
  readonly limit: number;
  readonly isPlaced: boolean;
}

/** Reads a team's inbox on PostgreSQL. Everything in it is from elsewhere: rows and bytes are read bounded. */
export class PostgresReader {
  constructor(protected readonly session: StoreSession) {}

  async list(query: InboxQuery): Promise<InboxPage> {
    const filter = parseFilter(query.filter);
    const nowMs = Date.now();
    const written = toSqlCondition(filter, nowMs, sqlDialects.postgres);
    const words = toSearchWords(query.search);
    const search = words.length === 0 ? null : new WordSearch(this.read.bind(this), written, words);
    const place: Place = {
      before: query.before ?? NEWEST,
      skip: query.skip ?? 0,
      limit: query.limit,
      isPlaced: query.isPlaced ?? false,
    };
    if (place.skip > 0 && !written.isExact) refusePosition();
    const [found, unreadCount] = await Promise.all([
      written.isExact
        ? search === null
          ? this.#find(written, place)
          : this.#findWords(search, place)
        : this.#scan(search === null ? written : await search.toCondition(place.before), {
            below: place.before,
            limit: query.limit,
            filter,
            nowMs,
          }),
      this.countUnread(),
    ]);
    return { ...found, unreadCount };
  }

  async get(id: number): Promise<SourceRow | null> {
    const [stored] = await this.read(
      `SELECT ${LISTED_ROW}, left(w.remote_address, 200) AS remote_address, w.marked_by,
         extract(epoch FROM w.marked_at) * 1000 AS marked_at FROM ${WEBHOOKS} WHERE w.id = ?`,
      [id],
    );
    const bytes = stored === undefined ? null : await this.getBytes(id);
    if (stored === undefined || bytes === null) return null;
    const { remote_address, marked_by, marked_at, ...row } = stored;
    return {
      ...joinBytes(readRow(row), bytes, remote_address as string | null),
      lastMark:
        marked_by === null
          ? null
          : { by: String(marked_by).slice(0, 200), at: Math.floor(boundInstant(marked_at)) },
    };
  }

  async getBytes(id: number): Promise<{ head: Buffer; body: Buffer } | null> {
    return (await this.#readBytes([id])).get(id) ?? null;
  }

  async findByPayment(reference: string, paymentUuids: readonly string[]): Promise<ListedWebhook[]> {
    const uuids = paymentUuids.map(toPostgresText);
    const stored = await this.read(
      `SELECT ${LISTED_ROW} FROM ${WEBHOOKS} WHERE w.id IN (
         SELECT id FROM ${SCHEMA}.webhooks WHERE left(client_reference, 100) = left(?, 100) AND client_reference = ?
         UNION SELECT id FROM ${SCHEMA}.webhooks
           WHERE left(payment_uuid, 100) = ANY (?::text[]) AND payment_uuid = ANY (?::text[])
         ORDER BY id DESC LIMIT ${MOST_OF_PAYMENT}) ORDER BY w.id`,
      [reference, reference, uuids.map((one) => one.slice(0, 100)), uuids],
    );
    return stored.map((row) => readRow(row));
  }

  async findEarlier(
    { id, client_reference, payment_uuid }: WebhookRow,
    limit: number,
  ): Promise<EarlierWebhook[]> {
    const [column, value] =
      client_reference === null
        ? (['payment_uuid', payment_uuid] as const)
        : (['client_reference', client_reference] as const);
    if (value === null) return [];
    const stored = await this.read(
      `SELECT ${ROW} FROM ${WEBHOOKS} WHERE left(w.${column}, 100) = left(?, 100) AND w.${column} = ? AND w.id < ?
       ORDER BY w.id DESC LIMIT ?`,
      [value, value, id, limit],
    );
    const rows = stored.map((row) => readRow<WebhookRow>(row));
    const heads = await this.#readHeads(rows.map((row) => row.id));
    return rows.map((row) => ({ row, head: heads.get(row.id) ?? NOTHING.head }));
  }

  /** Counted up to {@link MAX_COUNTED}. */
  async countUnread(): Promise<number> {
    const [stored] = await this.read(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${SCHEMA}.webhooks c WHERE c.id > ${READ_UP_TO}
           AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.person_marks p
             WHERE p.id = c.id AND p.person = session_user AND p.is_read = 1) LIMIT ${MAX_COUNTED}) newer)
         + (SELECT count(*) FROM (SELECT 1 FROM ${SCHEMA}.person_marks p JOIN ${SCHEMA}.webhooks c ON c.id = p.id
             WHERE p.person = session_user AND p.is_read = 0 AND p.id <= ${READ_UP_TO} LIMIT ${MAX_COUNTED}) older)
         AS unread`,
    );
    return Math.min(Number(stored!['unread']), MAX_COUNTED);
  }

  /** What came after an id: how many, counted as far as lists are, and the newest of them, oldest first. */
  protected async findAfter(id: number, most: number): Promise<{ count: number; rows: ListedWebhook[] }> {
    const stored = await this.read(
      `SELECT ${LISTED_ROW} FROM ${WEBHOOKS} WHERE w.id > ? ORDER BY w.id DESC LIMIT ?`,
      [id, most],
    );
    const rows = stored.map((row) => readRow(row)).reverse();
    if (rows.length < most) return { count: rows.length, rows };
    return { count: await this.#count(`${SCHEMA}.webhooks WHERE id > ?`, [id], MAX_COUNTED), rows };
  }

  /** Runs one statement, its values marked by `?`. @throws {AppError} `store.*` */
  protected async read(sql: string, values: readonly StoreValue[] = []): Promise<Record<string, unknown>[]> {
    const written = values.map((value) => (typeof value === 'string' ? toPostgresText(value) : value));
    const ask = async (): Promise<Record<string, unknown>[]> =>
      (await this.session.query(numberValues(sql), written)).rows.map(readTexts);
    try {
      return await (/^(?:SELECT|WITH)/.test(sql) ? readOverCuts(ask) : ask());
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async #find({ sql, values }: SqlCondition, place: Place): Promise<Omit<InboxPage, 'unreadCount'>> {
    const { limit, skip, isPlaced } = place;
    const mostCounted = sql === sqlDialects.postgres.words.all ? MAX_ALL_COUNTED : MAX_COUNTED;
    const from = `${WEBHOOKS} WHERE ${sql}`;
    const before = skip === 0 ? place.before : await this.#seek(from, values, skip);
    const [stored, totalCount] = await Promise.all([
      this.read(`SELECT ${LISTED_ROW} FROM ${from} AND w.id < ? ORDER BY w.id DESC LIMIT ?`, [
        ...values,
        before,
        limit,
      ]),
      this.#count(from, values, mostCounted),
    ]);
    const rows = stored.map((row) => readRow(row));
    const next = rows.length === limit ? rows.at(-1)!.id : null;
    const isTotalCut = totalCount >= mostCounted;
    const countBelow = (): Promise<number> =>
      this.#count(`${from} AND w.id < ?`, [...values, next], mostCounted);
    const below = !isPlaced || isTotalCut ? null : next === null ? 0 : await countBelow();
    return { rows, totalCount, isTotalCut, next, below };
  }

  /** The id after which a list goes on that passes over so many of the newest; 0: it has no more than these. */
  async #seek(from: string, values: readonly StoreValue[], skip: number): Promise<number> {
    const sql = `SELECT w.id FROM ${from} ORDER BY w.id DESC LIMIT 1 OFFSET ?`;
    const [found] = await this.read(sql, [...values, skip - 1]);
    return Number(found?.['id'] ?? 0);
  }

  async #findWords(
    search: WordSearch,
    { before, skip, limit, isPlaced }: Place,
  ): Promise<Omit<InboxPage, 'unreadCount'>> {
    // What is counted is bounded, and so is what is passed over.
    const far = Math.min(skip, MAX_COUNTED);
    const { ids: found, totalCount } = await search.find(before, far + limit + (isPlaced ? MAX_COUNTED : 0));
    const ids = found.slice(far, far + limit);
    const stored = await this.read(
      `SELECT ${LISTED_ROW} FROM ${WEBHOOKS} WHERE w.id = ANY (?::bigint[]) ORDER BY w.id DESC`,
      [ids],
    );
    const rows = stored.map((row) => readRow(row));
    const next = rows.length === limit ? rows.at(-1)!.id : null;
    const isTotalCut = totalCount >= MAX_COUNTED;
    const below = isPlaced && !isTotalCut ? Math.max(0, found.length - far - limit) : null;
    return { rows, totalCount, isTotalCut, next, below };
  }

  async #count(from: string, values: readonly StoreValue[], most: number): Promise<number> {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT ${most}) counted`;
    return Number((await this.read(sql, values))[0]!['n']);
  }

  /** Looks at webhooks one by one, as long as a page may take. */
  async #scan(
    { sql, values }: SqlCondition,
    { below, limit, filter, nowMs }: { below: number; limit: number; filter: Filter; nowMs: number },
  ): Promise<Omit<InboxPage, 'unreadCount'>> {
    const until = performance.now() + SCAN_MS;
    const rows: ListedWebhook[] = [];
    const statement = `SELECT ${LISTED_ROW} FROM ${WEBHOOKS} WHERE ${sql} AND w.id < ?
      ORDER BY w.id DESC LIMIT ${SCAN_BATCH}`;
    const end = (next: number | null): Omit<InboxPage, 'unreadCount'> => ({
      rows,
      totalCount: rows.length,
      isTotalCut: next !== null,
      next,
    });
    for (let next = below; ;) {
      const batch = (await this.read(statement, [...values, next])).map((row) => readRow(row));
      for await (const stored of this.#withBytes(batch, doesReadBytes(filter))) {
        next = stored.row.id;
        if (matchesFilter(filter, toFilterSubject(stored), nowMs)) rows.push(stored.row);
        if (rows.length >= limit || performance.now() >= until) return end(next);
      }
      if (batch.length < SCAN_BATCH) return end(null);
    }
  }

  /**
   * Rows with the bytes that a filter looks at, a few at a time: bodies may be long. What a row says of its size is what somebody
   * wrote there: the database is asked for how long it is.
   */
  async *#withBytes(
    rows: readonly ListedWebhook[],
    isNeeded: boolean,
  ): AsyncGenerator<StoredWebhook<ListedWebhook>> {
    const sizes = isNeeded ? await this.#readSizes(rows.map(({ id }) => id)) : null;
    const sizeOf = (at: number): number => sizes?.get(rows[at]!.id) ?? 0;
    for (let from = 0; from < rows.length;) {
      let to = from + 1;
      let size = sizeOf(from);
      while (to < rows.length && (size += sizeOf(to)) <= SCAN_BYTES) to++;
      const part = rows.slice(from, to);
      const bytes = isNeeded ? await this.#readBytes(part.map(({ id }) => id)) : null;
      for (const row of part) yield joinBytes(row, bytes?.get(row.id) ?? NOTHING, null);
      from = to;
    }
  }

  async #readHeads(ids: readonly number[]): Promise<Map<number, Buffer>> {
    const stored = await this.read(
      `SELECT c.id, ${HEAD} FROM ${SCHEMA}.webhooks c WHERE c.id = ANY (?::bigint[])`,
      [ids],
    );
    return new Map(stored.map(({ id, head }) => [Number(id), head as Buffer]));
  }

  async #readSizes(ids: readonly number[]): Promise<Map<number, number>> {
    const stored = await this.read(
      `SELECT c.id, octet_length(c.head)::bigint + octet_length(c.body) AS size
       FROM ${SCHEMA}.webhooks c WHERE c.id = ANY (?::bigint[])`,
      [ids],
    );
    return new Map(stored.map(({ id, size }) => [Number(id), Number(size)]));
  }

  async #readBytes(ids: readonly number[]): Promise<Map<number, { head: Buffer; body: Buffer }>> {
    const stored = await this.read(
      `SELECT c.id, ${BYTES} FROM ${SCHEMA}.webhooks c WHERE c.id = ANY (?::bigint[])`,
      [ids],
    );
    return new Map(
      stored.map(({ id, head, body }) => [Number(id), { head: head as Buffer, body: body as Buffer }]),
    );
  }
}

/** A webhook with who of the team marked it last. */
type SourceRow = StoredWebhook<ListedWebhook> & { lastMark: { by: string; at: number } | null };

const NOTHING = { head: Buffer.alloc(0), body: Buffer.alloc(0) };

function doesReadBytes(filter: Filter): boolean {
  switch (filter.is) {
    case 'word':
      return false;
    case 'condition':
      return filter.target.of !== 'field';
    case 'not':
      return doesReadBytes(filter.inner);
    default:
      return doesReadBytes(filter.left) || doesReadBytes(filter.right);
  }
}

/** Texts as they were before they were written for PostgreSQL. */
function readTexts(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? fromPostgresText(value) : value,
    ]),
  );
}
