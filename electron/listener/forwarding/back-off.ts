/** How long the next attempt waits after the first, second … failure. */
const BACK_OFF_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** @param failures - in a row, from 1 */
export function backOffMs(failures: number): number {
  return BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1]!;
}

/** No pause is longer. */
export const LONGEST_PAUSE_MS = BACK_OFF_MS.at(-1)!;

/** Whether a pause that was to end at `until` is over: also where the clock was set back since, which would make it days. */
export function isPauseOver(until: number, now: number): boolean {
  return until <= now || until - now > LONGEST_PAUSE_MS;
}
