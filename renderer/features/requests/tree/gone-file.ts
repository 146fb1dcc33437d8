import { requestExtension } from '@shared/http-file/example-file';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { findTab, updateTab, useRequestsStore } from '../requests-store';
import { readTab, saveTab } from './collection-actions';
import { expandTo, loadNodes, titleOf, wholePath } from './load-tree';

/** Goes on with a tab where its file is now; what was typed in it stays. */
export async function goOnAt(id: string, path: string): Promise<void> {
  const tab = findTab(id);
  if (!tab) return;
  const title = titleOf(useRequestsStore.getState(), tab.collectionId, path);
  updateTab(id, { path, title, gone: null });
  const { followMoved } = await import('./find-moved');
  followMoved(tab, path);
  expandTo(tab.collectionId, path);
  await readTab(id);
}

/** Saves a tab whose file is gone: where it was or, where its folder is gone with it, at the top of the collection. */
export async function saveAgain(id: string): Promise<void> {
  await saveTab(id);
  const tab = findTab(id);
  if (tab?.error?.code !== 'collections.unknown') return;
  const { collectionId, path } = tab;
  const name = path.replace(/^.*\//, '').replace(requestExtension, '');
  try {
    const { followFiles } = await import('@shared/http-file/follow-files');
    const to = wholePath({ collectionId, path: `${name}.http` });
    const follow = (typed: string): string => followFiles(typed, { from: wholePath(tab), to });
    const text = follow(tab.text);
    const made = await call('collections.create', { collectionId, folder: '', name, kind: 'request', text });
    await loadNodes(collectionId);
    const file = await call('collections.read', { collectionId, path: made.path });
    const isOurs = file.text === text && { savedText: text, version: file.version };
    // What was typed meanwhile stays, over what was written.
    updateTab(id, { text: follow(findTab(id)?.text ?? ''), ...isOurs, error: null });
    await goOnAt(id, made.path);
  } catch (error) {
    updateTab(id, { error: toClientError(error) });
  }
}
