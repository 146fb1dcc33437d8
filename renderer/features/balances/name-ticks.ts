import { formatExact } from '../../ui/format-time';
import { formatDay } from './balances-selectors';

/**
 * Words of the ticks on an axis of time, no two alike: with the day where it goes over more than one, as the table has it, and
 * alone where each is the beginning of one; with fractions where they are less than a second apart.
 * @param seconds - since 1970, ascending
 * @param shown - what the axis goes over: it may begin before the first tick, and end after the last
 */
export function nameTicks(seconds: readonly number[], shown: readonly number[] = []): string[] {
  const exact = seconds.map((at) => formatExact(at * 1000));
  const ends = [shown[0], shown.at(-1)].filter((at) => at !== undefined);
  const days = new Set(
    [...exact, ...ends.map((at) => formatExact(at * 1000))].map((text) => text.slice(0, 10)),
  );
  const end = seconds.every(Number.isInteger) ? 19 : 23;
  if (days.size < 2) return exact.map((text) => text.slice(11, end));
  const clockEnd = seconds.every((at) => at % 60 === 0) ? 16 : end;
  const areDays = exact.every((text) => text.endsWith(' 00:00:00.000'));
  const hasYear = areDays && new Set(exact.map((text) => text.slice(0, 4))).size > 1;
  return seconds.map((at, index) => {
    const day = formatDay(at * 1000, hasYear);
    return areDays ? day : `${day} ${exact[index]!.slice(11, clockEnd)}`;
  });
}
