/** What waits for the end of each signal: a run has one, and hundreds of requests may wait at once. */
const waiters = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls once a signal is aborted, at once where it is already.
 *
 * However many wait, the signal has one listener: Node warns of a leak from the eleventh on.
 * @returns forgets it
 */
export function whenStopped(stop: AbortSignal, call: () => void): () => void {
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
