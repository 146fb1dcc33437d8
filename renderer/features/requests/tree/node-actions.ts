import type { MethodInput } from '@shared/contract/contract';
import { followFileName } from '@shared/http-file/edit-http-file';
import { isExamplePath, requestExtension, titleExample } from '@shared/http-file/example-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import {
  findOwnerPath,
  folderOf,
  isDirty,
  listEntries,
  parentOf,
  selectActiveTab,
  type TreeItem,
} from '../requests-selectors';
import { findTab, formatItemId, updateTab, useRequestsStore, type OpenTab } from '../requests-store';
import { closeTab, openRequest, readTab } from './collection-actions';
import { focusAddress, focusTree } from './focus-tree';
import { expandTo, loadNodes, requireCollection, wholePath } from './load-tree';
import { describeLeftBodies } from './left-bodies';
import { rememberUndo } from './tree-undo';

/** Where something is to be made or put. */
export interface Target {
  collectionId: string;
  /** Empty: the collection's own folder. */
  folder: string;
}

/** A row of the tree that is a file or folder, by what names it. */
export interface NodeRef {
  collectionId: string;
  path: string;
  name: string;
}

/** What names the file or folder of a row; null: the row is a collection. */
export function refOf({ collection, node }: TreeItem): NodeRef | null {
  return node && { collectionId: collection.id, path: node.path, name: node.name };
}

/** Where what is put onto a row goes. */
export function targetOf(item: TreeItem): Target {
  return { collectionId: item.collection.id, folder: folderOf(item) };
}

/** Makes a request file, opens it, and has the keyboard go on in it. @throws {ClientError} */
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
  await showNew(collectionId, path);
  focusAddress();
}

/** Makes a folder. @throws {ClientError} */
export async function createFolder({ collectionId, folder }: Target, name: string): Promise<void> {
  const { path } = await call('collections.create', { collectionId, folder, name, kind: 'folder' });
  await showNew(collectionId, path);
  focusTree();
}

/** Shows what has just come into a collection; a request is opened. */
async function showNew(collectionId: string, path: string): Promise<void> {
  await loadNodes(collectionId);
  expandTo(collectionId, path);
  if (requestExtension.test(path)) await openRequest(path, { collectionId });
  else useRequestsStore.setState({ ledTo: { id: formatItemId(collectionId, path) } });
}

/** Renames a file or folder; open tabs, and what was typed in them, go with it. @throws {ClientError} */
export async function renameNode(
  { collectionId, path: from, name: before }: NodeRef,
  name: string,
): Promise<void> {
  const { path } = await call('collections.rename', {
    collectionId,
    path: from,
    name: fileNameFor(from, before, name),
  });
  await followMove({ collectionId, path: from }, { collectionId, path });
  if (path !== from) await followBodies({ collectionId, path: from }, { collectionId, path });
  await followName({ collectionId, path });
  if (path !== from) {
    rememberUndo(`Renamed “${before}” to “${name}”.`, () => renameNode({ collectionId, path, name }, before));
  }
}

/** What a file is to be called: an example's name stands between its request's and the end. */
function fileNameFor(path: string, before: string, name: string): string {
  if (!isExamplePath(path)) return name;
  const file = titleExample(path);
  return `${file.slice(0, file.length - before.length)}${name}.example`;
}

/** Moves a file or folder to another folder, also of another collection; open tabs go with it. */
export async function moveNode(node: NodeRef, to: Target): Promise<void> {
  const { collectionId, path: from } = node;
  const done = await call('collections.move', describeTransfer(node, to));
  const { path } = done;
  const moved = { collectionId: to.collectionId, path };
  await followMove({ collectionId, path: from }, moved);
  await followBodies({ collectionId, path: from }, moved);
  if (path === from && collectionId === to.collectionId) return;
  useRequestsStore.setState({ ledTo: { id: formatItemId(moved.collectionId, path) } });
  const folder = parentOf(from);
  rememberUndo(`Moved “${node.name}”.${describeLeftBodies(done)}`, () =>
    moveNode({ ...moved, name: node.name }, { collectionId, folder }),
  );
}

/** Copies a file or folder and, where it is a request, opens the copy. */
export async function copyNode(node: NodeRef, to: Target): Promise<void> {
  const done = await call('collections.copy', describeTransfer(node, to));
  await showNew(to.collectionId, done.path);
  const left = describeLeftBodies(done);
  if (left === '') return;
  const message = `Copied “${node.name}”.${left}`;
  useRequestsStore.setState({ treeNotice: { message, error: null, canUndo: false } });
}

function describeTransfer({ collectionId, path }: NodeRef, to: Target): MethodInput<'collections.move'> {
  return { collectionId, path, toCollectionId: to.collectionId, toFolder: to.folder };
}

/**
 * Moves a file or folder to the trash. Its tabs are shut, but for those that hold what was not saved: that stays, and the
 * file is there again once it is put back.
 */
