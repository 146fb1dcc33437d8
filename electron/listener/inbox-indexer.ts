import type { SqlDatabase } from '../platform/ports';
import { findHeader, readWebhookHead, readPayload } from './read-webhook';

/** One row of the log. */
export interface LogRow {
  id: number;
  received_at: number;
  responded_status: number;
  head_size: number;
  remote_address: string | null;
  /** `get` of libsql gives a Buffer, `all` an ArrayBuffer. */
  raw: Uint8Array | ArrayBuffer;
}

/** Gives the bytes of a row as one view, without copying. */
export function rawBytes({ raw }: LogRow): Buffer {
  return raw instanceof Uint8Array ? Buffer.from(raw.buffer, raw.byteOffset, raw.length) : Buffer.from(raw);
}

/** One row of `webhooks`, as columns. */
export interface WebhookRow {
  id: number;
  received_at: number;
  method: string;
  path: string;
  content_type: string | null;
  size_bytes: number;
  responded_status: number;
  answered_ms: number | null;
  is_read: number;
  status: string | null;
  code: string | null;
  amount: string | null;
  client_reference: string | null;
  payment_uuid: string | null;
  payment_reference: string | null;
  webhook_id: string | null;
}

/** Makes the row of the catalogue from a row of the log, and the text that searches read. */
export function describeLogRow(logRow: LogRow): { row: WebhookRow; searchText: string } {
  const { id, received_at, responded_status, head_size } = logRow;
  const raw = rawBytes(logRow);
  const { method, path, headers } = readWebhookHead(raw.subarray(0, head_size));
  const body = raw.subarray(head_size);
  const { fields, searchText } = readPayload(body);
  const webhook_id = findHeader(headers, 'webhook-id');
  return {
    row: {
      id,
      received_at,
      method,
      path,
      content_type: findHeader(headers, 'content-type'),
      size_bytes: responded_status === 413 ? Number(findHeader(headers, 'content-length') ?? 0) : body.length,
      responded_status,
      answered_ms: null,
      is_read: 0,
      status: fields.status,
      code: fields.code,
      amount: fields.amount,
      client_reference: fields.clientReference,
      payment_uuid: fields.paymentUuid,
      payment_reference: fields.paymentReference,
      webhook_id,
    },
    searchText: `${method} ${path} ${webhook_id ?? ''} ${searchText}`.toLowerCase(),
  };
}

