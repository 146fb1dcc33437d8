/** Rows further down a list, without a gap among them. */
export interface FarItems<T> {
  readonly items: readonly T[];
  /** How many rows follow them. */
  readonly below: number;
}

/** The rows of a list by their places; some of them may not be loaded. */
export interface ListedRows<T extends { id: string }> {
  readonly count: number;
  /** Undefined: it is not loaded, or there is none. */
  at(index: number): T | undefined;
  /** Where a row stands, looked for from its last place outward: it hardly ever moved far. -1: it is not loaded. */
  find(id: string | null, near: number): number;
}

/** A browser lays out no longer list; what lies beyond can be searched for. */
const MOST_PIXELS = 33_000_000;

/**
 * Puts the first rows of a list and some further down in their places.
 *
 * @param far - known by how many rows follow them, so that what comes in on top does not move them
 * @param count - rows in all, loaded or not
 */
export function listRows<T extends { id: string }>(
  items: readonly T[],
  far: FarItems<T> | null = null,
  count = items.length,
  rowHeight = 1,
): ListedRows<T> {
  const most = Math.floor(MOST_PIXELS / rowHeight);
  const all = Math.max(items.length, count);
  const farItems = far?.items ?? [];
  const farStart = Math.max(items.length, all - (far?.below ?? 0) - farItems.length);
  return {
    count: Math.min(most, Math.max(all, farStart + farItems.length)),
    at: (index) => (index < items.length ? items[index] : farItems[index - farStart]),
    find(id, near) {
      if (id === null) return -1;
      const isFar = near >= farStart;
      const parts = [
        { part: items, start: 0 },
        { part: farItems, start: farStart },
      ];
      for (const { part, start } of isFar ? parts.reverse() : parts) {
        const place = findNear(part, id, near - start);
        if (place !== -1) return start + place;
      }
      return -1;
    },
  };
}

/** Where a row stands in an array, looked for from a place outward. */
export function findNear(items: readonly { id: string }[], id: string | null, place: number): number {
  if (id === null) return -1;
  const from = Math.max(0, Math.min(place, items.length - 1));
  for (let down = from, up = from + 1; down >= 0 || up < items.length;) {
    if (items[down]?.id === id) return down;
    if (items[up]?.id === id) return up;
    down -= 1;
    up += 1;
  }
  return -1;
}
