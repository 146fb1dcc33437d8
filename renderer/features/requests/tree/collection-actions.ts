import type { OpenCollection, TreeNode } from '@shared/contract/collections';
import { AppError } from '@shared/errors';
import { findOtherReadings } from '@shared/http-file/find-other-readings';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { forgetDocument } from '../../../ui/code-editor/forget-document';
import { isDirty, forgetInsight } from '../requests-selectors';
import { findTab, updateTab, useRequestsStore, type OpenTab, type SubTab } from '../requests-store';

/** Reads the tree of the collection opened last. Never throws: the error stands in the store. */
export async function loadTree(): Promise<void> {
  try {
    const { activeId, heldBack } = await call('collections.list');
    useRequestsStore.setState({ heldBack });
    const tree = activeId === null ? noTree : await call('collections.tree', { collectionId: activeId });
    const { name, directory, nodes } = tree;
    useRequestsStore.setState(({ tabs }) => ({
      collectionId: activeId,
      collectionName: name,
      directory,
      nodes,
      treeState: 'ready',
      treeError: null,
      tabs: tabs.map((tab) =>
        tab.collectionId === activeId ? { ...tab, title: titleOf(nodes, tab.path) } : tab,
      ),
    }));
  } catch (error) {
    useRequestsStore.setState({ treeState: 'failed', treeError: toClientError(error) });
  }
}

/** Opens a collection that was held back at the start: the user asked for it. */
export async function openHeldBack({ directory }: OpenCollection): Promise<void> {
  try {
    await call('collections.open', { directory });
    await loadTree();
  } catch (error) {
    useRequestsStore.setState({ treeError: toClientError(error) });
  }
}

const noTree = { name: '', directory: '', nodes: [] as TreeNode[] };

/** The collection on show. @throws {AppError} `collections.not_open` */
function requireCollection(): string {
  const { collectionId } = useRequestsStore.getState();
  if (collectionId !== null) return collectionId;
  throw new AppError('collections.not_open', 'No collection is open. Open its folder first.');
}

