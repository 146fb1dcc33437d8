import { formatExact } from '../../ui/format-time';
import { formatDay } from './balances-selectors';

const DAY_S = 24 * 60 * 60;

/**
 * Words of the ticks on an axis of time, no two alike: with the day where they are over more than one, as the table has it, and
 * alone where each is the beginning of one; with fractions where they are less than a second apart.
 * @param seconds - since 1970, ascending
 */
export function nameTicks(seconds: readonly number[]): string[] {
  const isOverDays = (seconds.at(-1) ?? 0) - (seconds[0] ?? 0) > DAY_S;
  const exact = seconds.map((at) => formatExact(at * 1000));
  if (!isOverDays) {
    const end = seconds.every(Number.isInteger) ? 19 : 23;
    return exact.map((text) => text.slice(11, end));
  }
  const areDays = exact.every((text) => text.endsWith(' 00:00:00.000'));
  const hasYear = areDays && new Set(exact.map((text) => text.slice(0, 4))).size > 1;
  return seconds.map((at, index) => {
    const day = formatDay(at * 1000, hasYear);
    return areDays ? day : `${day} ${exact[index]!.slice(11, 16)}`;
  });
}
