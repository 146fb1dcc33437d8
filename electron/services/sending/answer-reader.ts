import type { Ports, WorkerHandle } from '../../platform/ports';
import { readReceived, type Received, type ReadReceived } from './read-received';

/** What the thread for long answers can do. */
export type AnswerHelperMethods = { read(received: Received): ReadReceived };

/** Reads answers, long ones without holding up anything else. */
export interface AnswerReader {
  read(received: Received): Promise<ReadReceived>;
  close(): Promise<void>;
}

/** Read at once: the dearest of this size takes less than a tenth of a second. */
const SHORT_BYTES = 128 * 1024;
/** One long answer is often followed by another. */
const IDLE_MS = 10_000;

/**
 * Makes what reads answers: long ones in a thread of their own, which ends when no more of them come.
 *
 * @param startWorker - null: nobody else waits for this thread, and all are read in it
 */
export function createAnswerReader(startWorker: Ports['startWorker'] | null): AnswerReader {
  let helper: WorkerHandle<AnswerHelperMethods> | null = null;
  let underWay = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = helper;
    helper = null;
    await ending?.terminate();
  };
  const help = (start: Ports['startWorker']): WorkerHandle<AnswerHelperMethods> => {
    if (helper !== null) return helper;
    const started = start<AnswerHelperMethods, Record<never, never>>('answers', {});
    started.onExit(() => {
      if (helper === started) helper = null;
    });
    return (helper = started);
  };
  return {
    async read(received) {
      if (startWorker === null || received.answer.body.length <= SHORT_BYTES) return readReceived(received);
      clearTimeout(idle);
      underWay += 1;
      try {
        return await help(startWorker).call('read', received);
      } catch {
        // An answer that came is told, whatever became of the thread.
        return readReceived(received);
      } finally {
        underWay -= 1;
        if (underWay === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    close: end,
  };
}
