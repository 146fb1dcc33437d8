import type { SqlDatabase } from '../../platform/ports';

/** Where webhooks go to: the backend's address, or a command. */
export type Sink = 'url' | 'exec';

/** One webhook that waits. */
export interface QueuedForward {
  readonly id: number;
  /** What order is kept by; null: it has none. */
  readonly reference: string | null;
  /** Attempts made so far, one that a kill cut off among them. */
  readonly attempt: number;
  /** Epoch milliseconds; not before. */
  readonly nextAt: number;
}

export interface KeptAttempt {
  readonly id: number;
  readonly attempt: number;
  readonly at: number;
  readonly outcome: 'delivered' | 'retrying';
  readonly httpStatus: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
  /** Null: there is none. */
  readonly nextAt: number | null;
}

export interface Progress {
  readonly filter: string;
  readonly takenId: number;
  readonly untilId: number | null;
}

/** What came in while forwarding was off: ids after the first, up to the second. */
export interface Gap {
  readonly fromId: number;
  readonly toId: number;
}

/** Of each webhook so many of the latest attempts are kept. */
const KEPT_ATTEMPTS = 50;

/** The queue of one sink on disk, and what became of each attempt. */
export class ForwardStore {
  readonly #database: SqlDatabase;
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly sink: Sink;

  constructor(database: SqlDatabase, sink: Sink) {
    this.#database = database;
    this.sink = sink;
    this.#sql = prepareStatements(database);
  }

