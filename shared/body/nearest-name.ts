const LONGEST = 60;

/** Finds the name that somebody may have meant: at most two letters away, case and separators apart; null: none. */
export function nearestName(written: string, names: readonly string[]): string | null {
  if (written.length > LONGEST) return null;
  const plain = simplify(written);
  const ranked = names
    .map((name) => ({ name, distance: measure(plain, simplify(name)) }))
    .filter(({ name, distance }) => distance <= Math.min(2, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
}

const simplify = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** How many letters are to be put in, taken out or changed. */
function measure(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (isSame ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length]!;
}
