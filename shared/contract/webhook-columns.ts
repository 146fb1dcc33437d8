import { maskSecrets } from '../mask-secrets';
import { webhookVerdicts, type WebhookVerdict } from '../webhooks/filter/filter-fields';

interface Shown {
  instant: number;
  text: string;
  text_or_null: string | null;
  number: number;
  number_or_null: number | null;
  boolean: boolean;
  words: string[];
  verdict_or_null: WebhookVerdict | null;
}
/** What a column holds, as the contract and the command line show it. */
export type ColumnKind = keyof Shown;

/** Where a payload has the reference of its payment. @source assumption A3 */
export const referenceFields = ['client_reference', 'transaction_reference', 'reference'] as const;

/** A webhook as its columns read it. */
export interface WebhookReading {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly respondedStatus: number;
  readonly method: string;
  readonly path: string;
  readonly bodyBytes: number;
  /** What its body would have been, where it was too long and only its beginning is kept; null: it is whole. */
  readonly fullBytes: number | null;
  /** Name of the rule that answered; null: none did. */
  readonly rule: string | null;
  readonly signature: { readonly verdict: WebhookVerdict; readonly reason: string | null };
  /** Finds a header, any case; null where it is not there. */
  header(name: string): string | null;
  /** Finds a member of the payload, or of its `data`, by the first of these names that is there; null: none. */
  field(...names: readonly string[]): string | null;
}

interface Column {
  /** Type in the table; `NOT NULL` where it says so. */
  readonly sql: 'INTEGER NOT NULL' | 'REAL' | 'TEXT' | 'TEXT NOT NULL';
  /** Reads the value from a webhook as it was received. */
  read(webhook: WebhookReading): string | number | null;
  /** Name in the contract; on the command line it has the column's own. */
  readonly name: string;
  /** Whether lists show it, or only a webhook that is opened. */
  readonly in: 'list' | 'detail';
  readonly kind: ColumnKind;
  /** Left out: shown as it is stored. */
  show?(stored: never): unknown;
}

const column = <const N extends string, const I extends 'list' | 'detail', S, const K extends ColumnKind>(
  definition: Omit<Column, 'name' | 'in' | 'read' | 'kind' | 'show'> & {
    read(webhook: WebhookReading): S;
    name: N;
    in: I;
    kind: K;
    show?(stored: S): Shown[K];
  },
) => definition;

const textOrNull = <const N extends string, const I extends 'list' | 'detail'>(
  name: N,
  place: I,
  read: (webhook: WebhookReading) => string | null,
) => column({ sql: 'TEXT', read, name, in: place, kind: 'text_or_null' });

const field = <const N extends string, const I extends 'list' | 'detail'>(
  name: N,
  place: I,
  ...members: readonly string[]
) => textOrNull(name, place, (webhook) => webhook.field(...members));

const flag = <const N extends string>(name: N, read: (webhook: WebhookReading) => number = () => 0) =>
  column({
    sql: 'INTEGER NOT NULL',
    read,
    name,
    in: 'list',
    kind: 'boolean',
    show: (stored) => stored === 1,
  });

/**
 * The columns of the inbox's list, in one table: how each is stored, read from a received webhook, and shown.
 *
 * Row type, INSERT, contract (`inbox.ts`) and the command line's JSON follow from it. No schema stands here: `listen`
 * has to start without loading any. A field more is an entry here and a step of
 * the schema (`inbox-schema`). Fields of the payload are those of assumption A3, amounts as written.
 */
