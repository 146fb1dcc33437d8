import { AppError } from '@shared/errors';
import type { Ports, WorkerHandle, WorkerMethods } from '../ports';

/** Does what takes long for long texts without holding up anything else. */
export interface LongWork<Methods extends WorkerMethods> {
  /** @param sizeBytes - what the time it takes goes by */
  call<M extends keyof Methods & string>(
    method: M,
    input: Parameters<Methods[M]>[0],
    sizeBytes: number,
  ): Promise<Awaited<ReturnType<Methods[M]>>>;
  close(): Promise<void>;
}

/** Done at once: the dearest of this size takes less than a tenth of a second. */
const SHORT_BYTES = 128 * 1024;
/** One long text is often followed by another. */
const IDLE_MS = 10_000;

/**
 * Makes what does long work: in a thread of its own, which ends when no more comes.
 *
 * @param startWorker - null: nobody else waits for this thread, and all is done in it
 * @param methods - what the worker `answers` does, for what is short, and for what its thread did not come to an end with
 */
export function createLongWork<Methods extends WorkerMethods>(
  startWorker: Ports['startWorker'] | null,
  methods: Methods,
): LongWork<Methods> {
  let helper: WorkerHandle<Methods> | null = null;
  let underWay = 0;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = helper;
    helper = null;
    await ending?.terminate();
  };
  const help = (start: Ports['startWorker']): WorkerHandle<Methods> => {
    if (helper !== null) return helper;
    const started = start<Methods, Record<never, never>>('answers', {});
    started.onExit(() => {
      if (helper === started) helper = null;
    });
    return (helper = started);
  };
  return {
    async call<M extends keyof Methods & string>(
      method: M,
      input: Parameters<Methods[M]>[0],
      sizeBytes: number,
    ): Promise<Awaited<ReturnType<Methods[M]>>> {
      type Made = Awaited<ReturnType<Methods[M]>>;
      const here = async () => (await methods[method]!(input)) as Made;
      if (startWorker === null || isClosed || sizeBytes <= SHORT_BYTES) return await here();
      clearTimeout(idle);
      underWay += 1;
      try {
        return await help(startWorker).call(method, ...([input] as Parameters<Methods[M]>));
      } catch (error) {
        if (error instanceof AppError && !/^(?:worker|app)\./.test(error.code)) throw error;
        // An answer that came is told, whatever became of the thread.
        return await here();
      } finally {
        underWay -= 1;
        if (underWay === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    close() {
      isClosed = true;
      return end();
    },
  };
}
