export interface Coalesced {
  /** Asks for a run; asked again before it comes, there is still one. */
  ask(): void;
  /** Forgets what was asked for. */
  cancel(): void;
}

/**
 * Gathers bursts: however often it is asked, `run` comes once for all that was asked before it.
 *
 * @param timing.delayMs - from the first asking to the run; 0: in the next turn of the event loop
 * @param timing.everyMs - least time between two runs
 */
export function coalesce(
  run: () => void,
  { delayMs = 0, everyMs = 0 }: { delayMs?: number; everyMs?: number },
): Coalesced {
  let timer: NodeJS.Timeout | null = null;
  let lastRunAt = Number.NEGATIVE_INFINITY;
  const runNow = (): void => {
    timer = null;
    lastRunAt = performance.now();
    run();
  };
  return {
    ask() {
      timer ??= setTimeout(runNow, Math.max(delayMs, lastRunAt + everyMs - performance.now())).unref();
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
