import { AppError } from '@shared/errors';
import type { Ports, WorkerEvents, WorkerHandle, WorkerMethods, WorkerName } from '../ports';

/** A worker that crashes is brought back after so long; each crash soon after another takes the next. */
const BACK_OFF_MS = [0, 1000, 2000, 5000, 15_000, 30_000];
/** A worker that ran so long begins with the shortest pause again. */
const STABLE_MS = 60_000;
/** How long a worker may take to end by itself. */
const FAREWELL_MS = 10_000;

export interface Supervision<Methods extends WorkerMethods, Events extends WorkerEvents> {
  name: WorkerName;
  options?: Record<string, unknown>;
  on: { [E in keyof Events & string]: (payload: Events[E]) => void };
  /** Called before each start. */
  prepare?(): void;
  /** Told that the worker ended by itself. */
  onCrash?(): void;
  /**
   * Brings back what ran in the worker that ended, where there is anything to bring back and nobody has done so meanwhile: a
   * call started the next worker, perhaps, which knows nothing of it. What it throws is dropped.
   */
  resume?(): Promise<unknown> | undefined;
  /** Called in the worker before it is ended on purpose. */
  farewell?: keyof Methods & string;
}

/** One of the workers, started by the first call and again after a crash. */
export interface SupervisedWorker<Methods extends WorkerMethods> {
  call: WorkerHandle<Methods>['call'];
  isRunning(): boolean;
  /** Ends it, as if by itself: what ran in it is brought back, with what `prepare` has mended. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Keeps a worker: starts it with the first call, logs its end, and brings it back with a growing pause.
 *
 * Calls under way in a worker that ends fail with `worker.stopped`; the next call starts a new one, until it is closed.
 */
export function superviseWorker<Methods extends WorkerMethods, Events extends WorkerEvents>(
  ports: Pick<Ports, 'startWorker' | 'logger'>,
  supervision: Supervision<Methods, Events>,
): SupervisedWorker<Methods> {
  const { name, farewell } = supervision;
  let worker: WorkerHandle<Methods, Events> | null = null;
  let isClosed = false;
  let crashes = 0;
  let pause: NodeJS.Timeout | null = null;

  const resume = (): void => {
    if (!isClosed) supervision.resume?.()?.catch(() => undefined);
  };
  const onExit = (startedAt: number, error: Error | null): void => {
    worker = null;
    if (isClosed) return;
    crashes = performance.now() - startedAt > STABLE_MS ? 1 : crashes + 1;
    ports.logger.log('error', 'worker.ended', { name, crashes, error: error?.stack ?? 'without a word' });
    supervision.onCrash?.();
    const delayMs = BACK_OFF_MS[Math.min(crashes, BACK_OFF_MS.length) - 1]!;
    if (pause !== null) clearTimeout(pause);
    pause = setTimeout(resume, delayMs).unref();
  };
  const start = (): WorkerHandle<Methods, Events> => {
    supervision.prepare?.();
    const startedAt = performance.now();
    const started = ports.startWorker<Methods, Events>(name, supervision.options ?? {});
    for (const event of Object.keys(supervision.on) as (keyof Events & string)[]) {
      started.onEvent(event, (payload) => {
        if (!isClosed) supervision.on[event](payload);
      });
    }
    started.onExit((error) => onExit(startedAt, error));
    return started;
  };
  return {
    // Who waited for something else meanwhile would start one that nobody ends.
    call: (method, ...input) =>
      isClosed ? Promise.reject(createStopped()) : (worker ??= start()).call(method, ...input),
    isRunning: () => worker !== null,
    async restart() {
      const ending = worker;
      if (ending === null) return;
      if (farewell !== undefined) await within(FAREWELL_MS, sayFarewell(ending, farewell));
      await ending.terminate();
    },
    async close() {
      isClosed = true;
      if (pause !== null) clearTimeout(pause);
      if (worker === null) return;
      if (farewell !== undefined) await within(FAREWELL_MS, sayFarewell(worker, farewell));
      await worker?.terminate();
    },
  };
}

const createStopped = (): AppError =>
  new AppError('worker.stopped', 'A background worker stopped. Try again.');

/** Takes that a worker ended while it was to stop something: it runs no more. @throws what else stopping failed with */
export function takeEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'worker.stopped') throw error;
}

function sayFarewell<M extends WorkerMethods>(worker: WorkerHandle<M>, farewell: keyof M & string) {
  return (worker as unknown as WorkerHandle).call(farewell, {}).catch(() => undefined);
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, limitMs)))]);
  clearTimeout(timer);
}
