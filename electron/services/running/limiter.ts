import { whenStopped } from './when-stopped';

/** Lets so many through at once; the others wait in order. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(most: number): Limiter {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}

/** Waits; ends early, without an error, when it is stopped. */
export function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let forget = (): void => undefined;
    const end = (): void => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(end, ms);
    forget = whenStopped(stop, end);
  });
}
