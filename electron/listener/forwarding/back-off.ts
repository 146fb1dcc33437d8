/** How long the next attempt waits after the first, second … failure. */
const BACK_OFF_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** @param failures - in a row, from 1 */
export function backOffMs(failures: number): number {
  return BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1]!;
}
