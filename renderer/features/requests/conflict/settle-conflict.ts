import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { isDirty, parentOf } from '../requests-selectors';
import { findTab, updateTab, type OpenTab } from '../requests-store';
import { openRequest, saveTab } from '../tree/collection-actions';
import { followRequest } from '../tree/follow-request';
import { loadNodes } from '../tree/load-tree';

/** Ends a conflict: writes over the file, takes the file's text, saves ours beside it, or what was merged of both. */
export async function settleConflict(
  id: string,
  choice: 'mine' | 'theirs' | 'copy' | { merged: string },
): Promise<void> {
  const tab = findTab(id);
  if (!tab?.conflict) return;
  const { text, version } = tab.conflict;
  if (choice === 'mine' || typeof choice === 'object') {
    const merged = choice === 'mine' ? {} : { ...followRequest(tab, choice.merged), text: choice.merged };
    updateTab(id, { version, savedText: text, ...merged });
    await saveTab(id);
    updateTab(id, { isStale: false, ...(isSaved(id) && { conflict: null }) });
    return;
  }
  if (choice === 'copy') {
    try {
      await saveCopy(tab);
    } catch (error) {
      updateTab(id, { error: toClientError(error), conflict: null });
      return;
    }
  }
  const settled = { conflict: null, isStale: false, isBaseKnown: true };
  updateTab(id, { ...followRequest(tab, text), text, savedText: text, version, ...settled });
}

function isSaved(id: string): boolean {
  const tab = findTab(id);
  return tab !== undefined && !isDirty(tab);
}

async function saveCopy({ collectionId, path, title, text }: OpenTab): Promise<void> {
  const copy = await call('collections.create', {
    collectionId,
    folder: parentOf(path),
    name: `${title} (mine)`,
    kind: 'request',
    text,
  });
  await loadNodes(collectionId);
  await openRequest(copy.path, { collectionId });
}
