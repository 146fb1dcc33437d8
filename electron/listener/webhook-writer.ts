import type { SqlDatabase } from '../platform/ports';
import { nextSortableId } from '../platform/sortable-id';
import { NotReadBack } from './write-failure';

/** A webhook as received, before it has an id. */
export interface ReceivedWebhook {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly respondedStatus: number;
  readonly remoteAddress: string;
  /** Name of the rule that answers it; null: none does. */
  readonly rule: string | null;
  /** What its body would have been, where it is kept cut; null: it is whole. */
  readonly fullBytes: number | null;
  /** Head without its empty line, then the body: bytes as received. */
  readonly head: Buffer;
  readonly body: Buffer;
}

/** Longer ones are bound one by one instead of being copied into the pack. */
const MAX_PACKED_BYTES = 64 * 1024;
const MAX_PACK_ROWS = 1024;
/** received_at, status, head size, offset, size: fixed places, so that SQL finds them by number. */
const ROW_WIDTH = 6 + 3 + 6 + 9 + 9;

/** Cuts one pack of webhooks into rows: one call into SQLite for all of them, a fifth of the cost of one a row. */
const INSERT_PACK = `
  INSERT INTO arrivals (id, received_at, responded_status, head_size, remote_address, rule, raw)
  SELECT ?1 + i,
    ?2 + CAST(substr(?3, i * ${ROW_WIDTH} + 1, 6) AS INTEGER),
    CAST(substr(?3, i * ${ROW_WIDTH} + 7, 3) AS INTEGER),
    CAST(substr(?3, i * ${ROW_WIDTH} + 10, 6) AS INTEGER),
    ?4,
    ?7,
    substr(?5, CAST(substr(?3, i * ${ROW_WIDTH} + 16, 9) AS INTEGER) + 1,
      CAST(substr(?3, i * ${ROW_WIDTH} + 25, 9) AS INTEGER))
  FROM numbers WHERE i < ?6`;

const INSERT_ONE = `
  INSERT INTO arrivals (id, received_at, responded_status, head_size, remote_address, rule, full_bytes, raw)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Writes webhooks to the log.
 *
 * Ids are taken inside the transaction, above every id there is: they follow the order of commits even where
 * two processes write to one file.
 */
export class WebhookWriter {
  readonly #database: SqlDatabase;
  readonly #insertPack;
  readonly #insertOne;
  readonly #readLast;
  readonly #countFrom;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#insertPack = database.prepare(INSERT_PACK);
    this.#insertOne = database.prepare(INSERT_ONE);
    this.#countFrom = database.prepare(
      'SELECT count(*) AS n FROM arrivals NOT INDEXED WHERE id BETWEEN ? AND ?',
    );
    this.#readLast = database.prepare(
      'SELECT max(ifnull((SELECT max(id) FROM arrivals), 0), (SELECT id FROM indexed)) AS last',
    );
  }

  /**
   * Writes all of them in one transaction; they are durable when it returns.
   *
   * @returns their ids, in order. Throws what SQLite throws, or that they cannot be read back; then none counts as kept.
   */
  write(webhooks: readonly ReceivedWebhook[], nowMs: number): number[] {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const { last } = this.#readLast.get() as { last: number };
      const firstId = nextSortableId(nowMs, last);
      this.#insertAll(webhooks, firstId);
      this.#database.exec('COMMIT');
      this.#readBack(firstId, webhooks.length);
      return webhooks.map((_webhook, index) => firstId + index);
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Writes a row and takes it out in one transaction, so that nobody sees it. Throws what SQLite throws where it cannot. */
  tryToWrite(): void {
    const row = { receivedAt: 0, respondedStatus: 0, remoteAddress: '', rule: null, fullBytes: null };
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const { last } = this.#readLast.get() as { last: number };
      const id = last + 1;
      this.#insertAll([{ ...row, head: Buffer.alloc(0), body: Buffer.alloc(MAX_PACKED_BYTES) }], id);
      this.#database.prepare('DELETE FROM arrivals WHERE id = ?').run([id]);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Answers nothing on the strength of a commit alone: in a damaged file rows may go where no list finds them. */
  #readBack(firstId: number, count: number): void {
    const { n } = this.#countFrom.get(firstId, firstId + count - 1) as { n: number };
    if (n !== count) throw new NotReadBack(`${n} of ${count} webhooks can be read back`);
  }

  #insertAll(webhooks: readonly ReceivedWebhook[], firstId: number): void {
    let from = 0;
    while (from < webhooks.length) {
      const first = webhooks[from]!;
      let to = from;
      while (to < webhooks.length && to - from < MAX_PACK_ROWS && canPack(webhooks[to]!, first)) to++;
      if (to > from) {
        this.#insertPacked(webhooks.slice(from, to), firstId + from);
        from = to;
      } else {
        const raw = Buffer.concat([first.head, first.body]);
        const { receivedAt, respondedStatus, remoteAddress, rule, fullBytes } = first;
        this.#insertOne.run([
          firstId + from,
          receivedAt,
          respondedStatus,
          first.head.length,
          remoteAddress,
          rule,
          fullBytes,
          raw,
        ]);
        from++;
      }
    }
  }

  #insertPacked(rows: readonly ReceivedWebhook[], firstId: number): void {
    const baseMs = rows[0]!.receivedAt;
    let meta = '';
    let offset = 0;
    const pieces: Buffer[] = [];
    for (const { head, body, receivedAt, respondedStatus } of rows) {
      const size = head.length + body.length;
      meta +=
        digits(receivedAt - baseMs, 6) +
        digits(respondedStatus, 3) +
        digits(head.length, 6) +
        digits(offset, 9) +
        digits(size, 9);
      offset += size;
      pieces.push(head, body);
    }
    this.#insertPack.run([
      firstId,
      baseMs,
      Buffer.from(meta, 'latin1'),
      rows[0]!.remoteAddress,
      Buffer.concat(pieces, offset),
      rows.length,
      rows[0]!.rule,
    ]);
  }
}

function canPack(webhook: ReceivedWebhook, first: ReceivedWebhook): boolean {
  const delta = webhook.receivedAt - first.receivedAt;
  return (
    webhook.head.length + webhook.body.length <= MAX_PACKED_BYTES &&
    webhook.remoteAddress === first.remoteAddress &&
    webhook.rule === first.rule &&
    webhook.fullBytes === null &&
    delta >= 0 &&
    delta < 1_000_000
  );
}

const ZEROS = '000000000';

function digits(value: number, width: number): string {
  const text = String(value);
  return ZEROS.slice(0, width - text.length) + text;
}
