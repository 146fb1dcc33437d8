import type { HeaderList } from '@shared/contract/common';
import type { SqlDatabase } from '../platform/ports';
import { describeArrival, rawBytes, type ArrivalRow, type WebhookRow } from './inbox-indexer';
import { readArrivalHead } from './read-arrival';

export interface InboxQuery {
  limit: number;
  /** Rows below this id follow; null: from the newest on. */
  before: number | null;
  search: string;
  filter: 'all' | 'unread' | 'failed';
}

/** A row of a list, and how many earlier callbacks carried its webhook-id (counted up to 1000). */
export type ListedWebhook = WebhookRow & { earlier_attempts: number };

export interface InboxPage {
  rows: ListedWebhook[];
  /** All that the query matches, counted up to {@link MAX_COUNTED} where it searches. */
  totalCount: number;
  unreadCount: number;
}

export interface StoredWebhook {
  row: ListedWebhook;
  headers: HeaderList;
  body: Uint8Array;
  remoteAddress: string | null;
}

/** Searches count no further: the figure is shown as it is, and a count of everything would cost more than the search. */
export const MAX_COUNTED = 10_000;
/** So many rows that are not in the catalogue yet are looked through by a search or a filter. */
const MAX_TAIL = 2000;
/** The search index holds pieces of three characters: shorter words cannot be looked up in it. */
const MIN_INDEXED_WORD = 3;

const EARLIER = `(SELECT count(*) FROM (SELECT 1 FROM webhooks e
  WHERE e.webhook_id = w.webhook_id AND e.id < w.id LIMIT 1000)) AS earlier_attempts`;

const FILTERS: Readonly<Record<InboxQuery['filter'], string>> = {
  all: '1',
  unread: 'w.is_read = 0',
  failed: "(w.status IN ('FAILED', 'CANCELED') OR w.responded_status >= 300)",
};

/** Reads the inbox; has its own connection, so that reading never waits for writing. */
export interface InboxReader {
  list(query: InboxQuery): InboxPage;
  get(id: number): StoredWebhook | null;
  /** Callbacks of one payment, oldest first. */
  findByPayment(reference: string, paymentUuids: readonly string[]): ListedWebhook[];
  countUnread(): number;
}

/**
 * Prepares reading.
 *
 * Callbacks that are durable but not in the catalogue yet are read from the log: a list is never behind.
 */