  readProgress(): Progress | null {
    return (this.#sql.readProgress.get([this.sink]) as Progress | undefined) ?? null;
  }

  /** Forwarding is on from here: what comes after `takenId` is taken by `filter`. */
  begin(filter: string, takenId: number): void {
    this.#inTransaction(() => {
      const before = this.readProgress();
      const from = before === null ? 0 : before.untilId;
      if (from !== null && from < takenId) this.#sql.addGap.run([this.sink, from, takenId]);
      this.#sql.begin.run([this.sink, filter, takenId]);
    });
  }

  /** Forwarding is off from here: what comes after `untilId` is not taken. */
  end(untilId: number): void {
    this.#sql.end.run([untilId, this.sink]);
  }

  /** Queues webhooks, and notes up to where all were looked at: that of a gap, or that of the log. */
  take(
    rows: readonly (readonly [id: number, reference: string | null])[],
    upTo: number,
    gap: Gap | null,
  ): void {
    this.#inTransaction(() => {
      if (rows.length > 0) this.#sql.queue.run([this.sink, JSON.stringify(rows)]);
      if (gap === null) this.#sql.setTaken.run([upTo, this.sink]);
      else {
        this.#sql.dropGap.run([this.sink, gap.fromId]);
        if (upTo < gap.toId) this.#sql.addGap.run([this.sink, upTo, gap.toId]);
      }
    });
  }

  listGaps(): Gap[] {
    return this.#sql.listGaps.all([this.sink]) as Gap[];
  }

  listQueued(afterId: number, limit: number): QueuedForward[] {
    return this.#sql.listQueued.all([this.sink, afterId, limit]) as QueuedForward[];
  }

  countQueued(): number {
    return (this.#sql.countQueued.get([this.sink]) as { n: number }).n;
  }

  /** Counts an attempt that is about to be made. */
  leave(ids: readonly number[]): void {
    this.#sql.leave.run([this.sink, JSON.stringify(ids)]);
  }

  /** Keeps how attempts ended, all of them or none; what was delivered waits no more. */
  record(attempts: readonly KeptAttempt[]): void {
    this.#inTransaction(() => {
      const rows = attempts.map((one) => [
        one.id,
        one.attempt,
        one.at,
        one.outcome,
        one.httpStatus,
        one.reason,
        Math.round(one.durationMs * 10) / 10,
      ]);
      this.#sql.addAttempts.run([this.sink, JSON.stringify(rows)]);
      const delivered = attempts.filter(({ outcome }) => outcome === 'delivered').map(({ id }) => id);
      if (delivered.length > 0) this.#sql.settle.run([this.sink, JSON.stringify(delivered)]);
      for (const { id, attempt, nextAt } of attempts) {
        if (nextAt === null) continue;
        this.#sql.postpone.run([attempt, nextAt, this.sink, id]);
        if (attempt > KEPT_ATTEMPTS) this.#sql.dropAttempt.run([id, this.sink, attempt - KEPT_ATTEMPTS]);
      }
    });
  }

  /** Forgets webhooks that are not in the inbox any more. */
  forget(ids: readonly number[]): void {
    this.#sql.settle.run([this.sink, JSON.stringify(ids)]);
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Attempts as they are shown: of any sink, oldest first. */
export function listAttempts(database: SqlDatabase, webhookId: number): (KeptAttempt & { sink: Sink })[] {
  return database
    .prepare(
      `SELECT a.webhook_id AS id, a.sink, a.attempt, a.at, a.outcome, a.http_status AS httpStatus, a.reason,
         a.duration_ms AS durationMs, CASE WHEN q.attempt = a.attempt THEN q.next_at END AS nextAt
       FROM attempts a LEFT JOIN queue q ON q.sink = a.sink AND q.id = a.webhook_id
       WHERE a.webhook_id = ? ORDER BY a.at, a.attempt`,
    )
    .all(webhookId) as (KeptAttempt & { sink: Sink })[];
}

/** Whether a webhook waits for any sink. */
export function isQueued(database: SqlDatabase, webhookId: number): boolean {
  return database.prepare('SELECT 1 FROM queue WHERE id = ?').get([webhookId]) !== undefined;
}

/** The first webhook that is still to be forwarded, or was not looked at yet; null: there is none. */
export function findFirstWaiting(database: SqlDatabase): number | null {
  const { id } = database
    .prepare(
      `SELECT min(id) AS id FROM (
         SELECT min(id) AS id FROM queue UNION ALL SELECT taken_id + 1 FROM progress WHERE until_id IS NULL)`,
    )
    .get() as { id: number | null };
  return id;
}

/** Forgets what belongs to webhooks that were deleted from the inbox, and overwrites it in the file: references, reasons. */
export function forgetWebhooks(database: SqlDatabase, ids: readonly number[] | 'all'): void {
  database.exec('PRAGMA secure_delete = ON');
  try {
    deleteFor(database, ids);
  } finally {
    database.exec('PRAGMA secure_delete = FAST');
  }
}

function deleteFor(database: SqlDatabase, ids: readonly number[] | 'all'): void {
  if (ids === 'all') return void database.exec('DELETE FROM queue; DELETE FROM attempts');
  const list = JSON.stringify(ids);
  database.prepare('DELETE FROM queue WHERE id IN (SELECT value FROM json_each(?))').run(list);
  database.prepare('DELETE FROM attempts WHERE webhook_id IN (SELECT value FROM json_each(?))').run(list);
}

function prepareStatements(database: SqlDatabase) {
  return {
    readProgress: database.prepare(
      'SELECT filter, taken_id AS takenId, until_id AS untilId FROM progress WHERE sink = ?',
    ),
    begin: database.prepare(
      `INSERT INTO progress (sink, filter, taken_id) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET filter = excluded.filter, taken_id = excluded.taken_id, until_id = NULL`,
    ),
    end: database.prepare('UPDATE progress SET until_id = ? WHERE sink = ?'),
    setTaken: database.prepare('UPDATE progress SET taken_id = max(taken_id, ?) WHERE sink = ?'),
    addGap: database.prepare('INSERT OR REPLACE INTO gaps (sink, from_id, to_id) VALUES (?, ?, ?)'),
    dropGap: database.prepare('DELETE FROM gaps WHERE sink = ? AND from_id = ?'),
    listGaps: database.prepare(
      'SELECT from_id AS fromId, to_id AS toId FROM gaps WHERE sink = ? ORDER BY from_id',
    ),
    queue: database.prepare(
      `INSERT OR IGNORE INTO queue (sink, id, reference)
       SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2)`,
    ),
    listQueued: database.prepare(
      `SELECT id, reference, attempt, next_at AS nextAt FROM queue WHERE sink = ? AND id > ? ORDER BY id LIMIT ?`,
    ),
    countQueued: database.prepare('SELECT count(*) AS n FROM queue WHERE sink = ?'),
    settle: database.prepare('DELETE FROM queue WHERE sink = ? AND id IN (SELECT value FROM json_each(?))'),
    leave: database.prepare(
      'UPDATE queue SET attempt = attempt + 1 WHERE sink = ? AND id IN (SELECT value FROM json_each(?))',
    ),
    postpone: database.prepare('UPDATE queue SET attempt = ?, next_at = ? WHERE sink = ? AND id = ?'),
    addAttempts: database.prepare(
      `INSERT OR REPLACE INTO attempts
         (webhook_id, sink, attempt, at, outcome, http_status, reason, duration_ms)
       SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
       FROM json_each(?2)`,
    ),
    dropAttempt: database.prepare('DELETE FROM attempts WHERE webhook_id = ? AND sink = ? AND attempt <= ?'),
  };
}
