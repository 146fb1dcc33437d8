import { useSyncExternalStore } from 'react';

interface Tick {
  subscribe(listener: () => void): () => void;
  now(): number;
}

/** One timer for all who look; it stands still while nobody does. */
export function createTick(tickMs: number): Tick {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | null = null;
  return {
    now: () => now,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === null) {
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const one of listeners) one();
        }, tickMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

const second = createTick(1000);

/** The time, once a second: for countdowns. */
export function useNow(): number {
  return useSyncExternalStore(second.subscribe, second.now);
}
