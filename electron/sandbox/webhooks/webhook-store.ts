import type { Migration } from '../../platform/database/database';
import type { SqlDatabase, SqlStatement } from '../../platform/ports';

/** Steps of the webhook queue's schema; they follow the sandbox's own first step. */
export const webhookMigrations: readonly Migration[] = [
  {
    id: 2,
    name: 'webhook queue',
    sql: `
      CREATE TABLE webhook_deliveries (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        callback_url TEXT NOT NULL,
        body TEXT NOT NULL,
        transaction_reference TEXT,
        state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
        attempts INTEGER NOT NULL,
        step INTEGER NOT NULL,
        copies INTEGER NOT NULL,
        next_attempt_at INTEGER
      ) STRICT;
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at, seq)
        WHERE next_attempt_at IS NOT NULL;
      CREATE TABLE webhook_attempts (
        seq INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        at INTEGER NOT NULL,
        duration_ms REAL NOT NULL,
        http_status INTEGER,
        error TEXT,
        response_body TEXT,
        PRIMARY KEY (seq, attempt)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE webhook_secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
];

/** One attempt, as it is kept. Times are of the sandbox clock, the duration of the machine's. */
export interface DeliveryAttempt {
  readonly attempt: number;
  readonly at: number;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** One webhook with everything that was tried. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly callbackUrl: string;
  readonly transactionReference: string | null;
  readonly state: DeliveryState;
  readonly nextAttemptAt: number | null;
  readonly attempts: readonly DeliveryAttempt[];
  readonly body: string;
}

/** What the queue needs to send one. */
export interface DeliveryJob {
  readonly seq: number;
  readonly id: string;
  readonly callbackUrl: string;
  readonly body: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Place in the retry schedule. */
  readonly step: number;
  /** How often it is still to be received. */
  readonly copies: number;
  readonly nextAttemptAt: number | null;
}

/** What becomes of a delivery after an attempt. */
export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly step: number;
  readonly copies: number;
  readonly nextAttemptAt: number | null;
}

/** A place in the order of what is due. */
export interface DueMark {
  readonly at: number;
  readonly seq: number;
}

/** The id that a receiver sees on every attempt of one delivery. */
export function toWebhookId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll('-', '')}`;
}

const JOB = `seq, id, callback_url AS callbackUrl, body, state, attempts, step, copies,
  next_attempt_at AS nextAttemptAt`;

const ROW = `seq, id, callback_url AS callbackUrl, body, transaction_reference AS transactionReference, state,
  next_attempt_at AS nextAttemptAt`;

/** SQL of the store, by what it is for. */
const STATEMENTS = {
  insert: `INSERT INTO webhook_deliveries (id, callback_url, body, transaction_reference, state, attempts, step, copies,
    next_attempt_at) VALUES (?, ?, ?, ?, 'pending', 0, 0, ?, ?)`,
  due: `SELECT seq, callback_url AS callbackUrl, next_attempt_at AS at FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL AND (next_attempt_at, seq) > (?, ?) AND next_attempt_at <= ?
    ORDER BY next_attempt_at, seq LIMIT ?`,
  next: `SELECT next_attempt_at AS at FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL AND (next_attempt_at, seq) > (?, ?)
    ORDER BY next_attempt_at, seq LIMIT 1`,
  job: `SELECT ${JOB} FROM webhook_deliveries WHERE seq = ?`,
  jobById: `SELECT ${JOB} FROM webhook_deliveries WHERE id = ?`,
  update: `UPDATE webhook_deliveries SET state = ?, step = ?, copies = ?, next_attempt_at = ?, attempts = ?
    WHERE seq = ?`,
  insertAttempt: 'INSERT OR REPLACE INTO webhook_attempts VALUES (?, ?, ?, ?, ?, ?, ?)',
  newest: `SELECT ${ROW} FROM webhook_deliveries ORDER BY seq DESC LIMIT ?`,
  ofReference: `SELECT ${ROW} FROM webhook_deliveries WHERE transaction_reference = ? ORDER BY seq DESC LIMIT ?`,
  byId: `SELECT ${ROW} FROM webhook_deliveries WHERE id = ?`,
  attempts: `SELECT attempt, at, duration_ms AS durationMs, http_status AS httpStatus, error,
    response_body AS responseBody FROM webhook_attempts WHERE seq = ? ORDER BY attempt`,
  oldFinished: `SELECT seq FROM webhook_deliveries WHERE seq <= (SELECT max(seq) FROM webhook_deliveries) - ?
    AND next_attempt_at IS NULL ORDER BY seq LIMIT ?`,
  dropAttempts: 'DELETE FROM webhook_attempts WHERE seq = ?',
  drop: 'DELETE FROM webhook_deliveries WHERE seq = ?',
  readSecret: `SELECT value FROM webhook_secrets WHERE name = 'signing'`,
  saveSecret: `INSERT OR REPLACE INTO webhook_secrets VALUES ('signing', ?)`,
} as const;

/** Webhooks with their attempts, in the tables of {@link webhookMigrations}. */
export class WebhookStore {
  private readonly sql: Readonly<Record<keyof typeof STATEMENTS, SqlStatement>>;

  constructor(private readonly db: SqlDatabase) {
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]);
    this.sql = Object.fromEntries(prepared) as Record<keyof typeof STATEMENTS, SqlStatement>;
  }

  insert(id: string, url: string, body: string, reference: string | null, copies: number, at: number): void {
    this.sql.insert.run(id, url, body, reference, copies, at);
  }

  listDue(after: DueMark, now: number, limit: number): { seq: number; callbackUrl: string; at: number }[] {
    return this.sql.due.all(after.at, after.seq, now, limit) as {
      seq: number;
      callbackUrl: string;
      at: number;
    }[];
  }

  nextDueAt(after: DueMark): number | null {
    return (this.sql.next.get(after.at, after.seq) as { at: number } | undefined)?.at ?? null;
  }

  findJob(seq: number): DeliveryJob | undefined {
    return this.sql.job.get(seq) as DeliveryJob | undefined;
  }

  findJobById(id: string): DeliveryJob | undefined {
    return this.sql.jobById.get(id) as DeliveryJob | undefined;
  }

  record(seq: number, attempt: DeliveryAttempt, change: DeliveryChange): void {
    const { attempt: number, at, durationMs, httpStatus, error, responseBody } = attempt;
    this.sql.insertAttempt.run(seq, number, at, durationMs, httpStatus, error, responseBody);
    this.change(seq, change, number);
  }

  change(seq: number, { state, step, copies, nextAttemptAt }: DeliveryChange, attemptCount: number): void {
    this.sql.update.run(state, step, copies, nextAttemptAt, attemptCount, seq);
  }

  /** Newest first. */
  list(limit: number): Delivery[] {
    return this.sql.newest.all(limit).map((row) => this.toDelivery(row));
  }

  /** Those of one reference, newest first. */
  listOf(reference: string, limit: number): Delivery[] {
    return this.sql.ofReference.all(reference, limit).map((row) => this.toDelivery(row));
  }

  get(id: string): Delivery | undefined {
    const found = this.sql.byId.get(id);
    return found === undefined ? undefined : this.toDelivery(found);
  }

  /** Forgets finished deliveries older than the newest `keep`. */
  prune(keep: number, limit: number): void {
    for (const { seq } of this.sql.oldFinished.all(keep, limit) as { seq: number }[]) {
      this.sql.dropAttempts.run(seq);
      this.sql.drop.run(seq);
    }
  }

  deleteAll(): void {
    this.db.exec('DELETE FROM webhook_attempts; DELETE FROM webhook_deliveries');
  }

  readSecret(): string | null {
    return (this.sql.readSecret.get() as { value: string } | undefined)?.value ?? null;
  }

  /** What stood there before is overwritten in the file, not only forgotten. */
  saveSecret(value: string): void {
    this.db.exec('PRAGMA secure_delete = ON');
    this.sql.saveSecret.run(value);
    this.db.exec('PRAGMA secure_delete = OFF');
  }

  private toDelivery(found: unknown): Delivery {
    const { seq, ...delivery } = found as Omit<Delivery, 'attempts' | 'webhookId'> & { seq: number };
    const attempts = this.sql.attempts.all(seq) as DeliveryAttempt[];
    return { ...delivery, webhookId: toWebhookId(delivery.id), attempts };
  }
}
