/** Writes `1234567` as `1,234,567`; whatever its length, in time by it. */
export function groupThousands(digits: string, mark: string): string {
  const first = digits.length % 3 || 3;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(mark);
}
