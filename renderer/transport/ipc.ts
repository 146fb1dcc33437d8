import type { EventListener, PreloadBridge, Transport } from './transport';

/** Wraps the preload bridge. The main process lives as long as the window: it is always reachable. */
export function createIpcTransport(bridge: PreloadBridge): Transport {
  // One listener at the bridge, however many here: it copies each event for each of its own.
  const listeners = new Set<EventListener>();
  bridge.subscribe((name, payload) => {
    for (const listener of [...listeners]) listener(name, payload);
  });
  return {
    call: async (method, input) => {
      try {
        return await bridge.call(method, input);
      } catch {
        return {
          ok: false,
          error: {
            code: 'app.unreachable',
            message: 'The back end refused or dropped this call. Restart Countersign if it happens again.',
            details: { method },
            retryable: true,
          },
        };
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watchConnection: (listener) => {
      listener('online');
      return () => undefined;
    },
  };
}
