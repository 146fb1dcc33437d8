import { call } from '../../../transport/client';
import { useRequestsStore, type OpenTab } from '../requests-store';

/** So many files are read to find where one went. */
const mostRead = 12;

/**
 * Finds where the file of a tab is now, by its bytes as they were read: among those of its name, and those that changed with it.
 *
 * @returns null: nowhere, or in several places
 */
export async function findMoved(
  { collectionId, path, version }: Pick<OpenTab, 'collectionId' | 'path' | 'version'>,
  changed: readonly string[],
): Promise<string | null> {
  const { collections, tabs } = useRequestsStore.getState();
  const nodes = collections.find(({ id }) => id === collectionId)?.nodes ?? [];
  const open = new Set(tabs.filter((tab) => tab.collectionId === collectionId).map((tab) => tab.path));
  const isLikely = (other: string): boolean =>
    nameOf(other) === nameOf(path) || changed.some((one) => one === other || other.startsWith(`${one}/`));
  const likely = nodes.filter(
    (node) => node.kind === 'request' && !open.has(node.path) && isLikely(node.path),
  );
  const found = await Promise.all(
    likely.slice(0, mostRead).map(async (node) => {
      const file = await call('collections.read', { collectionId, path: node.path }).catch(() => null);
      return file?.version === version ? [node.path] : [];
    }),
  );
  const [moved, ...others] = found.flat();
  return moved === undefined || others.length > 0 ? null : moved;
}

/** Keeps what a request was sent its own where its file is now; where that fails, it stands there under the former path. */
export function followMoved(
  { collectionId, path }: Pick<OpenTab, 'collectionId' | 'path'>,
  toPath: string,
): void {
  void call('history.follow', { collectionId, path, toPath }).catch(() => undefined);
}

const nameOf = (path: string): string => path.replace(/^.*\//, '');
