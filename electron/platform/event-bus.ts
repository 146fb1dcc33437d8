import type { EventBus, EventMap, EventName } from '@shared/contract/events';

type Listener = (payload: never) => void;
type AnyListener = (name: EventName, payload: EventMap[EventName]) => void;

/**
 * Makes the bus on which services publish and hosts listen. Synchronous, in order of subscription.
 *
 * @param onError - told when a listener throws; the other listeners still hear the event
 */
export function createEventBus(onError: (error: unknown) => void = rethrowLater): EventBus {
  const listeners = new Map<EventName, Set<Listener>>();
  const anyListeners = new Set<AnyListener>();

  const guard = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      onError(error);
    }
  };
  return {
    emit(name, payload) {
      for (const listener of [...(listeners.get(name) ?? [])]) guard(() => listener(payload as never));
      for (const listener of [...anyListeners]) guard(() => listener(name, payload));
    },
    subscribe(name, listener) {
      const set = listeners.get(name) ?? new Set<Listener>();
      listeners.set(name, set.add(listener as Listener));
      return () => set.delete(listener as Listener);
    },
    subscribeAll(listener) {
      anyListeners.add(listener);
      return () => anyListeners.delete(listener);
    },
  };
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
