import { AppError } from '@shared/errors';
import { isExamplePath, titleExample } from '@shared/http-file/example-file';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { findNode } from '../requests-selectors';
import { loadGit } from './load-git';
import { formatItemId, useRequestsStore, type RequestsState, type ShownCollection } from '../requests-store';

/** Reads which collections are open, and the tree of each. Never throws: the error stands in the store. */
export async function loadCollections(): Promise<void> {
  try {
    const { collections, activeId, heldBack, recent, notes } = await call('collections.list');
    useRequestsStore.setState((state) => ({
      heldBack,
      folderNotes: notes,
      recent,
      collections: collections.map((one) => ({ ...unread, ...findCollection(state, one.id), ...one })),
      // What was worked in last stays; what was opened first is what the back end says.
      collectionId: collections.some(({ id }) => id === state.collectionId) ? state.collectionId : activeId,
    }));
    await Promise.all(collections.map(({ id }) => loadNodes(id)));
    useRequestsStore.setState({ treeState: 'ready', treeError: null });
  } catch (error) {
    useRequestsStore.setState({ treeState: 'failed', treeError: toClientError(error) });
  }
}

const unread = { nodes: [], state: 'loading', error: null, orderFault: null } as const;

const findCollection = ({ collections }: RequestsState, id: string): ShownCollection | undefined =>
  collections.find((one) => one.id === id);

function updateCollection(id: string, change: Partial<ShownCollection>): void {
  useRequestsStore.setState(({ collections }) => ({
    collections: collections.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }));
}

/** Readings under way, by collection: whoever asks meanwhile waits for one that begins afterwards, all for the same. */
const readings = new Map<string, { current: Promise<void>; next: Promise<void> | null }>();

/** Reads the tree of one collection anew; its error stands in the store. */
export function loadNodes(id: string): Promise<void> {
  const reading = readings.get(id);
  if (reading === undefined) return beginReading(id);
  reading.next ??= reading.current.then(() => beginReading(id));
  return reading.next;
}

function beginReading(id: string): Promise<void> {
  const current = readNodes(id).finally(() => {
    if (readings.get(id)?.current === current && readings.get(id)?.next === null) readings.delete(id);
  });
  readings.set(id, { current, next: null });
  return current;
}

async function readNodes(id: string): Promise<void> {
  try {
    const { nodes, orderFault } = await call('collections.tree', { collectionId: id });
    updateCollection(id, { nodes, orderFault, state: 'ready', error: null });
    loadGit(id);
    useRequestsStore.setState((state) => ({
      tabs: state.tabs.map((tab) =>
        tab.collectionId === id ? { ...tab, title: titleOf(state, id, tab.path) } : tab,
      ),
    }));
  } catch (error) {
    updateCollection(id, { state: 'failed', error: toClientError(error) });
  }
}

/** The collection that was worked in last. @throws {AppError} `collections.not_open` */
export function requireCollection(): string {
  const { collectionId } = useRequestsStore.getState();
  if (collectionId !== null) return collectionId;
  throw new AppError('collections.not_open', 'No collection is open. Open its folder first.');
}

/** Where the system has a file of a collection. */
export function wholePath({ collectionId, path }: { collectionId: string; path: string }): string {
  const { collections } = useRequestsStore.getState();
  return `${collections.find(({ id }) => id === collectionId)?.directory}/${path}`;
}

/** What a tab is called: as the tree calls its file, else by the file's name. */
export function titleOf(state: RequestsState, collectionId: string, path: string): string {
  // Beside other tabs what an example is called says too little: its file's name has the request's, too.
  if (isExamplePath(path)) return titleExample(path);
  const known = findNode(state, collectionId, path)?.name;
  return known ?? path.replace(/^.*\//, '').replace(/\.http$/, '');
}

/** Opens the folders that a file lies in, so that the tree shows it. */
export function expandTo(collectionId: string, path: string): void {
  useRequestsStore.setState(({ collapsed }) => {
    const parts = path.split('/').slice(0, -1);
    const above = ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
    const shut = above.map((one) => formatItemId(collectionId, one)).filter((id) => collapsed.has(id));
    return shut.length === 0 ? {} : { collapsed: new Set([...collapsed].filter((id) => !shut.includes(id))) };
  });
}
