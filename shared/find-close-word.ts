/** Letters that two words may differ by and still be one word, mistyped; a short word has no room for two. */
const allowedDistance = (word: string): number => (word.length < 5 ? 1 : 2);
/** Nobody mistypes a word that is longer; what comes here is anything at all. */
const MOST_LETTERS = 40;

/** Fewer letters say nothing of the word that they begin. */
const FEWEST_OF_A_BEGINNING = 3;

/**
 * Finds the word that somebody meant, in whatever case: the one that begins so, one that few slips of the keys lead to,
 * or one that what was typed begins with (`environment` for `env`).
 *
 * @returns null: none is near
 */
export function findCloseWord(typed: string, words: readonly string[]): string | null {
  if (typed.length < 2 || typed.length > MOST_LETTERS) return null;
  const low = typed.toLowerCase();
  const isLong = low.length >= FEWEST_OF_A_BEGINNING;
  const begun = isLong ? words.filter((word) => word.toLowerCase().startsWith(low)) : [];
  if (begun.length === 1) return begun[0]!;
  const near = words
    .map((word) => ({ word, distance: countSlips(low, word.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowedDistance(low))
    .sort((left, right) => left.distance - right.distance);
  const beginning = words.find(
    (word) => word.length >= FEWEST_OF_A_BEGINNING && low.startsWith(word.toLowerCase()),
  );
  return near[0]?.word ?? begun[0] ?? beginning ?? null;
}

/** Letters left out, added, exchanged, or swapped with their neighbour (optimal string alignment). */
function countSlips(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let y = 1; y <= left.length; y++) {
    const row = [y];
    for (let x = 1; x <= right.length; x++) {
      const isSame = left[y - 1] === right[x - 1];
      const isSwapped = left[y - 1] === right[x - 2] && left[y - 2] === right[x - 1];
      row[x] = Math.min(
        rows[y - 1]![x]! + 1,
        row[x - 1]! + 1,
        rows[y - 1]![x - 1]! + (isSame ? 0 : 1),
        isSwapped && y > 1 && x > 1 ? rows[y - 2]![x - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[left.length]![right.length]!;
}
