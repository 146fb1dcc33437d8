import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Exchange } from '@shared/contract/sending';
import { products, type Product } from '@shared/payments/tables/products';
import type { HeaderList, RequestIdentity } from '@shared/contract/common';
import { decodeAnswer } from '@shared/decode-answer';
import { openDatabase } from '../../platform/database/database';
import { keepStatements } from '../../platform/database/keep-statements';
import type { Ports, SqlDatabase, SqlStatement } from '../../platform/ports';
import { formatSortableId, fromInstant, nextSortableId, parseSortableId } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import { chooseAnswered, nothingAnswered, type Answered } from './choose-answered';
import { readExchangeFacts } from './exchange-facts';
import { historyMigrations, searchedChars } from './history-schema';
import { readBody } from './read-body';
import { readStoredJson, selectFromDetail } from '../../platform/database/stored-json';

const HistoryError = errorsOf<'history'>();

/** What exchanges are called that the user's own backend had with the local sandbox. */
export const BACKEND_TITLE = 'Your backend';

/** Names what a column holds; exists for the types alone. */
const holds = <T>(): T => undefined as T;

/** Columns of an exchange that lists and journeys read. */
const summary = {
  id: holds<number>(),
  environment: holds<string>(),
  operation: holds<Exchange['operation']>(),
  product: holds<Product | null>(),
  collection_id: holds<string | null>(),
  path: holds<string | null>(),
  block: holds<string | null>(),
  title: holds<string>(),
  sent_at: holds<number>(),
  reference: holds<string | null>(),
  payment_uuid: holds<string | null>(),
  amount: holds<string | null>(),
  currency: holds<string | null>(),
  method: holds<string>(),
  url: holds<string>(),
  http_status: holds<number | null>(),
  total_ms: holds<number | null>(),
  outcome: holds<string | null>(),
  /** Why no answer came; null where one did. */
  error_code: holds<string | null>(),
  state: holds<string | null>(),
  /** What the local sandbox decided of a payment of the own backend, and when; null: nothing that is known. */
  settled_state: holds<string | null>(),
  settled_at: holds<number | null>(),
  summary: holds<string>(),
  is_signed: holds<number>(),
  is_finished: holds<number>(),
  is_pinned: holds<number>(),
};
export type ExchangeRow = typeof summary;

const summaryColumns = Object.keys(summary) as (keyof ExchangeRow)[];
export const SUMMARY_COLUMNS = summaryColumns.join(', ');
/** What becomes known apart from the exchange (a pin is the user's): what is written of it leaves them alone. */
type NotedColumn = 'is_pinned' | 'settled_state' | 'settled_at';
const notedColumns: readonly string[] = ['is_pinned', 'settled_state', 'settled_at'] satisfies NotedColumn[];
type WrittenColumn = Exclude<keyof ExchangeRow, NotedColumn>;
const writtenColumns = [
  ...summaryColumns.filter((column): column is WrittenColumn => !notedColumns.includes(column)),
  'detail',
] as const;
/** Its environment and its file may have another name by the time that it ends. */
const movedColumns: readonly string[] = ['environment', 'collection_id', 'path', 'block'];
const replacedColumns = writtenColumns.filter((column) => !movedColumns.includes(column));

type StoredRow = Pick<ExchangeRow, WrittenColumn> & { detail: string };

const isOneOf = (operations: readonly string[]): string =>
  `operation IN (${operations.map((one) => `'${one}'`).join(', ')})`;
const PAYMENT = isOneOf(products);
const PAYMENT_OR_TEST = isOneOf([...products, 'send_test']);

/** Where nobody told the reference it is looked for in answers up to this: of long ones that takes a while. */
const MOST_LOOKED_AT_BYTES = 256 * 1024;

/** Parts of a body come one after the other; longer apart, it is read again. */
const heldMs = 2000;

/** Stores exchanges in `history.db`. Tokens are masked before they come here. */
export class HistoryStore {
  readonly #database: SqlDatabase;
  readonly #prepare: (sql: string) => SqlStatement;
  readonly #ports: Pick<Ports, 'clock' | 'random'>;
  #lastId: number;
  #version: number;
  #held: { key: number; bytes: Uint8Array; timer: NodeJS.Timeout } | null = null;

  /** A statement met damage: opened anew, it is replaced by what can be saved. */
  isDamaged = false;

