import { parentPort, workerData, Worker } from 'node:worker_threads';
import { AppError, toErrorReply, type ErrorReply } from '@shared/errors';
import type { WorkerHandle } from './ports';

type ToWorker = { id: number; method: string; input: unknown };
type FromWorker =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; error: ErrorReply; failure?: string }
  | { event: string; payload: unknown };

/**
 * Starts a worker thread and gives a handle to call it.
 *
 * A worker that dies answers everything still open with `worker.stopped`; nothing hangs.
 * @param file - built entry of the worker, absolute
 */
export function startNodeWorker(file: URL, options: Record<string, unknown>): WorkerHandle {
  const worker = new Worker(file, { workerData: options });
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const eventListeners = new Set<(name: string, payload: unknown) => void>();
  const exitListeners = new Set<(error: Error | null) => void>();
  let lastId = 0;
  let failure: Error | null = null;

  worker.on('message', (message: FromWorker) => {
    if ('event' in message) {
      for (const listener of eventListeners) listener(message.event, message.payload);
      return;
    }
    const waiting = open.get(message.id);
    open.delete(message.id);
    if (message.ok) waiting?.resolve(message.value);
    else {
      const { error, failure } = message;
      const cause = failure === undefined ? undefined : new Error(failure);
      waiting?.reject(new AppError(error.code, error.message, { ...error, cause }));
    }
  });
  worker.on('error', (error) => (failure = error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => {
    for (const waiting of open.values()) {
      waiting.reject(
        new AppError('worker.stopped', 'A background worker stopped. Try again.', {
          retryable: true,
          cause: failure,
        }),
      );
    }
    open.clear();
    for (const listener of exitListeners) listener(failure);
  });

  return {
    call(method, input) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        worker.postMessage({ id, method, input } satisfies ToWorker);
      });
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onExit(listener) {
      exitListeners.add(listener);
      return () => exitListeners.delete(listener);
    },
    async terminate() {
      await worker.terminate();
    },
  };
}

/**
 * Runs on the worker's side: answers calls with the given functions.
 *
 * @param create - gets the options of `startNodeWorker` and a function that sends events; gives the functions
 */
export function serveWorker(
  create: (
    options: Record<string, unknown>,
    emit: (event: string, payload: unknown) => void,
  ) => Record<string, (input: never) => unknown> | Promise<Record<string, (input: never) => unknown>>,
): void {
  const port = parentPort;
  if (port === null) throw new AppError('worker.no_parent', 'This entry runs as a worker thread only.');
  const handlers = Promise.resolve(
    create(workerData as Record<string, unknown>, (event, payload) => port.postMessage({ event, payload })),
  );
  port.on('message', (message: ToWorker) => {
    void (async () => {
      try {
        const handler = (await handlers)[message.method];
        if (handler === undefined)
          throw new AppError('worker.unknown_method', `No method ${message.method} here.`);
        const value = await handler(message.input as never);
        port.postMessage({ id: message.id, ok: true, value });
      } catch (error) {
        // What nobody foresaw goes to the host's log; a client is never told.
        const failure = error instanceof AppError ? {} : { failure: describeFailure(error) };
        port.postMessage({ id: message.id, ok: false, error: toErrorReply(error), ...failure });
      }
    })();
  });
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
