import { call } from '../../transport/client';

/** What is sent again, how often, and how fast. */
export interface ReplayOrder {
  /** In the order of their arrival. */
  readonly ids: readonly string[];
  readonly to: string;
  /** Another body in the place of the received one; null: as received. */
  readonly body: string | null;
  readonly isResigned: boolean;
  /** Each so often. */
  readonly times: number;
  /** At most so many a second; null: each as soon as the one before is answered. */
  readonly perSecond: number | null;
}

/** How many were answered with each status so far. */
export type ReplayTally = ReadonlyMap<number, number>;

/**
 * Sends webhooks again, one after the other.
 *
 * @param signal - gives up the one that is under way, and sends no more
 * @throws {ClientError} of the first that was not answered; those after it are not sent
 */
export async function runReplays(
  { ids, times, perSecond, ...order }: ReplayOrder & { store: string },
  signal: AbortSignal,
  onTally: (tally: ReplayTally) => void,
): Promise<void> {
  const replayId = crypto.randomUUID();
  const stop = (): void => void call('inbox.cancelReplay', { replayId }).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const tally = new Map<number, number>();
  const startedAt = performance.now();
  try {
    for (let count = 0; count < ids.length * times && !signal.aborted; count++) {
      if (perSecond !== null) await waitUntil(startedAt + (count * 1000) / perSecond, signal);
      if (signal.aborted) return;
      const id = ids[Math.floor(count / times)]!;
      const { replay } = await call('inbox.replay', { ...order, id, replayId });
      const status = replay?.httpStatus ?? 0;
      tally.set(status, (tally.get(status) ?? 0) + 1);
      onTally(new Map(tally));
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Ends early where it is given up. */
function waitUntil(at: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, at - performance.now()));
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Says how a run went: how many of all were answered, and with what. */
export function describeTally(tally: ReplayTally, count: number): string {
  const sent = [...tally.values()].reduce((sum, one) => sum + one, 0);
  const parts = [...tally]
    .toSorted(([left], [right]) => left - right)
    .map(([status, times]) => `${times.toLocaleString('en')} with ${status}`);
  const head = `${sent.toLocaleString('en')} of ${count.toLocaleString('en')} answered`;
  return parts.length === 0 ? head : `${head}: ${parts.join(', ')}`;
}
