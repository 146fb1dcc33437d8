import { DeletedText } from './deleted-text';
import { webhookTable } from '@shared/contract/webhook-columns';
import { roundMs } from '@shared/round-ms';
import { emptyLog } from '../platform/database/empty-log';
import type { SqlDatabase } from '../platform/ports';
import { fromInstant } from '../platform/sortable-id';
import { Arrivals } from './arrivals';
import { readLogRow, type LogRow } from './inbox-log';

/** What the user notes has its defaults in the table: what is not bound costs nothing. */
const notedByUser: ReadonlySet<string> = new Set(['is_pinned', 'note', 'tags']);
const names = webhookTable.names.filter((name) => !notedByUser.has(name));
const INSERT_WEBHOOK = `INSERT OR IGNORE INTO webhooks (id, ${names.join(', ')})
  VALUES (?${', ?'.repeat(names.length)})`;

/** So many answer times wait in memory; beyond it they are not kept. */
const MAX_NOTES = 100_000;
/** A slice holds no more of the log at once, but one webhook in any case. */
const MAX_SLICE_BYTES = 4 * 1024 * 1024;
/** Pages of 4 KB of the search index that a slice merges in any case, and for each that it writes: pieces are merged a few times as they grow. */
const [LEAST_MERGED_PAGES, MERGED_PER_WRITTEN] = [64, 6];
const PAGE_BYTES = 4096;
/** What is deleted by hand is out of a small index before that is told. */
const FORGETTING_MS = 100;

interface AnswerNote {
  readonly answeredMs: number;
  readonly relayedStatus: number | null;
}

/** How much is kept; null: as much as comes. */
export interface Retention {
  readonly count: number | null;
  readonly ageMs: number | null;
  readonly sizeBytes: number | null;
}

/** What is left out stays as it is. */
export interface WebhookMarks {
  readonly isPinned?: boolean | null | undefined;
  readonly note?: string | null | undefined;
  /** Parted by blanks. */
  readonly tags?: string | null | undefined;
}

/**
 * Fills the catalogue and the search index from the log.
 *
 * Runs beside the log, in the same thread, in slices: a webhook never waits for its search index. Where the
 * process ended in between, the next one goes on from `indexed`.
 */
export class InboxIndexer {
  readonly #database: SqlDatabase;
  readonly #arrivals: Arrivals;
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #deletedText: DeletedText;
  /** Answer times of webhooks that were not in the catalogue yet when they were noted. */
  readonly #notes = new Map<number, AnswerNote>();
  /** Answer times of those that were (a delay, a burst). */
  readonly #lateNotes = new Map<number, AnswerNote>();
  #indexedUpTo = 0;
  #isForgetting = false;
  #isMergingTakenOver = false;
  readonly #readEarly = new Set<number>();
  #readUpTo = 0;

  /**
   * @param keys - what signatures are verified with, asked at each webhook
   * @param beforeWrite - throws where nothing may be written any more
   */
  constructor(
    database: SqlDatabase,
    private readonly keys: () => readonly string[] = () => [],
    private readonly beforeWrite: () => void = () => {},
  ) {
    this.#database = database;
    this.#sql = prepareStatements(database);
    this.#arrivals = new Arrivals(database);
    this.#deletedText = new DeletedText(database, (work) => this.#forget(work));
  }

  /** Takes the next rows of the log, at most `limit`. @returns whether it has caught up */
  runSlice(limit: number): boolean {
    const after = this.#indexedId();
    // Somebody else has indexed, too.
    if (after > this.#indexedUpTo) this.#findLateNotes(after);
    const logRows = this.#arrivals.list(after, Number.MAX_SAFE_INTEGER, limit, MAX_SLICE_BYTES);
    if (logRows.length === 0 && this.#lateNotes.size === 0) return true;
    const last = logRows.at(-1)?.id ?? 0;
    this.#inTransaction(() => {
      for (const [id, note] of this.#lateNotes) this.#writeNote(id, note);
      const written = logRows.reduce((sum, logRow) => sum + this.#insert(logRow), 0);
      if (written > 0) this.#mergeText(written);
      this.#sql.writeIndexed.run([last]);
    });
    this.#lateNotes.clear();
    for (const { id } of logRows) this.#notes.delete(id);
    this.#indexedUpTo = Math.max(after, last);
    return logRows.length < limit && this.#indexedUpTo >= this.#lastId();
  }

  /**
   * Keeps how long an answer took, until its row is made.
   *
   * @param relayedStatus - what it was answered with, where that was known only after it was kept
   */
  noteAnswered(id: number, measuredMs: number, relayedStatus: number | null = null): void {
    const answeredMs = roundMs(measuredMs);
    const notes = id <= this.#indexedUpTo ? this.#lateNotes : this.#notes;
    if (notes.size < MAX_NOTES) notes.set(id, { answeredMs, relayedStatus });
  }

  /** Marks webhooks that may not be in the catalogue yet. @returns how many of those named were there; null: of all */
  markRead(ids: readonly number[] | 'all', isRead: boolean): number | null {
    return this.#inTransaction(() => {
      if (ids === 'all') {
        this.#sql.setAllRead.run(+isRead, +isRead);
        this.#readUpTo = isRead ? this.#lastId() : 0;
        return null;
      }
      const indexed = this.#indexedId();
      return ids.filter((id) => {
        if (id <= indexed) return this.#sql.setRead.run([+isRead, id]).changes > 0;
        if (this.#sql.isLogged.get(id) === undefined) return false;
        if (isRead) this.#readEarly.add(id);
        else this.#readEarly.delete(id);
        return true;
      }).length;
    });
  }

  /** Notes what the user wants to remember of webhooks. @returns how many were there */
  mark(ids: readonly number[], { isPinned = null, note = null, tags = null }: WebhookMarks): number {
    return this.#forget(() =>
      ids.reduce((count, id) => {
        const pinned = isPinned === null ? null : Number(isPinned);
        return count + this.#sql.mark.run([pinned, note, tags, id]).changes;
      }, 0),
    );
  }