export async function deleteNode({ collectionId, path, name }: NodeRef): Promise<void> {
  const state = useRequestsStore.getState();
  const isExampleOf = (tab: OpenTab): boolean =>
    tab.collectionId === collectionId &&
    isExamplePath(tab.path) &&
    findOwnerPath(state, collectionId, tab.path) === path;
  const beside = findBeside({ collectionId, path });
  const { trashId } = await call('collections.delete', { collectionId, path });
  const active = selectActiveTab(useRequestsStore.getState());
  // The tab that is on show next may be far away: the keyboard goes on where it was.
  if (beside !== undefined && active && isBelow(active, { collectionId, path }))
    useRequestsStore.setState({ ledTo: { id: beside } });
  for (const tab of useRequestsStore.getState().tabs) {
    if ((isBelow(tab, { collectionId, path }) || isExampleOf(tab)) && !isDirty(tab)) closeTab(tab.id);
  }
  await loadNodes(collectionId);
  rememberUndo(`Deleted “${name}”.`, () => restoreDeleted(trashId));
}

/** The row that follows a file or folder with all that is in it; at the end, the one before it. */
function findBeside(place: Place): string | undefined {
  const { collections } = useRequestsStore.getState();
  const rows = listEntries(collections).map(({ id, value }) => ({
    id,
    isIn: isBelow({ collectionId: value.collection.id, path: value.node?.path ?? '' }, place),
  }));
  const first = rows.findIndex(({ isIn }) => isIn);
  if (first === -1) return undefined;
  return (rows.slice(first).find(({ isIn }) => !isIn) ?? rows[first - 1])?.id;
}

/** Puts back what was deleted. @throws {ClientError} */
export async function restoreDeleted(trashId: string): Promise<void> {
  const { collectionId, path } = await call('collections.restore', { trashId });
  await showNew(collectionId, path);
}

interface Place {
  collectionId: string;
  path: string;
}

const isBelow = (tab: Place, { collectionId, path }: Place): boolean =>
  tab.collectionId === collectionId && (tab.path === path || tab.path.startsWith(`${path}/`));

/** Takes open tabs along to where their file is now; what was typed in them stays. */
async function followMove(from: Place, to: Place): Promise<void> {
  const moved = (tab: OpenTab): OpenTab =>
    isBelow(tab, from)
      ? { ...tab, collectionId: to.collectionId, path: to.path + tab.path.slice(from.path.length) }
      : tab;
  useRequestsStore.setState(({ tabs }) => ({ tabs: tabs.map(moved) }));
  await Promise.all([...new Set([from.collectionId, to.collectionId])].map(loadNodes));
  expandTo(to.collectionId, to.path);
  const { tabs } = useRequestsStore.getState();
  // Others may name a body in a folder that went.
  const clean = tabs.filter((tab) => tab.collectionId === to.collectionId && !isDirty(tab));
  await Promise.all(clean.map((tab) => readTab(tab.id)));
}

/** What was typed goes on over the `< file` lines that its file got as it was moved, and has its own lead where they led. */
async function followBodies(from: Place, to: Place): Promise<void> {
  const { tabs } = useRequestsStore.getState();
  const isNear = (tab: OpenTab): boolean =>
    isBelow(tab, to) || (from.collectionId === to.collectionId && tab.collectionId === to.collectionId);
  const dirty = tabs.filter(
    (tab) => isNear(tab) && isDirty(tab) && `${tab.savedText}${tab.text}`.includes('<'),
  );
  if (dirty.length === 0) return;
  const { followFiles, followNamed } = await import('@shared/http-file/follow-files');
  const transferred = { from: wholePath(from), to: wholePath(to) };
  // What is undone gives back 'f/x.json' where './f/x.json' would stand.
  const back = { from: transferred.to, to: transferred.from };
  for (const tab of dirty) {
    const { id, collectionId, path, savedText, isBaseKnown } = tab;
    const follow = (text: string, going = transferred): string =>
      isBelow(tab, to)
        ? followFiles(text, going, path.slice(to.path.length + 1))
        : followNamed(text, going, wholePath(tab));
    const file = await call('collections.read', { collectionId, path }).catch(() => null);
    const now = findTab(id);
    if (now === undefined) continue;
    const isFollowed =
      isBaseKnown &&
      file !== null &&
      ([savedText, follow(savedText)].includes(file.text) || follow(file.text, back) === savedText);
    updateTab(id, {
      text: follow(now.text),
      ...(isFollowed && { savedText: file.text, version: file.version, isStale: false }),
    });
  }
}

/** What was typed goes on over the `# @name` that its file has got: that was no change of somebody else's. */
async function followName({ collectionId, path }: Place): Promise<void> {
  const { tabs } = useRequestsStore.getState();
  const tab = tabs.find((one) => one.collectionId === collectionId && one.path === path && isDirty(one));
  if (tab === undefined || !tab.isBaseKnown) return;
  const { id, savedText } = tab;
  const name = path.replace(/^.*\//, '').replace(requestExtension, '');
  const file = await call('collections.read', { collectionId, path }).catch(() => null);
  const now = findTab(id);
  if (file === null || now?.savedText !== savedText || file.text !== followFileName(savedText, name)) return;
  const isNameTyped = readName(now.text) !== readName(savedText);
  const text = (isNameTyped ? null : followFileName(now.text, name)) ?? now.text;
  updateTab(id, { text, savedText: file.text, version: file.version, isStale: false });
}

const readName = (text: string): string | null => parseHttpFile(text).requests[0]?.name ?? null;

/** Runs something that was asked for in the tree; where it fails, the tree says so. */
export async function runInTree(run: () => Promise<void>): Promise<void> {
  try {
    useRequestsStore.setState({ treeNotice: null });
    await run();
  } catch (caught) {
    const error = toClientError(caught);
    useRequestsStore.setState({ treeNotice: { message: error.message, error, canUndo: false } });
  }
}
