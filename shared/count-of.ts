/** Writes how many there are of something: `1 setting`, `2,000 settings`. */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}