  /** @returns how many were there */
  deleteWebhooks(ids: readonly number[] | 'all'): number {
    const count = this.#forget(() => (ids === 'all' ? this.#deleteAll() : this.#deleteEach(ids)));
    const until = performance.now() + FORGETTING_MS;
    while (this.#deletedText.slice() !== null && performance.now() < until);
    emptyLog(this.#database);
    return count;
  }

  /** Takes what was deleted out of the search index, a little at a time. @returns ms after which to go on; null: nothing is left */
  forgetSlice(): number | null {
    const restMs = this.#deletedText.slice();
    if (this.#isForgetting && restMs === null) emptyLog(this.#database);
    this.#isForgetting = restMs !== null;
    return restMs;
  }

  /**
   * Deletes the oldest webhooks beyond what is to be kept; pinned ones stay, and count for nothing.
   *
   * @param firstNeeded - it and all that came after it stay, too; null: none
   * @returns how many; as many as `most` where there may be more
   */
  prune(
    { count, ageMs, sizeBytes }: Retention,
    nowMs: number,
    most: number,
    firstNeeded: number | null = null,
  ): number {
    const oldestMs = nowMs - (ageMs ?? nowMs);
    const rows = this.#sql.findSurplus.all(
      oldestMs,
      fromInstant(oldestMs),
      fromInstant(nowMs),
      count ?? Number.MAX_SAFE_INTEGER,
      sizeBytes ?? Number.MAX_SAFE_INTEGER,
      firstNeeded ?? Number.MAX_SAFE_INTEGER,
      most,
    ) as { id: number }[];
    if (rows.length === 0) return 0;
    const deleted = this.#forget(() => this.#deleteEach(rows.map(({ id }) => id)));
    emptyLog(this.#database);
    return deleted;
  }

  #deleteAll(): number {
    const last = this.#lastId();
    const { changes } = this.#sql.deleteLog.run();
    this.#database.exec('DELETE FROM webhooks; DELETE FROM webhook_values; DELETE FROM replays');
    this.#database.exec("INSERT INTO webhook_text (webhook_text) VALUES ('delete-all')");
    this.#sql.writeIndexed.run([last]);
    this.#notes.clear();
    this.#lateNotes.clear();
    return changes;
  }

  #deleteEach(ids: readonly number[]): number {
    const indexed = this.#indexedId();
    let count = 0;
    this.#deletedText.note();
    for (const id of ids) {
      if (id <= indexed) this.#sql.deleteText.run([id]);
      const changes = this.#sql.deletions.map((deletion) => deletion.run([id]).changes);
      this.#sql.deleteReplays.run([id]);
      if (Math.max(...changes) > 0) count++;
    }
    return count;
  }

  /**
   * Has pieces of the search index merged by slices alone.
   *
   * By itself FTS5 goes on with whatever merge is begun as rows are written or deleted, in one go, and for seconds in a large index:
   * nothing is received meanwhile.
   */
  #takeOverMerging(): void {
    if (!this.#isMergingTakenOver && this.#sql.hasAutomerge.get() !== undefined)
      this.#database.exec("INSERT INTO webhook_text (webhook_text, rank) VALUES ('automerge', 0)");
  }

  #mergeText(writtenCharacters: number): void {
    const writtenPages = Math.ceil(writtenCharacters / PAGE_BYTES);
    this.#sql.mergeText.run([LEAST_MERGED_PAGES + MERGED_PER_WRITTEN * writtenPages]);
  }

