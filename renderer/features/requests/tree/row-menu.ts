import type { OpenCollection } from '@shared/contract/collections';
import { askForExport } from '../../../session/export-task';
import { askToImport } from '../../../session/asked-import';
import { readKeysOf } from '../../../session/action-keys';
import type { MenuAction } from '../../../ui/menu';
import {
  askAbout,
  chooseFolder,
  closeCollection,
  reopen,
  revealLabel,
  revealPath,
} from '../collections/open-collections';
import { showNodeHistory } from '../history-ways';
import { showLastRun } from '../run/run-actions';
import { isRunUnderWay } from '../run/run-store';
import { runItem } from '../run/run-wishes';
import { findNode, parentOf, type TreeItem } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { openRequest } from './collection-actions';
import { copyNode, deleteNode, refOf, runInTree, targetOf, type NodeRef, type Target } from './node-actions';
import { askForName } from './node-task';
import { holdNode, pasteInto, useTreeClipboard } from './tree-clipboard';

const mostRecent = 5;

/** What can be made in a folder. */
export function newActions(readTarget: () => Target): MenuAction[] {
  const ask = (kind: 'newRequest' | 'newFolder') => () => askForName({ kind, target: readTarget() });
  return [
    { id: 'new-request', label: 'New request…', onAction: ask('newRequest') },
    { id: 'new-folder', label: 'New folder…', onAction: ask('newFolder') },
  ];
}

/** What opens collections, and makes them. */
export function openActions(recent: readonly OpenCollection[]): MenuAction[] {
  return [
    {
      id: 'open-folder',
      label: 'Open a folder…',
      keys: readKeysOf('openFolder')[0],
      onAction: () => void chooseFolder(),
    },
    { id: 'new-collection', label: 'New collection…', onAction: () => askAbout('make') },
    { id: 'import', label: 'Import…', onAction: () => askToImport({}) },
    ...recent.slice(0, mostRecent).map((one, index) => ({
      id: `recent-${one.id}`,
      label: `Open ${one.name} again`,
      hasLineAbove: index === 0,
      onAction: () => void reopen(one),
    })),
    { id: 'trash', label: 'Deleted requests…', hasLineAbove: true, onAction: () => askAbout('trash') },
  ];
}

/** What can be done with an open collection as a whole. */
export function collectionActions(collection: OpenCollection): MenuAction[] {
  return [
    {
      id: 'import-here',
      label: `Import into ${collection.name}…`,
      hasLineAbove: true,
      onAction: () => askToImport({ collectionId: collection.id }),
    },
    {
      id: 'reveal',
      label: revealLabel(),
      onAction: () => void revealPath(collection, ''),
    },
    {
      id: 'export',
      label: 'Export…',
      onAction: () => askForExport({ collectionId: collection.id, path: '', name: collection.name }),
    },
    { id: 'close', label: `Close ${collection.name}`, onAction: () => void closeCollection(collection) },
  ];
}

export function rowActions(item: TreeItem): MenuAction[] {
  const target = targetOf(item);
  const ref = refOf(item);
  const paste: MenuAction = {
    id: 'paste',
    label: 'Paste',
    keys: 'mod+v',
    obstacle: useTreeClipboard.getState().held === null && 'Nothing was cut or copied here',
    onAction: () => void pasteInto(target),
  };
  const run: MenuAction[] =
    item.node?.kind === 'example'
      ? []
      : [{ id: 'run', label: 'Run', keys: 'shift+Enter', onAction: () => void runItem(item) }];
  if (ref === null)
    return [
      ...run,
      {
        id: 'last-run',
        label: 'Show the last run',
        obstacle: isRunUnderWay() && 'A run is under way',
        onAction: () => void showLastRun(item.collection),
      },
      ...newActions(() => target),
      { ...paste, hasLineAbove: true },
      ...collectionActions(item.collection),
    ];
  const isFolder = item.node?.kind === 'folder';
  return [
    ...(isFolder ? [] : [{ id: 'open', label: 'Open', onAction: () => void openItem(ref) }]),
    ...run,
    ...newActions(() => target),
    {
      id: 'rename',
      label: 'Rename…',
      keys: 'F2',
      hasLineAbove: true,
      onAction: () => askForName({ kind: 'rename', node: ref }),
    },
    { id: 'duplicate', label: 'Duplicate', keys: 'mod+d', onAction: () => duplicate(item) },
    { id: 'cut', label: 'Cut', keys: 'mod+x', onAction: () => holdNode(ref, true) },
    { id: 'copy', label: 'Copy', keys: 'mod+c', onAction: () => holdNode(ref, false) },
    paste,
    ...(item.node?.kind === 'request'
      ? [{ id: 'history', label: 'History', hasLineAbove: true, onAction: () => void showNodeHistory(ref) }]
      : []),
    {
      id: 'reveal',
      label: revealLabel(),
      hasLineAbove: item.node?.kind !== 'request',
      onAction: () => void revealPath(item.collection, ref.path),
    },
    { id: 'export', label: 'Export…', onAction: () => askForExport(ref) },
    {
      id: 'delete',
      label: 'Delete',
      keys: 'Delete',
      isDanger: true,
      onAction: () => void runInTree(() => deleteNode(ref)),
    },
  ];
}

/** What can be done with a file by its place; nothing where it is gone. */
export function listFileActions(collectionId: string, path: string): MenuAction[] {
  const state = useRequestsStore.getState();
  const collection = state.collections.find(({ id }) => id === collectionId);
  const node = findNode(state, collectionId, path);
  return collection === undefined || node === undefined ? [] : rowActions({ collection, node });
}

const ofTab = new Set(['rename', 'duplicate', 'history', 'reveal']);

/** What can be done with the file of an open tab. */
export const tabFileActions = (collectionId: string, path: string): MenuAction[] =>
  listFileActions(collectionId, path).filter(({ id }) => ofTab.has(id));

const openItem = ({ collectionId, path }: NodeRef): Promise<void> => openRequest(path, { collectionId });

/** Makes a copy of a file or folder beside it. */
export function duplicate(item: TreeItem): void {
  const ref = refOf(item);
  if (ref === null) return;
  const folder = parentOf(ref.path);
  void runInTree(() => copyNode(ref, { collectionId: ref.collectionId, folder }));
}
