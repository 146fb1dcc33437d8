import { call } from '../../../transport/client';
import { useRequestsStore, type OpenTab } from '../requests-store';

/** So many files are read to find where one went. */
const mostRead = 12;

/** So much of the lines of two files has to be the same for one to be taken for the other, as git does. */
const leastAlike = 0.5;

/**
 * Finds where the file of a tab is now: by its bytes as they were read, among files of its name and those that changed with it; else
 * the one most like it among those that came with the same change.
 *
 * @param before - paths of the collection before that change; left out: nobody knows which came
 */
export async function findMoved(
  { collectionId, path, version, savedText, gone }: OpenTab,
  changed: readonly string[],
  before?: ReadonlySet<string>,
): Promise<NonNullable<OpenTab['gone']>> {
  const { collections, tabs } = useRequestsStore.getState();
  const nodes = collections.find(({ id }) => id === collectionId)?.nodes ?? [];
  const open = new Set(tabs.filter((tab) => tab.collectionId === collectionId).map((tab) => tab.path));
  const isLikely = (other: string): boolean =>
    other === gone?.movedTo ||
    nameOf(other) === nameOf(path) ||
    changed.some((one) => one === other || other.startsWith(`${one}/`));
  const likely = nodes.filter(
    (node) => node.kind === 'request' && !open.has(node.path) && isLikely(node.path),
  );
  const read = await Promise.all(
    likely.slice(0, mostRead).map(async (node) => {
      const file = await call('collections.read', { collectionId, path: node.path }).catch(() => null);
      return file === null ? [] : [{ path: node.path, text: file.text, isSame: file.version === version }];
    }),
  );
  const same = read.flat().filter(({ isSame }) => isSame);
  if (same.length > 0) return { movedTo: same.length === 1 ? same[0]!.path : null };
  const came = read.flat().filter((file) => before?.has(file.path) === false || file.path === gone?.movedTo);
  const movedTo = findMostAlike(savedText, came);
  return movedTo === null ? { movedTo } : { movedTo, isGuess: true };
}

/** @returns null: none is like it, or two are so alike */
function findMostAlike(text: string, files: readonly { path: string; text: string }[]): string | null {
  const ranked = files
    .map((file) => ({ path: file.path, likeness: compareLines(text, file.text) }))
    .filter(({ likeness }) => likeness >= leastAlike)
    .toSorted((left, right) => right.likeness - left.likeness);
  const [first, second] = ranked;
  return first === undefined || first.likeness === second?.likeness ? null : first.path;
}

/** The share of lines that stand in both, from 0 to 1. */
function compareLines(left: string, right: string): number {
  const linesOf = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  const [ours, theirs] = [linesOf(left), linesOf(right)];
  const counts = new Map<string, number>();
  for (const line of theirs) counts.set(line, (counts.get(line) ?? 0) + 1);
  let both = 0;
  for (const line of ours) {
    const count = counts.get(line) ?? 0;
    if (count === 0) continue;
    both += 1;
    counts.set(line, count - 1);
  }
  return ours.length === 0 ? 0 : (2 * both) / (ours.length + theirs.length);
}

/** Keeps what a request was sent its own where its file is now; where that fails, it stands there under the former path. */
export function followMoved(
  { collectionId, path }: Pick<OpenTab, 'collectionId' | 'path'>,
  toPath: string,
): void {
  void call('history.follow', { collectionId, path, toPath }).catch(() => undefined);
}

const nameOf = (path: string): string => path.replace(/^.*\//, '');
