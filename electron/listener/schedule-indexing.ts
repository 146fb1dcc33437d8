import type { InboxIndexer } from './inbox-indexer';

/** Quiet for so long, and the index is brought up to date in full slices. */
const QUIET_MS = 20;
const QUIET_SLICE = 128;
/** Under load the index gets a twentieth of the time, once it is this far behind. */
const BUSY_LAG_MS = 1000;
const BUSY_SLICE = 24;
const BUSY_SHARE = 1 / 20;

export interface Indexing {
  /** Webhooks have come: there is something to do, when they leave time for it. */
  wake(): void;
  /** Resolves when everything that is durable is in the catalogue and in the search index. @throws where it cannot be written */
  whenIndexed(): Promise<void>;
  stop(): void;
}

/**
 * Runs the indexer when webhooks leave it time.
 *
 * @param onFailure - told when the index cannot be written; it is tried again, and made from the log
 */
export function scheduleIndexing(indexer: InboxIndexer, onFailure: (error: unknown) => void): Indexing {
  let timer: NodeJS.Timeout | null = null;
  let lastWebhookAt = 0;
  let behindSince = 0;
  let isStopped = false;
  /** Nothing is to be indexed; what was deleted is still to be taken out. */
  let isResting = false;
  let waiting: { resolve(): void; reject(error: unknown): void }[] = [];

  const arm = (ms: number): void => {
    timer = setTimeout(run, ms);
    if (waiting.length === 0) timer.unref();
  };
  const run = (): void => {
    timer = null;
    isResting = false;
    if (isStopped) return;
    const now = performance.now();
    const isQuiet = now - lastWebhookAt >= QUIET_MS || waiting.length > 0;
    if (!isQuiet && now - behindSince < BUSY_LAG_MS) return arm(QUIET_MS);
    try {
      if (indexer.runSlice(isQuiet ? QUIET_SLICE : BUSY_SLICE)) {
        behindSince = performance.now();
        for (const { resolve } of waiting.splice(0)) resolve();
        return rest(isQuiet ? indexer.forgetSlice() : QUIET_MS);
      }
    } catch (error) {
      // The log is what counts; the index is made again from it when the file can be written.
      onFailure(error);
      for (const { reject } of waiting.splice(0)) reject(error);
      return arm(BUSY_LAG_MS);
    }
    arm(isQuiet ? 0 : (performance.now() - now) / BUSY_SHARE);
  };
  const rest = (ms: number | null): void => {
    isResting = ms !== null;
    if (ms !== null) arm(ms);
  };
  const wake = (): void => {
    lastWebhookAt = performance.now();
    if (isStopped || (timer !== null && !isResting)) return;
    if (timer !== null) clearTimeout(timer);
    isResting = false;
    behindSince = lastWebhookAt;
    arm(QUIET_MS);
  };
  return {
    wake,
    whenIndexed: () =>
      new Promise<void>((resolve, reject) => {
        waiting = [...waiting, { resolve, reject }];
        if (timer !== null) clearTimeout(timer);
        arm(0);
      }),
    stop: () => {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      for (const { resolve } of waiting.splice(0)) resolve();
    },
  };
}
