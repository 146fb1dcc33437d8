import { webhookColumns, webhookTable, type WebhookRow } from '@shared/contract/webhook-columns';
import { maskHeaders } from '@shared/mask-secrets';
import type { StoredWebhook } from '../inbox-log';
import type { ListedWebhook } from '../inbox-reader';
import { readWebhookHead } from '../read-webhook';
import { SCHEMA } from './postgres-schema';

/** Whoever may insert may have inserted anything: longer texts of a row are cut where they are read. */
const MOST_TEXT = 8000;
/** Longer bodies are shown and exported as far as this: receivers keep none that is longer. */
const MOST_BODY_BYTES = 16 * 1024 * 1024;
const MOST_HEAD_BYTES = 256 * 1024;

/** Up to which id this person has read everything, but for what `person_marks` says. */
export const READ_UP_TO = `(SELECT coalesce(max(read_up_to), 0) FROM ${SCHEMA}.people WHERE person = session_user)`;

const noted: Readonly<Record<string, string>> = {
  is_read: `coalesce(p.is_read, (c.id <= ${READ_UP_TO})::integer)`,
  is_pinned: 'coalesce(t.is_pinned, 0)',
  note: "coalesce(t.note, '')",
  tags: "coalesce(t.tags, '')",
};

/** What came, and what this person and the team have noted of it, as one table with the columns of the inbox. */
export const WEBHOOKS = `(SELECT c.id, c.words, c.remote_address, t.marked_by, t.marked_at,
  ${webhookTable.names.map((name) => `${noted[name] ?? `c.${name}`} AS ${name}`).join(', ')}
  FROM ${SCHEMA}.webhooks c
  LEFT JOIN ${SCHEMA}.team_marks t ON t.id = c.id
  LEFT JOIN ${SCHEMA}.person_marks p ON p.id = c.id AND p.person = session_user) w`;

/** The columns of a row of {@link WEBHOOKS}, bounded. */
export const ROW = `w.id, ${webhookTable.names
  .map((name) =>
    webhookColumns[name].sql.startsWith('TEXT') ? `left(w.${name}, ${MOST_TEXT}) AS ${name}` : `w.${name}`,
  )
  .join(', ')}`;

/** The same with how many earlier ones carried its webhook-id, up to 1000. */
export const LISTED_ROW = `${ROW}, (SELECT count(*) FROM (SELECT 1 FROM ${SCHEMA}.webhooks e
  WHERE left(e.webhook_id, 100) = left(w.webhook_id, 100) AND e.webhook_id = w.webhook_id AND e.id < w.id
  LIMIT 1000) earlier) AS earlier_attempts`;

export const HEAD = `substr(c.head, 1, ${MOST_HEAD_BYTES}) AS head`;
export const BYTES = `${HEAD}, substr(c.body, 1, ${MOST_BODY_BYTES}) AS body`;

/** Numbers the values of a statement: `?` as `$1`, `$2` … */
export function numberValues(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}

/** End of the year 9999, as far as moments are written. */
const LAST_INSTANT = 253_402_300_799_999;

/** A number that somebody may have made up: within bounds, and one at all. */
export function boundNumber(value: unknown, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value);
  return Number.isNaN(number) ? 0 : Math.min(Math.max(number, 0), most);
}

export const boundInstant = (value: unknown): number => boundNumber(value, LAST_INSTANT);

/** What a column may hold at most, where that is less than what a number may. */
const most: Readonly<Record<string, number>> = { received_at: LAST_INSTANT, responded_status: 999 };
const numeric = webhookTable.names.filter((name) => !webhookColumns[name].sql.startsWith('TEXT'));

/** What was read of {@link ROW}, numbers bounded as texts are. */
export function readRow<R extends WebhookRow = ListedWebhook>(stored: Record<string, unknown>): R {
  const row = { ...stored };
  for (const name of numeric) {
    if (row[name] === null) continue;
    row[name] = boundNumber(row[name], most[name]);
  }
  return row as unknown as R;
}

/** A webhook with its bytes, headers masked as lists show them. */
export function joinBytes<R extends WebhookRow>(
  row: R,
  { head, body }: { head: Buffer; body: Buffer },
  remoteAddress: string | null,
): StoredWebhook<R> {
  return { row, headers: maskHeaders(readWebhookHead(head).headers), body, remoteAddress };
}