  constructor(file: string, ports: Pick<Ports, 'clock' | 'random'>, onRescued: (message: string) => void) {
    this.#database = openDatabase({
      file,
      migrations: historyMigrations,
      // What is forgotten is overwritten in the file, too: bodies have names and accounts of people in them.
      pragmas: { secure_delete: 'ON' },
      rescue: { counted: { table: 'exchanges', noun: 'exchanges' }, onRescued },
      onDamage: () => (this.isDamaged = true),
    });
    this.#prepare = keepStatements(this.#database);
    this.#ports = ports;
    this.#lastId = (this.#one('SELECT ifnull(max(id), 0) AS last FROM exchanges') as { last: number }).last;
    this.#version = this.#readVersion();
  }

  close(): void {
    this.#letGo();
    this.#database.close();
  }

  /** The same database, for what lists and tidies it. */
  get database(): SqlDatabase {
    return this.#database;
  }

  /** Another process that sends in the same millisecond has an id of its own: by chance, and {@link begin} refuses the rest. */
  nextId(): string {
    const chance = new DataView(this.#ports.random.bytes(2).slice().buffer).getUint16(0);
    this.#lastId = nextSortableId(this.#ports.clock.now(), this.#lastId, chance);
    return formatSortableId(this.#lastId);
  }

  /** Tells whether another process wrote since it was asked last. */
  hasChangedElsewhere(): boolean {
    const version = this.#readVersion();
    const isChanged = version !== this.#version;
    this.#version = version;
    return isChanged;
  }

  #readVersion(): number {
    return (this.#one('PRAGMA data_version') as { data_version: number }).data_version;
  }

  /** Writes a request before it leaves, durable when this returns. @throws where there is another under its id */
  begin(exchange: Exchange, product: Product | null): void {
    this.#saveAll(toRow(exchange, product, false), exchange, null, true);
  }

  /** Writes or replaces an exchange that has ended, durable when this returns. `responseBytes` are the bytes as received. */
  finish(exchange: Exchange, product: Product | null, responseBytes: Uint8Array | null): void {
    const row = toRow(exchange, product, true);
    const bytes = responseBytes === null ? null : Buffer.from(responseBytes);
    this.#saveAll(row, exchange, bytes, false);
  }

  #saveAll(row: StoredRow, exchange: Exchange, responseBody: Buffer | null, isNew: boolean): void {
    const { body: requestBody } = exchange.request;
    const text = writeSearchedText(row, requestBody, responseBody, exchange.response?.headers ?? []);
    const set = (columns: readonly string[]): string =>
      columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const marks = writtenColumns.map(() => '?').join(', ');
    const exchanges = this.#prepare(
      `INSERT INTO exchanges (${writtenColumns.join(', ')}) VALUES (${marks})
       ${isNew ? '' : `ON CONFLICT (id) DO UPDATE SET ${set(replacedColumns)}`}`,
    );
    const bodies = this.#prepare(
      `INSERT INTO exchange_bodies (id, request_body, response_body) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET ${set(['request_body', 'response_body'])}`,
    );
    const texts = this.#prepare(
      'INSERT INTO exchange_texts (id, text) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
    );
    this.#letGo();
    this.#database.transaction(() => {
      exchanges.run(writtenColumns.map((column) => row[column]));
      bodies.run([row.id, requestBody, responseBody]);
      texts.run([row.id, text]);
    })();
  }

  get(id: string): { exchange: Exchange; isFinished: boolean } | null {
    const key = parseSortableId(id);
    if (key === null) return null;
    const row = this.#one(
      `SELECT environment, collection_id, path, block, detail, request_body, response_body, is_finished FROM exchanges
       LEFT JOIN exchange_bodies USING (id) WHERE id = ?`,
      key,
    ) as
      | (Pick<ExchangeRow, 'collection_id' | 'path' | 'block'> & {
          environment: string;
          detail: string;
          request_body: string | null;
          response_body: Uint8Array | null;
          is_finished: number;
        })
      | undefined;
    if (row === undefined) return null;
    const identity = readIdentity(row);
    // What was kept before requests had an identity says nothing of one.
    const exchange = {
      identity: null,
      ...readStoredJson<Omit<Exchange, 'identity'>>(row.detail, 'history.db'),
      environment: row.environment,
      ...(identity !== null && { identity }),
    };
    exchange.request.body = row.request_body;
    const { response } = exchange;
    if (response !== null) Object.assign(response, readBody(row.response_body, response.headers));
    return { exchange, isFinished: row.is_finished === 1 };
  }

  /** Gives a part of an answer's bytes, and how many there are; null: it is not there. */
  readBodyPart(id: string, offset: number, length: number): { bytes: Uint8Array; sizeBytes: number } | null {
    const bytes = this.#readBodyOnce(parseSortableId(id) ?? -1);
    if (bytes === null) return null;
    return { bytes: bytes.subarray(offset, offset + length), sizeBytes: bytes.length };
  }

  /**
   * Reads an answer's bytes, and holds them as long as parts of them are asked for.
   *
   * A part by itself costs SQLite the way through all that stands before it: forty of ten megabytes took twelve times as long.
   */
  #readBodyOnce(key: number): Uint8Array | null {
    // Forgotten meanwhile, by whichever process, it is gone.
    const isThere = this.#one('SELECT 1 FROM exchange_bodies WHERE id = ?', key) !== undefined;
    if (this.#held?.key === key && isThere) {
      this.#held.timer.refresh();
      return this.#held.bytes;
    }
    const row = this.#one('SELECT response_body AS bytes FROM exchange_bodies WHERE id = ?', key) as
      | { bytes: Uint8Array | null }
      | undefined;
    if (row === undefined) return null;
    this.#letGo();
    const timer = setTimeout(() => this.#letGo(), heldMs).unref();
    this.#held = { key, bytes: row.bytes ?? new Uint8Array(), timer };
    return this.#held.bytes;
  }

  #letGo(): void {
    clearTimeout(this.#held?.timer);
    this.#held = null;
  }

  /** First exchanges of payments, newest first: one row a reference. */
  listPayments(limit: number, beforeId: number | null, search: string): ExchangeRow[] {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    return this.#all<ExchangeRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM exchanges e
       WHERE ${PAYMENT} AND reference IS NOT NULL AND id < ?
         AND (? = '%%' OR reference LIKE ? ESCAPE '\\' OR title LIKE ? ESCAPE '\\' OR payment_uuid LIKE ? ESCAPE '\\')
         AND NOT EXISTS (SELECT 1 FROM exchanges o WHERE o.reference = e.reference AND o.id < e.id AND o.${PAYMENT})
       ORDER BY id DESC LIMIT ?`,
      beforeId ?? Number.MAX_SAFE_INTEGER,
      pattern,
      pattern,
      pattern,
      pattern,
      limit,
    );
  }

  /**
   * First exchanges of the payments in whose answers an identifier stands as a whole text: a payment reference, a
   * request UUID. Looks at every answer, and so comes after what an index tells.
   */
  findByAnswer(identifier: string, limit: number): ExchangeRow[] {
    return this.#all<ExchangeRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM exchanges WHERE id IN (
         SELECT min(id) FROM exchanges WHERE ${PAYMENT} AND reference IN (
           SELECT reference FROM exchanges JOIN exchange_bodies USING (id)
             WHERE reference IS NOT NULL AND instr(CAST(response_body AS TEXT), ?) > 0
           UNION SELECT reference FROM exchanges WHERE ${selectFromDetail('$.response.requestId')} = ?
         ) GROUP BY reference
       ) ORDER BY id DESC LIMIT ?`,
      JSON.stringify(identifier),
      identifier,
      limit,
    );
  }

  /** Every exchange of one payment, oldest first: those that name its reference, and polls by its UUIDs. */
  listOfPayment(reference: string): ExchangeRow[] {
    return this.#all<ExchangeRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM exchanges WHERE reference = ?1
       UNION SELECT ${SUMMARY_COLUMNS} FROM exchanges WHERE payment_uuid IN (
         SELECT payment_uuid FROM exchanges WHERE reference = ?1 AND ${PAYMENT} AND payment_uuid IS NOT NULL
       ) ORDER BY id LIMIT 500`,
      reference,
    );
  }

  /** The exchange that a webhook answers: the payment with its reference and UUID, else a test that named them. */
  findAnswered(reference: string | null, paymentUuid: string | null): Answered<ExchangeRow> {
    const list = (column: 'reference' | 'payment_uuid', value: string, most: number): ExchangeRow[] =>
      this.#all(
        `SELECT ${SUMMARY_COLUMNS} FROM exchanges WHERE ${column} = ? AND ${PAYMENT_OR_TEST}
         ORDER BY ${PAYMENT} DESC, id DESC LIMIT ?`,
        value,
        most,
      );
    const found =
      reference === null ? nothingAnswered : chooseAnswered(list('reference', reference, 50), paymentUuid);
    if (found.row !== null || paymentUuid === null) return found;
    const [named] = list('payment_uuid', paymentUuid, 1);
    return named === undefined ? found : { row: named, oneOf: 0 };
  }

  /**
   * Tells whether a request that the sandbox got is in the history: recorded before, or one of this app, which knows its
   * id from the answer. One whose answer is not there yet, or never came, is taken for it.
   */
  isKnownRequest(reference: string, requestId: string): boolean {
    const found = this.#one(
      `SELECT 1 FROM exchanges WHERE reference = ? AND (
         ${selectFromDetail('$.response.requestId')} = ? OR (http_status IS NULL AND title <> '${BACKEND_TITLE}')
       ) LIMIT 1`,
      reference,
      requestId,
    );
    return found !== undefined;
  }

  /** Accepted payments of the own backend of which no outcome is known, newest first. */
  listUndecided(limit: number): { paymentUuid: string; reference: string }[] {
    return this.#all<{ paymentUuid: string; reference: string }>(
      `SELECT payment_uuid AS paymentUuid, reference FROM exchanges
       WHERE title = '${BACKEND_TITLE}' AND environment = ? AND outcome = 'accepted' AND settled_at IS NULL
         AND payment_uuid IS NOT NULL AND reference IS NOT NULL ORDER BY id DESC LIMIT ?`,
      localEnvironmentId,
      limit,
    );
  }

  /** Keeps what the local sandbox decided of a payment of the own backend. */
  settle(paymentUuid: string, state: string, at: number): void {
    this.#prepare(
      `UPDATE exchanges SET settled_state = ?, settled_at = ?
       WHERE payment_uuid = ? AND title = '${BACKEND_TITLE}' AND environment = ? AND outcome = 'accepted'`,
    ).run([state, at, paymentUuid, localEnvironmentId]);
  }

  /**
   * Lists what this app sent to the local sandbox itself, newest first: ids of requests and references of payments. A
   * payment whose status was asked for here may be somebody else's.
   */
  listOwnLocal(limit: number): { requestId: string | null; reference: string | null }[] {
    return this.#all<{ requestId: string | null; reference: string | null }>(
      `SELECT CASE WHEN operation = 'status' THEN NULL ELSE reference END AS reference,
         ${selectFromDetail('$.response.requestId')} AS requestId FROM exchanges
         WHERE environment = ? AND title <> '${BACKEND_TITLE}' ORDER BY id DESC LIMIT ?`,
      localEnvironmentId,
      limit,
    );
  }

  /** True where an acceptance named this page for paying; compared as it came, character by character. */
  hasCheckoutUrl(url: string): boolean {
    const found = this.#one(
      `SELECT 1 FROM exchanges WHERE outcome = 'accepted' AND ${selectFromDetail('$.reading.checkoutUrl')} = ? LIMIT 1`,
      url,
    );
    return found !== undefined;
  }

  /** Signed requests, latest first, with the string that was signed. */
  listSigned(limit: number): { title: string; reference: string; stringToSign: string | null }[] {
    return this.#all<{ title: string; sent_at: number; reference: string; string_to_sign: string | null }>(
      `SELECT title, sent_at, reference, ${selectFromDetail('$.request.stringToSign')} AS string_to_sign
       FROM exchanges WHERE is_signed = 1 AND reference IS NOT NULL ORDER BY id DESC LIMIT ?`,
      limit,
    ).map(({ title, sent_at, reference, string_to_sign }) => ({
      title: `${title}, ${new Date(sent_at).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
      reference,
      stringToSign: string_to_sign,
    }));
  }

  /** References of payments of one product that were sent since a time, newest first. */
  listRecentReferences(environment: string, product: Product, since: number): string[] {
    return this.#all<{ reference: string }>(
      `SELECT DISTINCT reference FROM (SELECT reference FROM exchanges
        WHERE environment = ? AND operation = ? AND reference IS NOT NULL AND sent_at >= ? ORDER BY id DESC LIMIT 50)`,
      environment,
      product,
      since,
    ).map(({ reference }) => reference);
  }

  /** References of what was sent since a time, by whichever process; newest first. */
  listReferencesSince(since: number): string[] {
    return this.#all<{ reference: string }>(
      `SELECT DISTINCT reference FROM (SELECT reference FROM exchanges WHERE id >= ? ORDER BY id DESC LIMIT 200)
        WHERE reference IS NOT NULL`,
      fromInstant(since),
    ).map(({ reference }) => reference);
  }

  #one(sql: string, ...values: unknown[]): unknown {
    return this.#prepare(sql).get(values);
  }

  #all<T>(sql: string, ...values: unknown[]): T[] {
    return this.#prepare(sql).all(values) as T[];
  }
}

