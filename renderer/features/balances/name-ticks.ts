import { formatExact } from '../../ui/format-time';

const DAY_S = 24 * 60 * 60;

/**
 * Words of the ticks on an axis of time, no two alike: with the date where they are over more than a day, with fractions where
 * they are less than a second apart.
 * @param seconds - since 1970, ascending
 */
export function nameTicks(seconds: readonly number[]): string[] {
  const isOverDays = (seconds.at(-1) ?? 0) - (seconds[0] ?? 0) > DAY_S;
  const end = seconds.every(Number.isInteger) ? 19 : 23;
  return seconds.map((at) =>
    isOverDays ? formatExact(at * 1000).slice(5, 16) : formatExact(at * 1000).slice(11, end),
  );
}
