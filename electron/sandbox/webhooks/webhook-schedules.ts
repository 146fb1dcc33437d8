export type RetrySchedule = 'standard' | 'fast' | 'none';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before each attempt, counted from the end of the one before, in milliseconds. @source design 5 */
export const retrySchedules: Readonly<Record<RetrySchedule, readonly number[]>> = {
  standard: [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  fast: [0, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND],
  none: [0],
};
