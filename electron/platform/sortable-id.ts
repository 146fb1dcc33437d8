/** Ids count from here, so that 41 bits of milliseconds last until 2093. */
const EPOCH_MS = Date.UTC(2024, 0, 1);
/** So many ids a millisecond before they run ahead of the clock. */
const PER_MS = 4096;
/** A clock that is set further ahead counts up from here: what a double counts one by one is not used up by it. */
const LATEST = Number.MAX_SAFE_INTEGER - 2 ** 40;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TEXT_LENGTH = 11;

/**
 * Gives the next id: an integer that grows with time, safe in a double and good as a rowid.
 *
 * Never gives one at or below `last`, even where the clock went back; and none that a double cannot hold, wherever it stands.
 * @param nowMs - epoch milliseconds
 * @param chance - where several processes give ids: a random integer, the place within the millisecond
 */
export function nextSortableId(nowMs: number, last: number, chance = 0): number {
  return Math.max(last + 1, Math.min(Math.floor(nowMs - EPOCH_MS) * PER_MS, LATEST) + (chance % PER_MS));
}

/** Writes an id as text: eleven letters and digits that sort as the ids do. */
export function formatSortableId(id: number): string {
  let text = '';
  for (let rest = id, place = 0; place < TEXT_LENGTH; place++) {
    text = DIGITS[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Reads what {@link formatSortableId} wrote; null for any other text. */
export function parseSortableId(text: string): number | null {
  if (!/^[0-9a-hjkmnp-tv-z]{11}$/.test(text)) return null;
  let id = 0;
  for (const digit of text) id = id * 32 + DIGITS.indexOf(digit);
  return Number.isSafeInteger(id) ? id : null;
}

/** Gives the moment of an id with its place within the millisecond as fraction: a cursor for lists paged by time, exact until 2039. */
export function toInstant(id: number): number {
  return EPOCH_MS + id / PER_MS;
}

/** Gives the first id of a moment; the very id for what {@link toInstant} gave. */
export function fromInstant(instant: number): number {
  return Math.max(0, Math.floor((instant - EPOCH_MS) * PER_MS));
}