function toRow(exchange: Exchange, product: Product | null, isFinished: boolean): StoredRow {
  const { id, environment, operation, identity, title, sentAt, request, response, reading } = exchange;
  // Whoever sent it has looked in the answer already.
  const isLookedAt = exchange.reference !== null || (response?.sizeBytes ?? 0) > MOST_LOOKED_AT_BYTES;
  const answer = isLookedAt ? null : (response?.body ?? null);
  const facts = readExchangeFacts(operation, request.body, answer, reading);
  return {
    id: requireId(id),
    environment,
    operation,
    product,
    ...writeIdentity(identity),
    title,
    sent_at: sentAt,
    reference: exchange.reference ?? facts.reference,
    payment_uuid: facts.paymentUuid,
    amount: facts.amount,
    currency: facts.currency,
    method: request.method,
    url: request.url,
    http_status: response?.httpStatus ?? null,
    total_ms: exchange.timings?.totalMs ?? null,
    outcome: reading?.outcome ?? null,
    error_code: exchange.error?.code ?? null,
    state: reading?.state ?? null,
    summary: summarise(exchange),
    is_signed: +(request.signature !== null),
    is_finished: +isFinished,
    detail: JSON.stringify({
      ...exchange,
      request: { ...request, body: null },
      response: response === null ? null : { ...response, body: '', bodyBase64: null },
    }),
  };
}

