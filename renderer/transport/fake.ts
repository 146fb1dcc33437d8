import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import type { EventMap, EventName } from '@shared/contract/events';
import { AppError, toErrorReply } from '@shared/errors';
import type { ConnectionState, EventListener, Transport } from './transport';

/** Handlers a test gives; a method without one answers `app.unknown_method`. */
export type FakeHandlers = {
  [M in MethodName]?: (input: MethodInput<M>) => MethodOutput<M> | Promise<MethodOutput<M>>;
};

export interface FakeTransport extends Transport {
  /** Every call in order, for assertions. */
  readonly calls: { method: string; input: unknown }[];
  handlers: FakeHandlers;
  emit<E extends EventName>(name: E, payload: EventMap[E]): void;
  /** Loses the connection, or has it back. */
  setConnection(state: ConnectionState): void;
}

/** Answers calls from a test's own handlers, in memory. */
export function createFakeTransport(handlers: FakeHandlers = {}): FakeTransport {
  const listeners = new Set<EventListener>();
  const watchers = new Set<(state: ConnectionState) => void>();
  const fake: FakeTransport = {
    calls: [],
    handlers,
    call: async (method, input) => {
      fake.calls.push({ method, input });
      const known = Object.hasOwn(fake.handlers, method) ? fake.handlers[method as MethodName] : undefined;
      const handler = known as ((input: unknown) => unknown) | undefined;
      try {
        if (!handler) throw new AppError('app.unknown_method', `The test gives no handler for ${method}.`);
        return { ok: true, value: await handler(input) };
      } catch (error) {
        return { ok: false, error: toErrorReply(error) };
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watchConnection: (listener) => {
      watchers.add(listener);
      listener('online');
      return () => watchers.delete(listener);
    },
    setConnection: (state) => {
      for (const watcher of watchers) watcher(state);
    },
    emit: (name, payload) => {
      for (const listener of listeners) listener(name, payload);
    },
  };
  return fake;
}