const INSERT_WEBHOOK = `
  INSERT OR IGNORE INTO webhooks (id, received_at, method, path, content_type, size_bytes, responded_status,
    answered_ms, is_read, status, code, amount, client_reference, payment_uuid, payment_reference, webhook_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Fills the catalogue and the search index from the log. */
export interface InboxIndexer {
  /** Takes the next rows of the log, at most `limit`. @returns whether it has caught up */
  runSlice(limit: number): boolean;
  /** Keeps how long an answer took, until its row is made. */
  noteAnswered(id: number, answeredMs: number): void;
  /** Marks webhooks that may not be in the catalogue yet. */
  markRead(ids: readonly number[] | 'all', isRead: boolean): void;
  deleteWebhooks(ids: readonly number[] | 'all'): number;
}

/** So many answer times wait in memory; beyond it they are not kept. */
const MAX_NOTES = 100_000;

/**
 * Prepares the indexer.
 *
 * Runs beside the log, in the same thread, in slices: a webhook never waits for its search index. Where the
 * process ended in between, the next one goes on from `indexed`.
 */
export function createInboxIndexer(database: SqlDatabase): InboxIndexer {
  const readIndexed = database.prepare('SELECT id FROM indexed');
  const writeIndexed = database.prepare('UPDATE indexed SET id = max(id, ?)');
  const readLog = database.prepare('SELECT * FROM arrivals WHERE id > ? ORDER BY id LIMIT ?');
  const insertWebhook = database.prepare(INSERT_WEBHOOK);
  const insertValues = database.prepare('INSERT INTO webhook_values (id, text) VALUES (?, ?)');
  const insertText = database.prepare('INSERT INTO webhook_text (rowid, text) VALUES (?, ?)');
  const setAnswered = database.prepare('UPDATE webhooks SET answered_ms = ? WHERE id = ?');
  const setRead = database.prepare('UPDATE webhooks SET is_read = ? WHERE id = ?');
  const deletions = ['arrivals', 'webhooks', 'webhook_values'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE id = ?`),
  );
  const deleteText = database.prepare('DELETE FROM webhook_text WHERE rowid = ?');
  const notes = new Map<number, number>();
  const readEarly = new Set<number>();
  let readUpTo = 0;

  const indexedId = (): number => (readIndexed.get() as { id: number }).id;
  const inTransaction = <T>(work: () => T): T => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  const insert = (logRow: LogRow): void => {
    const { row, searchText } = describeLogRow(logRow);
    row.is_read = row.id <= readUpTo || readEarly.delete(row.id) ? 1 : 0;
    row.answered_ms = notes.get(row.id) ?? null;
    notes.delete(row.id);
    const { changes } = insertWebhook.run(Object.values(row));
    // Another process may have come first; then its text stands already.
    if (changes === 0) return;
    insertValues.run([row.id, searchText]);
    insertText.run([row.id, searchText]);
  };
  /** Answers given after their row was made (a delay, a burst). */
  const flushNotes = (upTo: number): void => {
    for (const [id, answeredMs] of notes) {
      if (id > upTo) continue;
      setAnswered.run([answeredMs, id]);
      notes.delete(id);
    }
  };

  return {
    runSlice(limit) {
      const after = indexedId();
      const hasLateNotes = notes.size > 0 && [...notes.keys()].some((id) => id <= after);
      const logRows = readLog.all(after, limit) as LogRow[];
      if (logRows.length === 0 && !hasLateNotes) return true;
      inTransaction(() => {
        flushNotes(after);
        for (const logRow of logRows) insert(logRow);
        writeIndexed.run([logRows.at(-1)?.id ?? 0]);
      });
      return logRows.length < limit;
    },
    noteAnswered(id, answeredMs) {
      if (notes.size < MAX_NOTES) notes.set(id, answeredMs);
    },
    markRead(ids, isRead) {
      inTransaction(() => {
        if (ids === 'all') {
          database.prepare('UPDATE webhooks SET is_read = ? WHERE is_read <> ?').run(+isRead, +isRead);
          const { last } = database.prepare('SELECT ifnull(max(id), 0) AS last FROM arrivals').get() as {
            last: number;
          };
          readUpTo = isRead ? last : 0;
          return;
        }
        const indexed = indexedId();
        for (const id of ids) {
          if (id <= indexed) setRead.run([+isRead, id]);
          else if (isRead) readEarly.add(id);
          else readEarly.delete(id);
        }
      });
    },
    deleteWebhooks(ids) {
      return inTransaction(() => {
        if (ids === 'all') {
          const { last } = database.prepare('SELECT ifnull(max(id), 0) AS last FROM arrivals').get() as {
            last: number;
          };
          const { changes } = database.prepare('DELETE FROM arrivals').run();
          database.exec('DELETE FROM webhooks; DELETE FROM webhook_values');
          database.exec("INSERT INTO webhook_text (webhook_text) VALUES ('delete-all')");
          writeIndexed.run([last]);
          notes.clear();
          return changes;
        }
        let count = 0;
        const indexed = indexedId();
        for (const id of ids) {
          if (id <= indexed) deleteText.run([id]);
          const [logged, listed] = deletions.map((deletion) => deletion.run([id]).changes);
          count += Math.max(logged ?? 0, listed ?? 0) > 0 ? 1 : 0;
        }
        return count;
      });
    },
  };
}
