import type { PreloadBridge, Transport } from './transport';

/** Wraps the preload bridge. The main process lives as long as the window: it is always reachable. */
export function createIpcTransport(bridge: PreloadBridge): Transport {
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
    subscribe: (listener) => bridge.subscribe(listener),
    watchConnection: (listener) => {
      listener('online');
      return () => undefined;
    },
  };
}
