import { isRecord } from '../json/is-record';

/** How much there is more of, by place: values counted (`#`), and numbers added up (`+`). */
export type StateChange = ReadonlyMap<string, number>;

/** Seconds and milliseconds of the years 2020 to 2100: a moment, which adds up to nothing. */
const MOMENTS = [
  [1_577_836_800, 4_102_444_800],
  [1_577_836_800_000, 4_102_444_800_000],
] as const;
/** What has more digits names something, and counts nothing. */
const PLAIN_NUMBER = /^-?\d{1,12}(?:\.\d{1,6})?$/;

/**
 * Measures what has come to a receiver's state, of whatever form it is: members and elements by the name of their place, new
 * members of an object all alike.
 */
export function measureChange(before: unknown, after: unknown): StateChange {
  const change = new Map<string, number>();
  compareAt(before, after, '', change);
  for (const [place, amount] of change) if (Math.abs(amount) < 1e-6) change.delete(place);
  return change;
}

/**
 * Tells whether `change` is more than `times` times what one of its kind makes, and at most twice that: some took effect twice.
 *
 * @param single - what one made, for the yardstick
 */
export function hasEffectTwice(single: StateChange, change: StateChange, times: number): boolean {
  return [...single].some(([place, amount]) => {
    const ratio = (change.get(place) ?? 0) / amount;
    return Math.abs(ratio - Math.round(ratio)) < 1e-6 && ratio > times + 0.5 && ratio < 2 * times + 0.5;
  });
}

/**
 * Tells whether the next made less of something than one before it, though one after it made as much again: a part of it was
 * taken for the first.
 */
export function lacksEffect(single: StateChange, next: StateChange, after: StateChange): boolean {
  return [...single].some(
    ([place, amount]) => amount > 0 && (next.get(place) ?? 0) < amount && after.get(place) === amount,
  );
}

function compareAt(before: unknown, after: unknown, place: string, change: Map<string, number>): void {
  if (!isRecord(before) || !isRecord(after)) {
    addUp(before, place, -1, change);
    addUp(after, place, 1, change);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const isInBoth = Object.hasOwn(before, key) && Object.hasOwn(after, key);
    if (isInBoth) compareAt(before[key], after[key], `${place}/${key}`, change);
    else if (Object.hasOwn(after, key)) addUp(after[key], `${place}/*`, 1, change);
    else addUp(before[key], `${place}/*`, -1, change);
  }
}

function addUp(value: unknown, place: string, sign: 1 | -1, change: Map<string, number>): void {
  const add = (key: string, amount: number): void =>
    void change.set(key, (change.get(key) ?? 0) + sign * amount);
  if (value === undefined) return;
  add(`${place}#`, 1);
  if (Array.isArray(value)) for (const one of value) addUp(one, `${place}/[]`, sign, change);
  else if (isRecord(value)) {
    for (const [key, one] of Object.entries(value)) addUp(one, `${place}/${key}`, sign, change);
  } else if (typeof value === 'number' || (typeof value === 'string' && PLAIN_NUMBER.test(value))) {
    const number = Number(value);
    if (!MOMENTS.some(([from, to]) => number >= from && number < to)) add(`${place}+`, number);
  }
}