/** What a search looks through: of long bodies the beginning. */
function writeSearchedText(
  row: Pick<StoredRow, 'title' | 'method' | 'url' | 'reference' | 'payment_uuid' | 'outcome' | 'summary'>,
  requestBody: string | null,
  responseBody: Buffer | null,
  headers: HeaderList,
): string {
  const { title, method, url, reference, payment_uuid, outcome, summary } = row;
  const received = responseBody && readBeginning(responseBody, headers);
  const sent = requestBody?.slice(0, searchedChars) ?? null;
  return [title, `${method} ${url}`, reference, payment_uuid, outcome, summary, sent, received]
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase();
}

function readBeginning(bytes: Buffer, headers: HeaderList): string {
  const isCut = bytes.length > searchedChars;
  return decodeAnswer([bytes.subarray(0, searchedChars)], headers, { isCut }).text;
}

function writeIdentity(
  identity: RequestIdentity | null,
): Pick<StoredRow, 'collection_id' | 'path' | 'block'> {
  if (identity === null) return { collection_id: null, path: null, block: null };
  return { collection_id: identity.collectionId, path: identity.path, block: identity.block };
}

/** The request that a row is of; null: a call of the app's own, or one kept before requests had an identity. */
export function readIdentity({
  collection_id,
  path,
  block,
}: Pick<ExchangeRow, 'collection_id' | 'path' | 'block'>): RequestIdentity | null {
  if (collection_id === null || path === null || block === null) return null;
  return { collectionId: collection_id, path, block };
}

/** Gives the row of an exchange. @throws {AppError} `history.unknown` */
export function requireId(id: string): number {
  const key = parseSortableId(id);
  if (key === null) throw new HistoryError('history.unknown', `There is no exchange '${id.slice(0, 40)}'.`);
  return key;
}

function summarise({ reading, response, error }: Exchange): string {
  if (error !== null) return error.message;
  if (reading !== null) return reading.title;
  return response === null ? 'No answer yet' : `Answered ${response.httpStatus}`;
}
