import type { InboxIndexer, Retention } from './inbox-indexer';

/** How often it is looked; and how many go at once, so that no webhook waits for it. */
const EVERY_MS = 15_000;
const SLICE = 200;
const PAUSE_MS = 50;

/**
 * Deletes what is beyond what is to be kept, a little at a time. Receiving never stops for it.
 *
 * @param firstNeeded - the first webhook that must stay, with all after it: what waits to be forwarded is not surplus
 * @param onPruned - told how many went
 * @param onFailure - told when something cannot be deleted; it is tried again
 */
export function startPruning(
  indexer: InboxIndexer,
  firstNeeded: () => number | null,
  onPruned: (count: number) => void,
  onFailure: (error: unknown) => void,
): { set(retention: Retention): void; stop(): void } {
  let retention: Retention | null = null;
  let timer: NodeJS.Timeout | null = null;
  const arm = (ms: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(run, ms);
    timer.unref();
  };
  const run = (): void => {
    if (retention === null) return;
    let deleted = 0;
    try {
      deleted = indexer.prune(retention, Date.now(), SLICE, firstNeeded());
    } catch (error) {
      onFailure(error);
    }
    if (deleted > 0) onPruned(deleted);
    arm(deleted === SLICE ? PAUSE_MS : EVERY_MS);
  };
  return {
    set(next) {
      retention = Object.values(next).every((limit) => limit === null) ? null : next;
      if (retention === null && timer !== null) clearTimeout(timer);
      if (retention !== null) arm(0);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
