/**
 * Gives the largest of numbers, at least `least`, however many they are.
 *
 * `Math.max(...list)` ends in a full stack where somebody else chose how long the list is.
 */
export function largestOf(numbers: readonly number[], least: number): number {
  let largest = least;
  for (const one of numbers) if (one > largest) largest = one;
  return largest;
}
