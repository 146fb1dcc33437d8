import type Database from 'libsql';
import type { HeaderList } from '@shared/contract/common';
import type { SqlDatabase } from '../platform/ports';
import { describeLogRow, rawBytes, type LogRow, type WebhookRow } from './inbox-indexer';
import { readWebhookHead } from './read-webhook';

type Statement = Database.Statement<unknown[]>;

export interface InboxQuery {
  limit: number;
  /** Rows below this id follow; null: from the newest on. */
  before: number | null;
  search: string;
  filter: 'all' | 'unread' | 'failed';
}

/** A row of a list, and how many earlier webhooks carried its webhook-id (counted up to 1000). */
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
export const MAX_COUNTED = 5000;
/** So many rows that are not in the catalogue yet are looked through by a search or a filter. */
const MAX_TAIL = 2000;
/** So many more are looked through for the same webhook-id. */
const TAIL_FOR_ATTEMPTS = 50;
/** The search index holds pieces of three characters: shorter words cannot be looked up in it. */
const MIN_INDEXED_WORD = 3;
/** Filters that leave fewer rows than this are searched row by row. */
const MAX_SCANNED = 20_000;

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
  /** Webhooks of one payment, oldest first. */
  findByPayment(reference: string, paymentUuids: readonly string[]): ListedWebhook[];
  countUnread(): number;
  /** How many earlier webhooks carried this webhook-id, up to 1000; null: it carries none. */
  countEarlier(webhookId: string | null, id: number): number;
}

/**
 * Prepares reading.
 *
 * Webhooks that are durable but not in the catalogue yet are read from the log: a list is never behind.
 */
export function createInboxReader(database: SqlDatabase): InboxReader {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const inSnapshot = <T>(read: () => T): T => {
    database.exec('BEGIN');
    try {
      return read();
    } finally {
      database.exec('COMMIT');
    }
  };
  const indexedId = (): number => (prepare('SELECT id FROM indexed').get() as { id: number }).id;
  const count = (sql: string, ...values: unknown[]): number =>
    (prepare(`SELECT count(*) AS n FROM ${sql}`).get(values) as { n: number }).n;
  const readTail = (
    after: number,
    before: number,
    limit: number,
  ): { row: WebhookRow; searchText: string }[] =>
    (
      prepare('SELECT * FROM arrivals WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?').all(
        after,
        before,
        limit,
      ) as LogRow[]
    ).map(describeLogRow);
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
  /** Rows of the log are wide: only its index is read to count them. */
  const countTail = (): number =>
    count('arrivals INDEXED BY arrivals_by_id WHERE id > (SELECT id FROM indexed)');
  const countUnread = (): number => count('webhooks WHERE is_read = 0') + countTail();

  const list = (query: InboxQuery): InboxPage => {
    const indexed = indexedId();
    const before = query.before ?? Number.MAX_SAFE_INTEGER;
    const words = query.search.toLowerCase().trim().split(/\s+/).filter(Boolean);
    const isPlain = words.length === 0 && query.filter === 'all';
    const tail = readTail(indexed, before, isPlain ? query.limit + TAIL_FOR_ATTEMPTS : MAX_TAIL);
    const tailRows = tail.map(({ row }) => row);
    const matches = tail.filter(
      ({ row, searchText }) =>
        matchesFilter(row, query.filter) && words.every((word) => searchText.includes(word)),
    );
    const rows = matches.slice(0, query.limit).map(({ row }) => withAttempts(row, tailRows));
    const missing = query.limit - rows.length;
    const source = chooseSource(words, query.filter, () =>
      count(`webhooks w WHERE ${FILTERS[query.filter]}`),
    );
    if (missing > 0) {
      const sql = `SELECT w.*, ${EARLIER} FROM ${source.from} WHERE ${source.condition} AND ${source.id} < ?
        ORDER BY ${source.id} DESC LIMIT ?`;
      rows.push(
        ...(prepare(sql).all(...source.values, Math.min(before, indexed + 1), missing) as ListedWebhook[]),
      );
    }
    const countMatches = (): number => {
      if (query.before === null && rows.length < query.limit) return rows.length;
      const limited = `(SELECT 1 FROM ${source.countedFrom} WHERE ${source.condition} LIMIT ${MAX_COUNTED})`;
      return count(limited, ...source.values) + (query.before === null ? matches.length : 0);
    };
    const tailCount = countTail();
    return {
      rows,
      totalCount: isPlain ? count('webhooks') + tailCount : countMatches(),
      unreadCount: count('webhooks WHERE is_read = 0') + tailCount,
    };
  };

  return {
    list: (query) => inSnapshot(() => list(query)),
    countUnread: () => inSnapshot(countUnread),
    countEarlier: (webhookId, id) =>
      webhookId === null
        ? 0
        : count('(SELECT 1 FROM webhooks WHERE webhook_id = ? AND id < ? LIMIT 1000)', webhookId, id),
    get: (id) =>
      inSnapshot(() => {
        const logRow = prepare('SELECT * FROM arrivals WHERE id = ?').get(id) as LogRow | undefined;
        if (logRow === undefined) return null;
        const stored = prepare('SELECT * FROM webhooks WHERE id = ?').get(id) as WebhookRow | undefined;
        return {
          row: withAttempts(
            stored ?? describeLogRow(logRow).row,
            readTail(indexedId(), id, TAIL_FOR_ATTEMPTS).map((one) => one.row),
          ),
          headers: readWebhookHead(rawBytes(logRow).subarray(0, logRow.head_size)).headers,
          body: rawBytes(logRow).subarray(logRow.head_size),
          remoteAddress: logRow.remote_address,
        };
      }),
    findByPayment: (reference, paymentUuids) =>
      inSnapshot(() => {
        const marks = paymentUuids.map(() => '?').join(', ');
        const stored = prepare(
          `SELECT w.*, ${EARLIER} FROM webhooks w WHERE w.client_reference = ?
             UNION SELECT w.*, ${EARLIER} FROM webhooks w WHERE w.payment_uuid IN (${marks}) ORDER BY 1`,
        ).all(reference, ...paymentUuids) as ListedWebhook[];
        const tail = readTail(indexedId(), Number.MAX_SAFE_INTEGER, MAX_TAIL)
          .map(({ row }) => row)
          .reverse();
        const isOfPayment = (row: WebhookRow): boolean =>
          row.client_reference === reference || paymentUuids.includes(row.payment_uuid ?? '');
        return [...stored, ...tail.filter(isOfPayment).map((row) => withAttempts(row, tail))];
      }),
  };
}

