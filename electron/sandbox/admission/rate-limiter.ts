/** Lets so many requests a second through, by the sandbox's clock. */
export interface RateLimiter {
  /** @returns null where the request may pass, else the seconds after which it may be tried again */
  take(): number | null;
  /** @param perSecond - 0: no limit */
  configure(perSecond: number): void;
}

/** Makes a limiter that counts by whole seconds, so that a client can reckon with it. */
export function createRateLimiter(perSecond: number, now: () => number): RateLimiter {
  let limit = perSecond;
  let second = 0;
  let count = 0;
  return {
    take() {
      if (limit === 0) return null;
      const at = now();
      const current = Math.floor(at / 1000);
      if (current !== second) {
        second = current;
        count = 0;
      }
      if (count < limit) {
        count += 1;
        return null;
      }
      return ((current + 1) * 1000 - at) / 1000;
    },
    configure(next) {
      limit = next;
    },
  };
}
