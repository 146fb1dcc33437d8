import { webhookColumns, webhookTable } from '@shared/contract/webhook-columns';
import { readWebhook } from '../read-webhook';
import type { ReceivedWebhook } from '../webhook-writer';
import type { PostgresSession } from './migrate-postgres';
import { SCHEMA } from './postgres-schema';
import { toPostgresText } from './postgres-text';
import { listSearchWords, WORD_SEPARATOR } from './search-words';

/** What people note stands in tables of its own; how long an answer took is known only after it. */
const notReceived: ReadonlySet<string> = new Set(['is_read', 'is_pinned', 'note', 'tags', 'answered_ms']);

/** The columns of `countersign.webhooks` that hold what the inbox's table of columns reads. */
export const receivedColumns = webhookTable.names.filter((name) => !notReceived.has(name));

const ARRAY_TYPES = { INTEGER: 'bigint[]', REAL: 'double precision[]', TEXT: 'text[]' } as const;

const parameters = [
  ['receipt', 'uuid'],
  ['pack', 'bytea'],
  ['starts', 'integer[]'],
  ['head_sizes', 'integer[]'],
  ['body_sizes', 'integer[]'],
  ['words', 'text[]'],
  ['remote_address', 'text[]'],
  ['full_bytes', 'bigint[]'],
  ...receivedColumns.map((name) => [
    name,
    ARRAY_TYPES[webhookColumns[name].sql.split(' ', 1)[0] as keyof typeof ARRAY_TYPES],
  ]),
];
const RECEIVE = `SELECT ${SCHEMA}.receive(${parameters
  .map(([name, type], at) => `p_${name} => $${at + 1}::${type}`)
  .join(', ')}) AS first`;

/**
 * Keeps webhooks in one statement, which is one transaction; they are durable when it resolves.
 *
 * @param receipt - a UUID: asked again with the same one, nothing is kept twice
 * @param keys - what signatures are verified with
 * @param isPlain - nothing is read out of them: one of them has what the database does not take
 * @returns id of the first; the others follow it without a gap
 */
export async function writeBatch(
  session: PostgresSession,
  receipt: string,
  webhooks: readonly ReceivedWebhook[],
  keys: readonly string[],
  isPlain = false,
): Promise<number> {
  const { rows } = await session.query(RECEIVE, [receipt, ...packBatch(webhooks, keys, isPlain)]);
  return Number(rows[0]!['first']);
}

function packBatch(
  webhooks: readonly ReceivedWebhook[],
  keys: readonly string[],
  isPlain: boolean,
): unknown[] {
  const readings = webhooks.map((webhook) => readWebhook({ ...webhook, keys }));
  const rows = readings.map((reading) => webhookTable.readRow(reading));
  let end = 0;
  const starts = webhooks.map(
    ({ head, body }) => (end += head.length + body.length) - head.length - body.length,
  );
  return [
    Buffer.concat(webhooks.flatMap(({ head, body }) => [head, body])),
    starts,
    webhooks.map(({ head }) => head.length),
    webhooks.map(({ body }) => body.length),
    readings.map(({ searchText }) => (isPlain ? '' : listSearchWords(searchText).join(WORD_SEPARATOR))),
    webhooks.map(({ remoteAddress }) => remoteAddress),
    webhooks.map(({ fullBytes }) => fullBytes),
    ...receivedColumns.map((name) =>
      rows.map((row) => (isPlain ? toPlain(name, row[name]) : toStored(row[name]))),
    ),
  ];
}

const toStored = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? toPostgresText(value) : value;

function toPlain(
  name: (typeof receivedColumns)[number],
  value: string | number | null,
): string | number | null {
  if (typeof value !== 'string') return value;
  return webhookColumns[name].sql === 'TEXT' ? null : '';
}