export function createInboxReader(database: SqlDatabase): InboxReader {
  const inSnapshot = <T>(read: () => T): T => {
    database.exec('BEGIN');
    try {
      return read();
    } finally {
      database.exec('COMMIT');
    }
  };
  const indexedId = (): number => (database.prepare('SELECT id FROM indexed').get() as { id: number }).id;
  const count = (sql: string, ...values: unknown[]): number =>
    (database.prepare(`SELECT count(*) AS n FROM ${sql}`).get(values) as { n: number }).n;
  const readTail = (after: number, before: number, limit: number): WebhookRow[] =>
    (
      database
        .prepare('SELECT * FROM arrivals WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?')
        .all(after, before, limit) as ArrivalRow[]
    ).map((arrival) => describeArrival(arrival).row);
  const withAttempts = (row: WebhookRow, tail: readonly WebhookRow[]): ListedWebhook => {
    const { webhook_id } = row;
    if (webhook_id === null) return { ...row, earlier_attempts: 0 };
    const inTail = tail.filter((one) => one.webhook_id === webhook_id && one.id < row.id).length;
    return {
      ...row,
      earlier_attempts:
        inTail +
        count('(SELECT 1 FROM webhooks WHERE webhook_id = ? AND id < ? LIMIT 1000)', webhook_id, row.id),
    };
  };
  const countUnread = (): number =>
    count('webhooks WHERE is_read = 0') + count('arrivals WHERE id > (SELECT id FROM indexed)');

  const list = (query: InboxQuery): InboxPage => {
    const indexed = indexedId();
    const before = query.before ?? Number.MAX_SAFE_INTEGER;
    const words = query.search.trim().split(/\s+/).filter(Boolean);
    const isPlain = words.length === 0 && query.filter === 'all';
    const tail = readTail(indexed, before, isPlain ? query.limit : MAX_TAIL);
    const rows = tail
      .filter((row) => matchesFilter(row, query.filter) && matchesWords(row, words))
      .slice(0, query.limit)
      .map((row) => withAttempts(row, tail));
    const where = buildWhere(words, query.filter);
    if (rows.length < query.limit) {
      const sql = `SELECT w.*, ${EARLIER} FROM ${where.from} WHERE ${where.condition} AND ${where.id} < ?
        ORDER BY ${where.id} DESC LIMIT ?`;
      rows.push(
        ...(database
          .prepare(sql)
          .all(...where.values, Math.min(before, indexed + 1), query.limit - rows.length) as ListedWebhook[]),
      );
    }
    const totalCount = isPlain
      ? count('webhooks') + count('arrivals WHERE id > ?', indexed)
      : count(
          `(SELECT 1 FROM ${where.from} WHERE ${where.condition} ORDER BY ${where.id} DESC LIMIT ${MAX_COUNTED})`,
          ...where.values,
        ) + (query.before === null ? rows.filter(({ id }) => id > indexed).length : 0);
    return { rows, totalCount, unreadCount: countUnread() };
  };

  return {
    list: (query) => inSnapshot(() => list(query)),
    countUnread: () => inSnapshot(countUnread),
    get: (id) =>
      inSnapshot(() => {
        const arrival = database.prepare('SELECT * FROM arrivals WHERE id = ?').get(id) as
          ArrivalRow | undefined;
        if (arrival === undefined) return null;
        const stored = database.prepare('SELECT * FROM webhooks WHERE id = ?').get(id) as
          WebhookRow | undefined;
        return {
          row: withAttempts(stored ?? describeArrival(arrival).row, []),
          headers: readArrivalHead(rawBytes(arrival).subarray(0, arrival.head_size)).headers,
          body: rawBytes(arrival).subarray(arrival.head_size),
          remoteAddress: arrival.remote_address,
        };
      }),
    findByPayment: (reference, paymentUuids) =>
      inSnapshot(() => {
        const marks = paymentUuids.map(() => '?').join(', ');
        const stored = database
          .prepare(
            `SELECT w.*, ${EARLIER} FROM webhooks w WHERE w.client_reference = ?
             UNION SELECT w.*, ${EARLIER} FROM webhooks w WHERE w.payment_uuid IN (${marks}) ORDER BY 1`,
          )
          .all(reference, ...paymentUuids) as ListedWebhook[];
        const tail = readTail(indexedId(), Number.MAX_SAFE_INTEGER, MAX_TAIL).reverse();
        const isOfPayment = (row: WebhookRow): boolean =>
          row.client_reference === reference || paymentUuids.includes(row.payment_uuid ?? '');
        return [...stored, ...tail.filter(isOfPayment).map((row) => withAttempts(row, tail))];
      }),
  };
}

function buildWhere(
  words: readonly string[],
  filter: InboxQuery['filter'],
): { from: string; condition: string; id: string; values: string[] } {
  const indexedWords = words.filter((word) => [...word].length >= MIN_INDEXED_WORD);
  const shortWords = words.filter((word) => !indexedWords.includes(word));
  const conditions = [FILTERS[filter]];
  const values: string[] = [];
  if (indexedWords.length > 0) {
    conditions.push('webhook_text MATCH ?');
    values.push(indexedWords.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND '));
  }
  for (const word of shortWords) {
    conditions.push(
      `(${SEARCHED_COLUMNS.map((column) => `instr(lower(ifnull(w.${column}, '')), lower(?)) > 0`).join(' OR ')})`,
    );
    values.push(...SEARCHED_COLUMNS.map(() => word));
  }
  const isIndexed = indexedWords.length > 0;
  return {
    from: isIndexed ? 'webhook_text JOIN webhooks w ON w.id = webhook_text.rowid' : 'webhooks w',
    id: isIndexed ? 'webhook_text.rowid' : 'w.id',
    condition: conditions.join(' AND '),
    values,
  };
}

const SEARCHED_COLUMNS = [
  'method',
  'path',
  'status',
  'code',
  'amount',
  'client_reference',
  'payment_uuid',
  'payment_reference',
  'webhook_id',
] as const;

function matchesWords(row: WebhookRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = SEARCHED_COLUMNS.map((column) => row[column] ?? '')
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

function matchesFilter(row: WebhookRow, filter: InboxQuery['filter']): boolean {
  if (filter === 'failed') {
    return row.status === 'FAILED' || row.status === 'CANCELED' || row.responded_status >= 300;
  }
  return true;
}
