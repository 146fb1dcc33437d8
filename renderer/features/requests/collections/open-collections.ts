import type { OpenCollection } from '@shared/contract/collections';
import type { MethodInput } from '@shared/contract/contract';
import { create } from 'zustand';
import { call, hasSystemDialogs } from '../../../transport/client';
import { copyAndSay } from '../../../ui/say';
import { isDirty } from '../requests-selectors';
import { formatItemId, useRequestsStore } from '../requests-store';
import { closeTab } from '../tree/collection-actions';
import { focusTree } from '../tree/focus-tree';
import { loadCollections } from '../tree/load-tree';
import { runInTree } from '../tree/node-actions';

/** Which question about whole collections is asked. */
export const useCollectionDialog = create<{ asked: 'open' | 'make' | 'trash' | null }>(() => ({
  asked: null,
}));

export function askAbout(asked: 'open' | 'make' | 'trash' | null): void {
  useCollectionDialog.setState({ asked });
}

/** Opens a folder beside those that are open, and goes on in it. @throws {ClientError} */
export async function openFolder(directory: string): Promise<void> {
  const { id } = await call('collections.open', { directory });
  await goOnIn(id);
}

/** Makes a collection and goes on in it. @throws {ClientError} */
export async function makeCollection(input: MethodInput<'collections.make'>): Promise<void> {
  const { id } = await call('collections.make', input);
  await goOnIn(id);
}

async function goOnIn(collectionId: string): Promise<void> {
  await loadCollections();
  useRequestsStore.setState({ collectionId, ledTo: { id: formatItemId(collectionId, '') } });
  focusTree();
}

/** Asks for a folder, by the system's dialog where there is one, and opens it. */
export function chooseFolder(): Promise<void> {
  return runInTree(async () => {
    if (!hasSystemDialogs()) return askAbout('open');
    const { directory } = await call('collections.chooseFolder');
    if (directory !== null) await openFolder(directory);
  });
}

/** Opens one of the recent collections, or one that was held back at the start: the user asked for it. */
export function reopen({ directory }: OpenCollection): Promise<void> {
  return runInTree(() => openFolder(directory));
}

/** Lists a collection no more. Tabs that hold what was not saved stay: they are saved once it is open again. */
export function closeCollection({ id }: OpenCollection): Promise<void> {
  return runInTree(async () => {
    await call('collections.close', { collectionId: id });
    for (const tab of useRequestsStore.getState().tabs) {
      if (tab.collectionId === id && !isDirty(tab)) closeTab(tab.id);
    }
    await loadCollections();
  });
}

/** Shows a file or folder in the system's file manager; where there is none at hand, its path is copied. */
export function revealPath({ id, directory }: OpenCollection, path: string): Promise<void> {
  return runInTree(async () => {
    if (hasSystemDialogs()) {
      await call('collections.reveal', { collectionId: id, path });
      return;
    }
    const separator = directory.includes('/') ? '/' : '\\';
    const whole = [directory, ...path.split('/').filter(Boolean)].join(separator);
    await copyAndSay(whole);
  });
}

/** What {@link revealPath} does on this host, for a menu. */
export const revealLabel = (): string =>
  hasSystemDialogs() ? 'Show in the file manager' : 'Copy the whole path';
