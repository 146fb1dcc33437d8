import type { ResourceLimits } from 'node:worker_threads';
import { AppError, crowdedMessage, isCrowded, toErrorReply, type ErrorReply } from '@shared/errors';
import { keepHeapSmallStill } from '../keep-heap-small';
import { listPassedSwitches } from '../passed-switches';
import type { WorkerEvents, WorkerHandle, WorkerMethods } from '../ports';

type ToWorker = { id: number; method: string; input: unknown };
type WorkerAnswer =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; error: ErrorReply; failure?: string };
type FromWorker = WorkerAnswer | { event: string; payload: unknown };

/**
 * Starts a worker thread and gives a handle to call it.
 *
 * A worker that dies answers everything still open with `worker.stopped`; nothing hangs.
 * @param file - built entry of the worker, absolute
 * @param resourceLimits - of its own heap; left out: V8's
 */
export function startNodeWorker<Methods extends WorkerMethods, Events extends WorkerEvents>(
  file: URL,
  options: Record<string, unknown>,
  resourceLimits: ResourceLimits = {},
): WorkerHandle<Methods, Events> {
  // Loaded with the first worker: it takes a part of each start.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const worker = new Worker(file, { workerData: options, resourceLimits, argv: listPassedSwitches() });
  const calls = createOpenCalls();
  const eventListeners = new Map<string, (payload: never) => void>();
  const exitListeners = new Set<(error: Error | null) => void>();
  let failure: Error | null = null;

  worker.on('online', keepHeapSmallStill);
  worker.on('message', (message: FromWorker) => {
    if ('event' in message) eventListeners.get(message.event)?.(message.payload as never);
    else calls.settle(message);
  });
  // An error that is none of V8's, as the database's are, comes as a bare object: its text is lost on the way, its code is not.
  worker.on(
    'error',
    (error) =>
      (failure =
        error instanceof Error ? error : new Error(process.getBuiltinModule('node:util').inspect(error))),
  );
  worker.on('exit', () => {
    calls.failAll(failure);
    for (const listener of exitListeners) listener(failure);
  });
  return {
    call: (method, ...[input]) =>
      calls.open((id) => worker.postMessage({ id, method, input } satisfies ToWorker)) as never,
    onEvent: (name, listener) => void eventListeners.set(name, listener),
    onExit: (listener) => void exitListeners.add(listener),
    terminate: async () => void (await worker.terminate()),
  };
}

function createOpenCalls() {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  return {
    open(send: (id: number) => void): Promise<unknown> {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        send(id);
      });
    },
    settle(answer: WorkerAnswer): void {
      const waiting = open.get(answer.id);
      open.delete(answer.id);
      if (answer.ok) return waiting?.resolve(answer.value);
      const { error, failure } = answer;
      const cause = failure === undefined ? undefined : new Error(failure);
      waiting?.reject(new AppError(error.code, error.message, { ...error, cause }));
    },
    failAll(cause: Error | null): void {
      const message = isCrowded(cause) ? crowdedMessage : 'A background worker stopped. Try again.';
      const error = new AppError('worker.stopped', message, { retryable: true, cause });
      for (const waiting of open.values()) waiting.reject(error);
      open.clear();
    },
  };
}

/**
 * Runs on the worker's side: answers calls with the given functions.
 *
 * A failure outside of a call ends the worker, and its host hears of it: nothing goes on half alive.
 * @param create - gets the options of `startNodeWorker` and a function that sends events; gives the functions
 */
export function serveWorker<Methods extends WorkerMethods, Events extends WorkerEvents>(
  create: (
    options: Record<string, unknown>,
    emit: <E extends keyof Events & string>(event: E, payload: Events[E]) => void,
  ) => Methods,
): void {
  const { parentPort: port, workerData } = process.getBuiltinModule('node:worker_threads');
  if (port === null) throw new AppError('worker.no_parent', 'This entry runs as a worker thread only.');
  const methods = create(workerData as Record<string, unknown>, (event, payload) =>
    port.postMessage({ event, payload }),
  );
  port.on('message', (message: ToWorker) => {
    void (async () => {
      try {
        const method = methods[message.method];
        if (method === undefined)
          throw new AppError('worker.unknown_method', `No method ${message.method} here.`);
        const value = await method(message.input);
        port.postMessage({ id: message.id, ok: true, value });
      } catch (error) {
        // What nobody foresaw goes to the host's log; a client is never told.
        const failure = error instanceof AppError ? {} : { failure: describeFailure(error) };
        port.postMessage({ id: message.id, ok: false, error: toErrorReply(error), ...failure });
      }
    })();
  });
}

/** For the log alone: name, message and place of a failure that nobody foresaw. */
export function describeFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