function titleOf(nodes: readonly TreeNode[], path: string): string {
  return nodes.find((node) => node.path === path)?.name ?? path.replace(/^.*\//, '').replace(/\.http$/, '');
}

interface TabOptions {
  /** Left out: the collection on show. */
  collectionId?: string;
  requestIndex?: number;
  subTab?: SubTab;
}

/** Opens a request in a tab, or shows its tab. */
export async function openRequest(path: string, options: TabOptions = {}): Promise<void> {
  const { tabs, nodes } = useRequestsStore.getState();
  const collectionId = options.collectionId ?? requireCollection();
  const known = tabs.find((tab) => tab.path === path && tab.collectionId === collectionId);
  if (known) {
    useRequestsStore.setState({ activeId: known.id });
    return;
  }
  const tab = createTab(collectionId, path, titleOf(nodes, path), options);
  useRequestsStore.setState({ tabs: [...tabs, tab], activeId: tab.id });
  await readTab(tab.id);
}

function createTab(collectionId: string, path: string, title: string, options: TabOptions): OpenTab {
  return {
    id: crypto.randomUUID(),
    collectionId,
    path,
    title,
    state: 'loading',
    text: '',
    savedText: '',
    version: null,
    requestIndex: options.requestIndex ?? 0,
    subTab: options.subTab ?? 'body',
    dynamicRound: 0,
    error: null,
    conflict: null,
    run: null,
    isSendDoubted: false,
    otherReadings: [],
    keyChoice: null,
    exchange: null,
    sendError: null,
    journey: null,
  };
}

/** Reads a tab's file; a draft given with it stays, over what the file holds. */
export async function readTab(
  id: string,
  draft?: { text: string; version: string | null } | null,
): Promise<void> {
  const tab = findTab(id);
  if (!tab) return;
  try {
    const { collectionId, path } = tab;
    const { text, version } = await call('collections.read', { collectionId, path });
    // A draft of another version keeps that version: saving it then finds the conflict, and nothing is lost.
    updateTab(id, {
      state: 'ready',
      error: null,
      savedText: text,
      text: draft?.text ?? text,
      version: draft ? draft.version : version,
    });
  } catch (error) {
    const hasDraft = draft !== null && draft !== undefined;
    updateTab(id, {
      state: hasDraft ? 'ready' : 'failed',
      error: toClientError(error),
      ...(hasDraft ? { text: draft.text, savedText: '', version: draft.version } : {}),
    });
  }
}

/** Follows files that changed on disk: the tree, and open tabs in which nothing was typed. */
export async function takeDiskChanges(collectionId: string, paths: readonly string[]): Promise<void> {
  await loadTree();
  const { tabs } = useRequestsStore.getState();
  const touched = tabs.filter(
    (tab) =>
      tab.collectionId === collectionId &&
      paths.includes(tab.path) &&
      !isDirty(tab) &&
      tab.state !== 'loading',
  );
  await Promise.all(touched.map((tab) => readTab(tab.id)));
}

/** Shuts a tab. What was typed and not saved goes: the view asks first. */
export function closeTab(id: string): void {
  useRequestsStore.setState(({ tabs, activeId }) => {
    const index = tabs.findIndex((tab) => tab.id === id);
    const left = tabs.filter((tab) => tab.id !== id);
    const neighbour = left[Math.min(index, left.length - 1)]?.id ?? null;
    return { tabs: left, activeId: activeId === id ? neighbour : activeId };
  });
  forgetDocument(id);
  forgetInsight(id);
}

/** Saves a tab. Where the file has changed meanwhile, both texts are kept and shown. */
export async function saveTab(id: string): Promise<void> {
  const tab = findTab(id);
  if (!tab || tab.state !== 'ready' || (!isDirty(tab) && !tab.conflict)) return;
  const { collectionId, path, text, version } = tab;
  try {
    const saved = await call('collections.write', { collectionId, path, text, version });
    const otherReadings = findOtherReadings(parseHttpFile(text));
    updateTab(id, { savedText: text, version: saved.version, error: null, conflict: null, otherReadings });
  } catch (caught) {
    const error = toClientError(caught);
    if (error.code === 'collections.conflict') await showConflict(tab);
    else updateTab(id, { error });
  }
}

async function showConflict({ id, collectionId, path }: OpenTab): Promise<void> {
  try {
    const { text, version } = await call('collections.read', { collectionId, path });
    updateTab(id, { conflict: { text, version }, error: null });
  } catch (error) {
    updateTab(id, { error: toClientError(error) });
  }
}

/** Ends a conflict: writes over the file, takes the file's text, or saves ours beside it. */
export async function settleConflict(id: string, choice: 'mine' | 'theirs' | 'copy'): Promise<void> {
  const tab = findTab(id);
  if (!tab?.conflict) return;
  const { text, version } = tab.conflict;
  if (choice === 'mine') {
    updateTab(id, { version });
    await saveTab(id);
    return;
  }
  if (choice === 'copy') {
    try {
      await createRequest(parentOf(tab.path), `${tab.title} (mine)`, tab.text, tab.collectionId);
    } catch (error) {
      updateTab(id, { error: toClientError(error), conflict: null });
      return;
    }
  }
  updateTab(id, { text, savedText: text, version, conflict: null });
}

const parentOf = (path: string): string => path.replace(/(^|\/)[^/]*$/, '');

/** Makes a request file and opens it. @throws {ClientError} */
export async function createRequest(
  folder: string,
  name: string,
  text?: string,
  collectionId = requireCollection(),
): Promise<void> {
  const { path } = await call('collections.create', {
    collectionId,
    folder,
    name,
    kind: 'request',
    ...(text ? { text } : {}),
  });
  await loadTree();
  await openRequest(path, { collectionId });
}

/** Makes a folder. @throws {ClientError} */
export async function createFolder(folder: string, name: string): Promise<void> {
  await call('collections.create', { collectionId: requireCollection(), folder, name, kind: 'folder' });
  await loadTree();
}

/** Makes a copy of a request, as it is on disk, and opens it. @throws {ClientError} */
export async function duplicateRequest(node: TreeNode, name: string): Promise<void> {
  const { text } = await call('collections.read', { collectionId: requireCollection(), path: node.path });
  await createRequest(parentOf(node.path), name, text);
}

/** Renames a file or folder; open tabs go with it. @throws {ClientError} */
export async function renameNode(node: TreeNode, name: string): Promise<void> {
  const collectionId = requireCollection();
  const { path } = await call('collections.rename', { collectionId, path: node.path, name });
  const moved = (old: string): string =>
    old === node.path ? path : old.startsWith(`${node.path}/`) ? path + old.slice(node.path.length) : old;
  const isHere = (tab: OpenTab): boolean => tab.collectionId === collectionId;
  useRequestsStore.setState(({ tabs }) => ({
    tabs: tabs.map((tab) => (isHere(tab) ? { ...tab, path: moved(tab.path) } : tab)),
  }));
  await loadTree();
  const { tabs } = useRequestsStore.getState();
  const renamed = tabs.filter((tab) => isHere(tab) && tab.path === path && !isDirty(tab));
  await Promise.all(renamed.map((tab) => readTab(tab.id)));
}

/** Deletes a file or folder; its tabs are shut. @throws {ClientError} */
export async function deleteNode(node: TreeNode): Promise<void> {
  const collectionId = requireCollection();
  await call('collections.delete', { collectionId, path: node.path });
  for (const tab of useRequestsStore.getState().tabs) {
    if (tab.collectionId !== collectionId) continue;
    if (tab.path === node.path || tab.path.startsWith(`${node.path}/`)) closeTab(tab.id);
  }
  await loadTree();
}

/** Shuts a folder that stands open, and the other way round. */
export function toggleFolder(path: string): void {
  useRequestsStore.setState(({ collapsed }) => {
    const next = new Set(collapsed);
    if (!next.delete(path)) next.add(path);
    return { collapsed: next };
  });
}