export const webhookColumns = {
  received_at: column({
    sql: 'INTEGER NOT NULL',
    read: (webhook) => webhook.receivedAt,
    name: 'receivedAt',
    in: 'list',
    kind: 'instant',
  }),
  method: column({
    sql: 'TEXT NOT NULL',
    read: (webhook) => webhook.method,
    name: 'method',
    in: 'list',
    kind: 'text',
  }),
  path: column({
    sql: 'TEXT NOT NULL',
    read: (webhook) => webhook.path,
    name: 'path',
    in: 'list',
    kind: 'text',
    // Rows of earlier versions were stored unmasked.
    show: (stored) => maskSecrets(stored),
  }),
  content_type: textOrNull('contentType', 'list', (webhook) => webhook.header('content-type')),
  size_bytes: column({
    sql: 'INTEGER NOT NULL',
    // What was too long is kept cut: its own word counts.
    read: (webhook) => webhook.fullBytes ?? webhook.bodyBytes,
    name: 'sizeBytes',
    in: 'list',
    kind: 'number',
  }),
  responded_status: column({
    sql: 'INTEGER NOT NULL',
    read: (webhook) => webhook.respondedStatus,
    name: 'respondedStatus',
    in: 'list',
    kind: 'number',
  }),
  /** Milliseconds from the first byte to the answer, commit included; null where the process ended before it was noted. */
  answered_ms: column({
    sql: 'REAL',
    read: (): number | null => null,
    name: 'answeredInMs',
    in: 'detail',
    kind: 'number_or_null',
  }),
  is_read: flag('isRead'),
  status: field('status', 'list', 'status'),
  code: field('code', 'detail', 'code'),
  amount: field('amount', 'list', 'amount'),
  client_reference: field('clientReference', 'list', ...referenceFields),
  payment_uuid: field('paymentUuid', 'list', 'payment_uuid'),
  payment_reference: field('paymentReference', 'detail', 'payment_reference'),
  webhook_id: textOrNull('webhookId', 'list', (webhook) => webhook.header('webhook-id')),
  rule: textOrNull('rule', 'list', (webhook) => webhook.rule),
  /** Only the beginning of its body is kept: it was longer than the limit. */
  is_cut: flag('isKeptCut', (webhook) => (webhook.fullBytes === null ? 0 : 1)),
  /** By the secrets known when it came; null: it came before verdicts were kept. */
  verdict: column({
    sql: 'TEXT',
    read: (webhook): string | null => webhook.signature.verdict,
    name: 'verdict',
    in: 'list',
    kind: 'verdict_or_null',
    show: (stored) => webhookVerdicts.find((one) => one === stored) ?? null,
  }),
  verdict_reason: textOrNull('verdictReason', 'detail', (webhook) => webhook.signature.reason),
  is_pinned: flag('isPinned'),
  note: column({ sql: 'TEXT NOT NULL', read: (): string => '', name: 'note', in: 'list', kind: 'text' }),
  /** Separated by spaces. */
  tags: column({
    sql: 'TEXT NOT NULL',
    read: (): string => '',
    name: 'tags',
    in: 'list',
    kind: 'words',
    show: (stored) => stored.split(' ').filter(Boolean),
  }),
};

type Columns = Readonly<Record<string, Column>>;
type RowOf<C extends Columns> = { -readonly [K in keyof C]: ReturnType<C[K]['read']> };
type ViewOf<C extends Columns, I> = {
  [K in keyof C as C[K]['in'] extends I ? C[K]['name'] : never]: Shown[C[K]['kind']];
};

/** Makes from a table of columns what the store, the contract and the command line need of it. */
export function defineColumns<C extends Columns>(columns: C) {
  const entries = Object.entries(columns);
  const showValue = ({ show }: Column, stored: unknown): unknown =>
    show === undefined ? stored : show(stored as never);
  const writeValue = ({ kind }: Column, shown: unknown): unknown =>
    kind === 'instant' ? new Date(shown as number).toISOString() : shown;
  return {
    names: entries.map(([name]) => name) as (keyof C & string)[],
    readRow: (webhook: WebhookReading) =>
      Object.fromEntries(entries.map(([name, { read }]) => [name, read(webhook)])) as RowOf<C>,
    /** A row as the contract shows it in a place. */
    view: <I extends 'list' | 'detail'>(row: RowOf<C>, place: I) =>
      Object.fromEntries(
        entries
          .filter(([, one]) => one.in === place)
          .map(([name, one]) => [one.name, showValue(one, row[name])]),
      ) as ViewOf<C, I>,
    /** The same, of a row that came through the contract, as far as that shows it. */
    jsonOfView: (view: Readonly<Record<string, unknown>>): Record<string, unknown> =>
      Object.fromEntries(
        entries
          .filter(([, { name }]) => Object.hasOwn(view, name))
          .map(([name, one]) => [name, writeValue(one, view[one.name])]),
      ),
    /** A row as the command line's JSON: columns by their own names, moments as ISO 8601 text. */
    json: (row: RowOf<C>): Record<string, unknown> =>
      Object.fromEntries(entries.map(([name, one]) => [name, writeValue(one, showValue(one, row[name]))])),
  };
}

export const webhookTable = defineColumns(webhookColumns);

/** One row of the inbox's list, as stored. */
export type WebhookRow = { id: number } & RowOf<typeof webhookColumns>;
