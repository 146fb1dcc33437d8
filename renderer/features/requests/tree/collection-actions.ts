import type { TreeNode } from '@shared/contract/collections';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { forgetDocument } from '../../../ui/code-editor';
import { isDirty, forgetInsight } from '../requests-selectors';
import { findTab, updateTab, useRequestsStore, type OpenTab, type SubTab } from '../requests-store';

/** Reads the collection's tree. Never throws: the error stands in the store. */
export async function loadTree(): Promise<void> {
  try {
    const { name, directory, nodes } = await call('collections.tree');
    useRequestsStore.setState(({ tabs }) => ({
      collectionName: name,
      directory,
      nodes,
      treeState: 'ready',
      treeError: null,
      tabs: tabs.map((tab) => ({ ...tab, title: titleOf(nodes, tab.path) })),
    }));
  } catch (error) {
    useRequestsStore.setState({ treeState: 'failed', treeError: toClientError(error) });
  }
}

function titleOf(nodes: readonly TreeNode[], path: string): string {
  return nodes.find((node) => node.path === path)?.name ?? path.replace(/^.*\//, '').replace(/\.http$/, '');
}

/** Opens a request in a tab, or shows its tab. */
export async function openRequest(
  path: string,
  options: { requestIndex?: number; subTab?: SubTab } = {},
): Promise<void> {
  const { tabs, nodes } = useRequestsStore.getState();
  const known = tabs.find((tab) => tab.path === path);
  if (known) {
    useRequestsStore.setState({ activeId: known.id });
    return;
  }
  const tab = createTab(path, titleOf(nodes, path), options);
  useRequestsStore.setState({ tabs: [...tabs, tab], activeId: tab.id });
  await readTab(tab.id);
}

function createTab(
  path: string,
  title: string,
  options: { requestIndex?: number; subTab?: SubTab },
): OpenTab {
  return {
    id: crypto.randomUUID(),
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
    const { text, version } = await call('collections.read', { path: tab.path });
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
export async function takeDiskChanges(paths: readonly string[]): Promise<void> {
  await loadTree();
  const { tabs } = useRequestsStore.getState();
  const touched = tabs.filter((tab) => paths.includes(tab.path) && !isDirty(tab) && tab.state !== 'loading');
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
  const { path, text, version } = tab;
  try {
    const saved = await call('collections.write', { path, text, version });
    updateTab(id, { savedText: text, version: saved.version, error: null, conflict: null });
  } catch (caught) {
    const error = toClientError(caught);
    if (error.code === 'collections.conflict') await showConflict(id, path);
    else updateTab(id, { error });
  }
}

async function showConflict(id: string, path: string): Promise<void> {
  try {
    const { text, version } = await call('collections.read', { path });
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
      await createRequest(parentOf(tab.path), `${tab.title} (mine)`, tab.text);
    } catch (error) {
      updateTab(id, { error: toClientError(error), conflict: null });
      return;
    }
  }
  updateTab(id, { text, savedText: text, version, conflict: null });
}

const parentOf = (path: string): string => path.replace(/(^|\/)[^/]*$/, '');

/** Makes a request file and opens it. @throws {ClientError} */
export async function createRequest(folder: string, name: string, text?: string): Promise<void> {
  const { path } = await call('collections.create', {
    folder,
    name,
    kind: 'request',
    ...(text ? { text } : {}),
  });
  await loadTree();
  await openRequest(path);
}

/** Makes a folder. @throws {ClientError} */
export async function createFolder(folder: string, name: string): Promise<void> {
  await call('collections.create', { folder, name, kind: 'folder' });
  await loadTree();
}

/** Makes a copy of a request, as it is on disk, and opens it. @throws {ClientError} */
export async function duplicateRequest(node: TreeNode, name: string): Promise<void> {
  const { text } = await call('collections.read', { path: node.path });
  await createRequest(parentOf(node.path), name, text);
}

/** Renames a file or folder; open tabs go with it. @throws {ClientError} */
export async function renameNode(node: TreeNode, name: string): Promise<void> {
  const { path } = await call('collections.rename', { path: node.path, name });
  const moved = (old: string): string =>
    old === node.path ? path : old.startsWith(`${node.path}/`) ? path + old.slice(node.path.length) : old;
  useRequestsStore.setState(({ tabs }) => ({ tabs: tabs.map((tab) => ({ ...tab, path: moved(tab.path) })) }));
  await loadTree();
  const renamed = useRequestsStore.getState().tabs.filter((tab) => tab.path === path && !isDirty(tab));
  await Promise.all(renamed.map((tab) => readTab(tab.id)));
}

/** Deletes a file or folder; its tabs are shut. @throws {ClientError} */
export async function deleteNode(node: TreeNode): Promise<void> {
  await call('collections.delete', { path: node.path });
  for (const tab of useRequestsStore.getState().tabs) {
    if (tab.path === node.path || tab.path.startsWith(`${node.path}/`)) closeTab(tab.id);
  }
  await loadTree();
}

/** Notes which folders stand open. */
export function setExpanded(expanded: ReadonlySet<string>): void {
  useRequestsStore.setState(({ nodes }) => ({
    collapsed: new Set(
      nodes.filter(({ kind, path }) => kind === 'folder' && !expanded.has(path)).map(({ path }) => path),
    ),
  }));
}
