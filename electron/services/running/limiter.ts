/** Lets so many through at once; the others wait in order. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(most: number): Limiter {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}

/** Waits; ends early, without an error, when it is stopped, or when what `onWake` is given is called. */
export function pause(
  ms: number,
  stop: AbortSignal,
  onWake: (wake: () => void) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve) => {
    let forget = (): void => undefined;
    const end = (): void => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(end, ms);
    onWake(end);
    forget = whenStopped(stop, end);
  });
}

/** What waits for the end of each signal: a run has one, and hundreds of requests may wait at once. */
const waiters = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls once a signal is aborted, at once where it is already.
 *
 * However many wait, the signal has one listener: Node warns of a leak from the eleventh on.
 * @returns forgets it
 */
function whenStopped(stop: AbortSignal, call: () => void): () => void {
  if (stop.aborted) {
    call();
    return () => undefined;
  }
  const known = waiters.get(stop) ?? listenTo(stop);
  known.add(call);
  return () => void known.delete(call);
}

function listenTo(stop: AbortSignal): Set<() => void> {
  const calls = new Set<() => void>();
  waiters.set(stop, calls);
  const end = (): void => {
    waiters.delete(stop);
    for (const call of calls) call();
  };
  stop.addEventListener('abort', end, { once: true });
  return calls;
}
