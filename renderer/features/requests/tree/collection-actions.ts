import { findOtherReadings } from '@shared/http-file/find-other-readings';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { forgetDocument } from '../../../ui/code-editor/forget-document';
import { isDirty, forgetInsight, parentOf } from '../requests-selectors';
import { findTab, updateTab, useRequestsStore, type OpenTab, type SubTab } from '../requests-store';
import { loadCollections, loadNodes, requireCollection, titleOf } from './load-tree';

/** What was typed and not saved, as it is kept. */
interface Draft {
  text: string;
  version: string | null;
  /** What it was typed over; left out by earlier versions. */
  base?: string;
}

interface TabOptions {
  /** Left out: the collection on show. */
  collectionId?: string;
  requestIndex?: number;
  subTab?: SubTab;
}

/** Opens a request in a tab, or shows its tab. */
export async function openRequest(path: string, options: TabOptions = {}): Promise<void> {
  const state = useRequestsStore.getState();
  const { tabs } = state;
  const collectionId = options.collectionId ?? requireCollection();
  const isOpen = state.collections.some(({ id }) => id === collectionId);
  if (isOpen) useRequestsStore.setState({ collectionId });
  const known = tabs.find((tab) => tab.path === path && tab.collectionId === collectionId);
  if (known) {
    useRequestsStore.setState({ activeId: known.id });
    return;
  }
  const tab = createTab(collectionId, path, titleOf(state, collectionId, path), options);
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
    isBaseKnown: true,
    version: null,
    isStale: false,
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
export async function readTab(id: string, draft?: Draft | null): Promise<void> {
  const tab = findTab(id);
  if (!tab) return;
  try {
    const { collectionId, path } = tab;
    const { text, version } = await call('collections.read', { collectionId, path });
    updateTab(id, { state: 'ready', error: null, ...readDraft({ text, version }, draft ?? null) });
  } catch (error) {
    const hasDraft = draft !== null && draft !== undefined;
    updateTab(id, {
      state: hasDraft ? 'ready' : 'failed',
      error: toClientError(error),
      ...(hasDraft ? { text: draft.text, savedText: '', version: draft.version } : {}),
    });
  }
}

type DraftState = Pick<OpenTab, 'text' | 'savedText' | 'version' | 'isStale' | 'isBaseKnown'>;

/** A draft of another version keeps that version: saving it then finds the conflict, and nothing is lost. */
function readDraft({ text, version }: { text: string; version: string }, draft: Draft | null): DraftState {
  const isStale = draft !== null && draft.version !== version;
  return {
    text: draft?.text ?? text,
    savedText: (isStale ? draft.base : null) ?? text,
    version: draft ? draft.version : version,
    isStale,
    isBaseKnown: !isStale || typeof draft.base === 'string',
  };
}

/** Follows files that changed on disk: the tree, and open tabs. What was typed stays, and is told that its file changed. */
export async function takeDiskChanges(collectionId: string, paths: readonly string[]): Promise<void> {
  await (paths.length === 0 ? loadCollections() : loadNodes(collectionId));
  const { tabs } = useRequestsStore.getState();
  const touched = tabs.filter(
    (tab) => tab.collectionId === collectionId && paths.includes(tab.path) && tab.state !== 'loading',
  );
  await Promise.all(touched.map((tab) => (isDirty(tab) ? compareDraft(tab) : readTab(tab.id))));
}

async function compareDraft({ id, collectionId, path }: OpenTab): Promise<void> {
  try {
    const { text, version } = await call('collections.read', { collectionId, path });
    const tab = findTab(id);
    if (!tab) return;
    // Somebody wrote just what was typed here: there is nothing to save any more.
    if (tab.text === text) updateTab(id, { savedText: text, version, isStale: false, conflict: null });
    else
      updateTab(id, {
        isStale: version !== tab.version,
        ...(tab.conflict && { conflict: { text, version } }),
      });
  } catch {
    // It is gone or cannot be read just now: saving finds out, and the draft stays.
  }
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
    const settled = { error: null, conflict: null, isStale: false, isBaseKnown: true };
    updateTab(id, { ...settled, savedText: text, version: saved.version, otherReadings });
  } catch (caught) {
    const error = toClientError(caught);
    const reason = error.code === 'collections.conflict' ? error.details['reason'] : null;
    if (reason === 'deleted') {
      // Nothing stands there that could be overwritten.
      updateTab(id, { version: null });
      await saveTab(id);
    } else if (error.code === 'collections.conflict') await showConflict(tab);
    else updateTab(id, { error });
  }
}

/** Shows what a draft and its file on disk differ in. */
export async function showConflict({ id, collectionId, path }: OpenTab): Promise<void> {
  try {
    const { text, version } = await call('collections.read', { collectionId, path });
    updateTab(id, { conflict: { text, version }, error: null });
  } catch (error) {
    updateTab(id, { error: toClientError(error) });
  }
}

/** Ends a conflict: writes over the file, takes the file's text, saves ours beside it, or what was merged of both. */
export async function settleConflict(
  id: string,
  choice: 'mine' | 'theirs' | 'copy' | { merged: string },
): Promise<void> {
  const tab = findTab(id);
  if (!tab?.conflict) return;
  const { text, version } = tab.conflict;
  if (choice === 'mine' || typeof choice === 'object') {
    updateTab(id, { version, savedText: text, ...(choice === 'mine' ? {} : { text: choice.merged }) });
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
  updateTab(id, { text, savedText: text, version, conflict: null, isStale: false, isBaseKnown: true });
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