  /** @returns characters of text that went into the search index */
  #insert(logRow: LogRow): number {
    const { row, searchText } = readLogRow(logRow, this.keys());
    row.is_read = row.id <= this.#readUpTo || this.#readEarly.delete(row.id) ? 1 : 0;
    const note = this.#notes.get(row.id);
    row.answered_ms = note?.answeredMs ?? null;
    if (note !== undefined && note.relayedStatus !== null) this.#writeRelayed(row.id, note.relayedStatus);
    row.responded_status = note?.relayedStatus ?? row.responded_status;
    const { changes } = this.#sql.insertWebhook.run([row.id, ...names.map((name) => row[name])]);
    // Another process may have come first; then its text stands already.
    if (changes === 0) return 0;
    this.#sql.insertValues.run([row.id, searchText]);
    this.#sql.insertText.run([row.id, searchText]);
    return searchText.length;
  }

  #findLateNotes(indexedUpTo: number): void {
    for (const [id, note] of this.#notes) {
      if (id > indexedUpTo) continue;
      this.#lateNotes.set(id, note);
      this.#notes.delete(id);
    }
    this.#indexedUpTo = indexedUpTo;
  }

  #writeNote(id: number, { answeredMs, relayedStatus }: AnswerNote): void {
    this.#sql.setAnswered.run([answeredMs, relayedStatus, id]);
    if (relayedStatus !== null) this.#writeRelayed(id, relayedStatus);
  }

  #writeRelayed(id: number, relayedStatus: number): void {
    this.#sql.setRelayed.run([relayedStatus, id]);
  }

  #indexedId(): number {
    return (this.#sql.readIndexed.get() as { id: number }).id;
  }

  #lastId(): number {
    return (this.#sql.readLast.get() as { last: number }).last;
  }

  /** What goes is overwritten in the file, too: bodies have names and accounts of people in them. Receiving does not pay for it. */
  #forget<T>(work: () => T): T {
    this.#database.exec('PRAGMA secure_delete = ON');
    try {
      return this.#inTransaction(work);
    } finally {
      this.#database.exec('PRAGMA secure_delete = FAST');
    }
  }

  #inTransaction<T>(work: () => T): T {
    this.beforeWrite();
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#takeOverMerging();
      const result = work();
      this.#database.exec('COMMIT');
      this.#isMergingTakenOver = true;
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function prepareStatements(database: SqlDatabase) {
  return {
    readIndexed: database.prepare('SELECT id FROM indexed'),
    writeIndexed: database.prepare('UPDATE indexed SET id = max(id, ?)'),
    readLast: database.prepare('SELECT ifnull(max(id), 0) AS last FROM arrivals'),
    insertWebhook: database.prepare(INSERT_WEBHOOK),
    insertValues: database.prepare('INSERT INTO webhook_values (id, text) VALUES (?, ?)'),
    insertText: database.prepare('INSERT INTO webhook_text (rowid, text) VALUES (?, ?)'),
    setAnswered: database.prepare(
      'UPDATE webhooks SET answered_ms = ?, responded_status = ifnull(?, responded_status) WHERE id = ?',
    ),
    setRelayed: database.prepare('UPDATE arrivals SET responded_status = ? WHERE id = ?'),
    setRead: database.prepare('UPDATE webhooks SET is_read = ? WHERE id = ?'),
    setAllRead: database.prepare('UPDATE webhooks SET is_read = ? WHERE is_read <> ?'),
    isLogged: database.prepare('SELECT 1 FROM arrivals WHERE id = ?'),
    deleteLog: database.prepare('DELETE FROM arrivals'),
    hasAutomerge: database.prepare(
      "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM webhook_text_config WHERE k = 'automerge' AND v = 0)",
    ),
    mergeText: database.prepare("INSERT INTO webhook_text (webhook_text, rank) VALUES ('merge', ?)"),
    deleteText: database.prepare('DELETE FROM webhook_text WHERE rowid = ?'),
    deletions: ['arrivals', 'webhooks', 'webhook_values'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE id = ?`),
    ),
    // An id never goes back: what came while the clock was behind is as old as what came before it. One ahead of the clock tells nothing.
    findSurplus: database.prepare(
      `SELECT id FROM (
         SELECT id, received_at, row_number() OVER newest AS place, sum(iif(is_cut = 1, 65536, size_bytes)) OVER newest AS bytes
         FROM webhooks WHERE is_pinned = 0 WINDOW newest AS (ORDER BY id DESC)
       ) WHERE ((received_at < ? AND (id < ? OR id >= ?)) OR place > ? OR bytes > ?) AND id < ? ORDER BY id LIMIT ?`,
    ),
    deleteReplays: database.prepare('DELETE FROM replays WHERE webhook = ?'),
    mark: database.prepare(
      'UPDATE webhooks SET is_pinned = ifnull(?, is_pinned), note = ifnull(?, note), tags = ifnull(?, tags) WHERE id = ?',
    ),
  };
}
