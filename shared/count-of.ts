/** Writes how many there are of something: `1 setting`, `2 settings`. */
export function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
