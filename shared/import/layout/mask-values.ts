import { maskSecret } from '../../secrets';

/** Characters that are compared where a value's end stands: a moment's work; values of programs differ at their ends. */
const mostCompared = 200_000_000;

/** So many characters at a value's end are looked up at once. Shorter values would be found by chance in other texts. */
export const SHORTEST_VALUE = 6;

/**
 * Makes what masks thousands of values in thousands of texts, in one walk over each text.
 *
 * Where one value stands within another, or goes over into it, the whole is masked.
 * @param write - gives what stands in the place of one value
 * @returns null of a text: it would take too long to look through
 */
export function createValueMask(
  values: readonly string[],
  write = maskSecret,
): (text: string) => string | null {
  const byEnd = new Map<string, string[]>();
  for (const value of new Set(values)) {
    if (value.length < SHORTEST_VALUE) continue;
    const end = value.slice(-SHORTEST_VALUE);
    const known = byEnd.get(end);
    if (known === undefined) byEnd.set(end, [value]);
    else known.push(value);
  }
  for (const known of byEnd.values()) known.sort((a, b) => b.length - a.length);
  let left = mostCompared;
  return (text) => {
    if (byEnd.size === 0) return text;
    const places: Place[] = [];
    for (let end = SHORTEST_VALUE; end <= text.length; end++) {
      const candidates = byEnd.get(text.slice(end - SHORTEST_VALUE, end)) ?? [];
      const found = candidates.find((value) => {
        left -= value.length;
        return left >= 0 && text.startsWith(value, end - value.length);
      });
      if (left < 0) return null;
      if (found !== undefined) join(places, { start: end - found.length, end, isOne: true });
    }
    return cutOut(text, places, write);
  };
}

interface Place {
  readonly start: number;
  readonly end: number;
  /** False: several that overlap. */
  readonly isOne: boolean;
}

/** Puts a place behind others that end before it does. */
function join(places: Place[], place: Place): void {
  let joined = place;
  for (let last = places.at(-1); last !== undefined && last.end > joined.start; last = places.at(-1)) {
    places.pop();
    const start = Math.min(last.start, joined.start);
    joined = { start, end: joined.end, isOne: joined.isOne && start === joined.start };
  }
  places.push(joined);
}

function cutOut(text: string, places: readonly Place[], write: (value: string) => string): string {
  let masked = '';
  let at = 0;
  for (const { start, end, isOne } of places) {
    masked += text.slice(at, start) + (isOne ? write(text.slice(start, end)) : maskSecret(''));
    at = end;
  }
  return masked + text.slice(at);
}
