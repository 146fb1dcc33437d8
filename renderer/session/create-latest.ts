/**
 * Tells of several askings for one thing which was the last: that one counts, in whatever order the answers come.
 *
 * @returns what begins an asking, of one of several things where a key is given, and gives what tells whether it is the last
 */
export function createLatest(): (key?: string) => () => boolean {
  const last = new Map<string, number>();
  return (key = '') => {
    const mine = (last.get(key) ?? 0) + 1;
    last.set(key, mine);
    return () => last.get(key) === mine;
  };
}