interface Source {
  readonly from: string;
  /** The same without what only the rows shown need. */
  readonly countedFrom: string;
  readonly condition: string;
  readonly id: string;
  readonly values: readonly string[];
}

/**
 * Chooses where a query begins: at the search index, or at the rows, reading the text of each.
 *
 * Words under three characters are not in the index, and a filter that leaves few rows is the shorter way.
 * CROSS JOIN keeps the order as written: SQLite might ask the search index anew for each row.
 */
function chooseSource(
  words: readonly string[],
  filter: InboxQuery['filter'],
  countFiltered: () => number,
): Source {
  const id = 'w.id';
  if (words.length === 0) {
    return { from: 'webhooks w', countedFrom: 'webhooks w', condition: FILTERS[filter], id, values: [] };
  }
  const hasShortWord = words.some((word) => [...word].length < MIN_INDEXED_WORD);
  const isNarrow = filter !== 'all' && countFiltered() < MAX_SCANNED;
  if (hasShortWord || isNarrow) {
    const from = isNarrow
      ? 'webhooks w CROSS JOIN webhook_values v ON v.id = w.id'
      : 'webhook_values v CROSS JOIN webhooks w ON w.id = v.id';
    return {
      from,
      countedFrom: filter === 'all' ? 'webhook_values v' : from,
      condition: [...words.map(() => "v.text LIKE ? ESCAPE '\\'"), FILTERS[filter]].join(' AND '),
      id: isNarrow ? id : 'v.id',
      values: words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    };
  }
  const from = 'webhook_text CROSS JOIN webhooks w ON w.id = webhook_text.rowid';
  return {
    from,
    countedFrom: filter === 'all' ? 'webhook_text' : from,
    condition: `webhook_text MATCH ? AND ${FILTERS[filter]}`,
    id: 'webhook_text.rowid',
    values: [words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')],
  };
}

function matchesFilter(row: WebhookRow, filter: InboxQuery['filter']): boolean {
  if (filter === 'failed') {
    return row.status === 'FAILED' || row.status === 'CANCELED' || row.responded_status >= 300;
  }
  return true;
}
