import { z } from 'zod';
import { sayConflict } from '@shared/http-file/find-conflicts';
import { parseOrNothing } from '@shared/json/parse-or-nothing';
import { products } from '@shared/payments/tables/products';
import { paymentStates, walletStates } from '@shared/payments/tables/states';
import { endSentence } from '@shared/end-sentence';
import {
  refuseSnapshot as refuse,
  SNAPSHOT_FORMAT,
  SNAPSHOT_VERSION,
  type SandboxSnapshot,
} from './snapshot';

const integer = z.int();
const minor = z.int().min(0);
const text = z.string().max(1_100_000);
const name = z.string().min(1).max(300);
const instant = z
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31));
const finalState = z.enum(['succeeded', 'failed', 'canceled']);
const checkout = z.strictObject({ id: name, redirectUrl: text, description: text, customerName: text });

/** In the order of `PaymentDetail`. */
const paymentDetail = z.tuple([
  name,
  z.string().regex(/^[0-9a-f-]{36}$/),
  z.enum(products),
  minor,
  minor,
  name,
  text.nullable(),
  finalState.nullable(),
  z.int().min(1).max(100),
  text,
  text.nullable(),
  checkout.nullable(),
  instant,
]);

const DETAIL = { product: 2, amount: 3, charges: 4, currency: 5 } as const;

const tables = {
  wallets: z.strictObject({
    product: z.enum(products),
    currency: name,
    actual_minor: minor,
    held_minor: minor,
    alert_minor: minor.nullable(),
    status: z.enum(walletStates),
  }),
  payments: z.strictObject({
    payment_uuid: z.int().min(1),
    reference: name,
    state: z.enum(paymentStates),
    due_at: instant.nullable(),
    last_updated: instant.nullable(),
    detail: text,
  }),
  checkouts: z.strictObject({ id: name, payment_uuid: z.int().min(1) }),
  public_keys: z.strictObject({ fingerprint: name, position: minor, pem: z.string().max(20_000) }),
  webhook_deliveries: z.strictObject({
    seq: z.int().min(1),
    id: name,
    callback_url: text,
    body: text,
    transaction_reference: text.nullable(),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: minor,
    step: minor,
    copies: minor,
    next_attempt_at: instant.nullable(),
  }),
  webhook_attempts: z.strictObject({
    seq: z.int().min(1),
    attempt: integer,
    at: instant,
    duration_ms: z.number().min(0),
    http_status: integer.nullable(),
    error: text.nullable(),
    response_body: text.nullable(),
  }),
} as const;
type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as TableName[];

const document = z.strictObject({
  format: z.literal(SNAPSHOT_FORMAT),
  version: z.literal(SNAPSHOT_VERSION),
  saved_at: z.string().max(40),
  clock_offset_ms: z
    .number()
    .min(0)
    .max(Date.UTC(9999, 11, 31)),
  tables: z.strictObject(
    Object.fromEntries(tableNames.map((table) => [table, z.array(tables[table])])) as {
      [N in TableName]: z.ZodArray<(typeof tables)[N]>;
    },
  ),
});

type CheckedSnapshot = z.output<typeof document>;

/** Says what a file is that says of itself that it is no snapshot, or nothing that can be read. */
function describeOther(json: string, given: unknown): string {
  const conflict = given === undefined ? sayConflict(json) : null;
  if (conflict !== null) return `It cannot be read, ${conflict}`;
  return given === undefined && json.includes(`"${SNAPSHOT_FORMAT}"`)
    ? 'It was one, and is no JSON any more: it was cut or changed. Take it again from where it was saved.'
    : 'It is no snapshot of a sandbox.';
}

/**
 * Reads a snapshot that somebody gives.
 *
 * @throws {AppError} `sandbox.bad_snapshot` where it is none, is of a newer version, or does not add up
 */
export function parseSnapshot(json: string): SandboxSnapshot {
  const given = parseOrNothing(json.replace(/^\ufeff/, ''));
  const { format, version } = (given ?? {}) as { format?: unknown; version?: unknown };
  if (format !== SNAPSHOT_FORMAT) throw refuse(describeOther(json, given));
  if (typeof version === 'number' && version > SNAPSHOT_VERSION) {
    throw refuse(
      `It is of version ${version}, and this program reads version ${SNAPSHOT_VERSION}: use a newer one.`,
    );
  }
  const checked = document.safeParse(given);
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!;
    if (path[0] === 'version')
      throw refuse(`It is of no version that this program knows: it reads version ${SNAPSHOT_VERSION}.`);
    throw refuse(`It is damaged: ${path.join('/').slice(0, 100)}: ${endSentence(message.slice(0, 200))}`);
  }
  requireSum(checked.data);
  return checked.data;
}

/** What wallets hold is what payments under way have set aside: a sandbox with less would never settle them. */
function requireSum({ tables: { wallets, payments } }: CheckedSnapshot): void {
  const held = new Map<string, number>();
  for (const { state, detail, reference } of payments) {
    const checked = paymentDetail.safeParse(parseOrNothing(detail));
    if (!checked.success) throw refuse(`The payment '${reference.slice(0, 60)}' cannot be read.`);
    const product = checked.data[DETAIL.product];
    if (state !== 'processing' || product === 'collection') continue;
    const key = `${product} ${checked.data[DETAIL.currency]}`;
    held.set(key, (held.get(key) ?? 0) + checked.data[DETAIL.amount] + checked.data[DETAIL.charges]);
  }
  for (const { product, currency, held_minor: kept, actual_minor: actual } of wallets) {
    const key = `${product} ${currency}`;
    if ((held.get(key) ?? 0) !== kept || kept > actual) throw refuse(`The wallet ${key} does not add up.`);
    held.delete(key);
  }
  const [missing] = held.keys();
  if (missing !== undefined) throw refuse(`The wallet ${missing} is missing.`);
}
