import type { SqlDatabase } from '../../platform/ports';
import type { AttemptResult } from './attempt-delivery';
import type { WebhookStore } from './webhook-store';

/** Finished deliveries beyond the newest so many are forgotten. */
const KEPT_DELIVERIES = 5000;
/** Results of so many milliseconds share one commit. A crash in between sends those webhooks again. */
const RESULT_DELAY_MS = 5;
/** Wait before the database is tried again after it failed. */
export const TROUBLE_DELAY_MS = 1000;
/** Pruning is done once in so many results. */
const PRUNE_EVERY = 500;

export interface AttemptRecordsParts {
  readonly db: SqlDatabase;
  readonly store: WebhookStore;
  /** Told once the attempts are on record. */
  onRecorded(results: readonly AttemptResult[]): void;
}

/** Gathers what became of attempts, and writes those of some milliseconds in one commit. */
export class AttemptRecords {
  private waiting: AttemptResult[] = [];
  private timer: NodeJS.Timeout | null = null;
  private sincePrune = 0;

  constructor(private readonly parts: AttemptRecordsParts) {}

  add(result: AttemptResult): void {
    this.waiting.push(result);
    this.timer ??= setTimeout(this.flush, RESULT_DELAY_MS);
  }

  /** Tells whether an attempt of this delivery is not on record yet. */
  has(seq: number): boolean {
    return this.waiting.some(({ job }) => job.seq === seq);
  }

  /** Puts finished attempts on record; a little later where the caller of the database has a transaction open. */
  readonly flush = (): void => {
    this.stop();
    if (this.waiting.length === 0) return;
    if (this.parts.db.inTransaction) return this.flushLater(1);
    const results = this.waiting;
    try {
      this.write(results);
    } catch {
      // Nothing is lost: what cannot be written now is written later, or sent again after a restart.
      return this.flushLater(TROUBLE_DELAY_MS);
    }
    this.waiting = [];
    this.parts.onRecorded(results);
  };

  /** Forgets what is not written yet. */
  clear(): void {
    this.waiting = [];
  }

  /** Calls off the next write. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private flushLater(delayMs: number): void {
    this.timer = setTimeout(this.flush, delayMs);
  }

  private write(results: readonly AttemptResult[]): void {
    const { db, store } = this.parts;
    db.transaction(() => {
      for (const { job, attempt, change } of results) store.record(job.seq, attempt, change);
      this.sincePrune += results.length;
      if (this.sincePrune < PRUNE_EVERY) return;
      store.prune(KEPT_DELIVERIES, this.sincePrune * 2);
      this.sincePrune = 0;
    })();
  }
}
