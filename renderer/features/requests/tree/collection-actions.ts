import { forgetSent } from '../sending/sent-requests';
import type { BlockMark } from '@shared/http-file/follow-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { tell } from '../../../ui/say';
import { forgetDocument } from '../../../ui/code-editor/forget-document';
import { forgetEdits } from '../undo/undo-edits';
import { isDirty, forgetInsight } from '../requests-selectors';
import { findTab, updateTab, useRequestsStore, type OpenTab, type SubTab } from '../requests-store';
import { followRequest } from './follow-request';
import { showTab } from '../tabs/show-tab';
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
  /** What that request is known by, where its file may have changed since. */
  lost?: BlockMark | null;
  subTab?: SubTab;
  /** False: what is on show stays. */
  isShown?: boolean;
  /** What was typed in it and not saved: it stands there from the first, so that closing the tab asks. */
  draft?: Draft | null;
}

export async function openRequest(path: string, options: TabOptions = {}): Promise<void> {
  const state = useRequestsStore.getState();
  const { tabs } = state;
  const collectionId = options.collectionId ?? requireCollection();
  const known = tabs.find((tab) => tab.path === path && tab.collectionId === collectionId);
  const { draft = null } = options;
  const made = createTab(collectionId, path, titleOf(state, collectionId, path), options);
  const tab = known ?? (draft === null ? made : { ...made, ...holdDraft(draft) });
  if (!known) useRequestsStore.setState({ tabs: [...tabs, tab] });
  if (options.isShown !== false) showTab(tab.id);
  if (!known || draft !== null) await readTab(tab.id, draft);
}

/** A draft before its file is read. */
const holdDraft = ({ text, version, base }: Draft): Partial<OpenTab> => ({
  state: 'ready',
  text,
  savedText: base ?? '',
  version,
  isBaseKnown: base !== undefined,
});

/** Opens a text that no file has yet: Save writes it, under a name that nothing has. */
export function openDraft(
  { title, text }: { title: string; text: string },
  { collectionId, folder }: { collectionId: string; folder: string },
): void {
  const state = useRequestsStore.getState();
  const nodes = state.collections.find(({ id }) => id === collectionId)?.nodes ?? [];
  const taken = new Set([...nodes, ...state.tabs].map(({ path }) => path.toLowerCase()));
  const name =
    title
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
      .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
      .slice(0, 80) || 'Request';
  const place = folder === '' ? '' : `${folder}/`;
  let path = '';
  for (let count = 1; path === '' || taken.has(path.toLowerCase()); count += 1) {
    path = `${place}${name} (${count === 1 ? 'draft' : `draft ${count}`}).http`;
  }
  const tab = createTab(collectionId, path, titleOf(state, collectionId, path), {});
  const draft: OpenTab = { ...tab, state: 'ready', text };
  useRequestsStore.setState({ tabs: [...state.tabs, draft] });
  showTab(tab.id);
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
    gone: null,
    requestIndex: options.requestIndex ?? 0,
    lost: options.lost ?? null,
    subTab: options.subTab ?? 'body',
    isFormShown: false,
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

/**
 * What was asked of each tab's file last, of all that has an answer: answers come by ways of their own, and one that was
 * overtaken by the answer to a later question tells of a file that is no more.
 */
const answered = new Map<string, number>();
let lastQuestion = 0;

/** Tells whether an answer still counts. */
function isNewest(id: string, question: number): boolean {
  if ((answered.get(id) ?? 0) > question) return false;
  answered.set(id, question);
  return true;
}

/**
 * Reads a tab's file. A draft given with it, and what is typed before the answer comes, stay over what the file holds.
 *
 * @param changed - of the collection, with it: where the file may be now that it is not there
 * @param before - paths of the collection before that; left out: not known
 * @param tree - the reading of the collection that tells where it is
 */
export async function readTab(
  id: string,
  draft?: Draft | null,
  changed: readonly string[] = [],
  before?: ReadonlySet<string>,
  tree?: Promise<void>,
): Promise<void> {
  const tab = findTab(id);
  if (!tab) return;
  const question = (lastQuestion += 1);
  const findTyped = (): OpenTab | null => {
    const now = findTab(id);
    return now && isDirty(now) && now.text !== draft?.text ? now : null;
  };
  try {
    const { collectionId, path } = tab;
    const { text, version } = await call('collections.read', { collectionId, path });
    if (!isNewest(id, question)) return;
    const typed = findTyped();
    if (typed) return compareDraft(typed, { text, version });
    updateTab(id, {
      state: 'ready',
      error: null,
      gone: null,
      ...followRequest(findTab(id) ?? tab, draft?.text ?? text),
      ...readDraft({ text, version }, draft ?? null),
    });
  } catch (error) {
    await tree;
    if (!isNewest(id, question)) return;
    const failure = toClientError(error);
    // One that cannot be read just now stays as it is: saving what was typed finds out.
    if (!findTyped()) {
      const hasDraft = draft !== null && draft !== undefined;
      // What was never saved has no file that could be missed.
      const isNew = draft?.version === null && failure.code === 'collections.unknown';
      updateTab(id, {
        state: hasDraft ? 'ready' : 'failed',
        error: isNew ? null : failure,
        ...(hasDraft ? { text: draft.text, savedText: '', version: draft.version } : {}),
      });
    }
    if (failure.code === 'collections.unknown') await noteGone(id, question, changed, before);
  }
}

/** Says of a file that was read before that it is not there any more; what was saved nowhere yet cannot be gone. */
async function noteGone(
  id: string,
  question: number,
  changed: readonly string[],
  before?: ReadonlySet<string>,
): Promise<void> {
  const tab = findTab(id);
  if (!tab || tab.version === null) return;
  const { findMoved } = await import('./find-moved');
  const gone = await findMoved(tab, changed, before);
  if (isNewest(id, question)) updateTab(id, { gone, ...(tab.state === 'ready' && { error: null }) });
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
  const known = useRequestsStore.getState().collections.find(({ id }) => id === collectionId)?.nodes;
  const before = known && new Set(known.map(({ path }) => path));
  const tree = paths.length === 0 ? loadCollections() : loadNodes(collectionId);
  // Of a named file, its text does not wait for the tree, which takes seconds after a large checkout: Send sends what stands here.
  if (paths.length === 0) await tree;
  const { tabs, collections } = useRequestsStore.getState();
  const isOpened = paths.length === 0 && collections.some(({ id }) => id === collectionId);
  const touched = tabs.filter(
    (tab) =>
      tab.collectionId === collectionId && (isOpened || tab.gone !== null || isTouched(tab.path, paths)),
  );
  await Promise.all([tree, ...touched.map(({ id }) => readTab(id, null, paths, before, tree))]);
}

/** Of a folder that was put in the place of another, only its own name is told. */
function isTouched(path: string, changed: readonly string[]): boolean {
  return changed.some((one) => path === one || path.startsWith(`${one}/`));
}

/** Reads everything anew that is open: nobody knows what changed while the back end could not be heard. */
export async function takeMissedChanges(): Promise<void> {
  await loadCollections();
  await Promise.all(useRequestsStore.getState().tabs.map(({ id }) => readTab(id)));
}

function compareDraft(tab: OpenTab, { text, version }: { text: string; version: string }): void {
  updateTab(tab.id, { gone: null, ...(tab.error?.code === 'collections.missing' && { error: null }) });
  // Somebody wrote just what was typed here: there is nothing to save any more.
  if (tab.text === text) updateTab(tab.id, { savedText: text, version, isStale: false, conflict: null });
  else
    updateTab(tab.id, {
      isStale: version !== tab.version,
      ...(tab.conflict && { conflict: { text, version } }),
    });
}

/** Shuts a tab. What was typed and not saved goes: the view asks first. */
export function closeTab(id: string): void {
  useRequestsStore.setState(({ tabs, activeId }) => {
    const index = tabs.findIndex((tab) => tab.id === id);
    const left = tabs.filter((tab) => tab.id !== id);
    const neighbour = left[Math.min(index, left.length - 1)]?.id ?? null;
    return { tabs: left, activeId: activeId === id ? neighbour : activeId };
  });
  answered.delete(id);
  forgetDocument(id);
  forgetInsight(id);
  forgetEdits(id);
  forgetSent(id);
}

/** Saves under way, by tab: the next one is of the version that the one before leaves, and begins after it. */
const saves = new Map<string, Promise<void>>();

/** Saves a tab. Where the file has changed meanwhile, both texts are kept and shown. */
export function saveTab(id: string): Promise<void> {
  const before = saves.get(id);
  const save = (before === undefined ? writeTab(id) : before.then(() => writeTab(id))).finally(() => {
    if (saves.get(id) === save) saves.delete(id);
  });
  saves.set(id, save);
  return save;
}

async function writeTab(id: string): Promise<void> {
  const tab = findTab(id);
  if (!tab || tab.state !== 'ready' || (!isDirty(tab) && !tab.conflict)) return;
  const { collectionId, path, text, version } = tab;
  try {
    const saved = await call('collections.write', { collectionId, path, text, version });
    answered.set(id, (lastQuestion += 1));
    const settled = { error: null, conflict: null, isStale: false, gone: null, isBaseKnown: true };
    updateTab(id, { ...settled, savedText: text, version: saved.version, otherReadings: [] });
    tell('Saved');
    const { findOtherReadings } = await import('@shared/http-file/find-other-readings');
    const otherReadings = findOtherReadings(parseHttpFile(text));
    if (findTab(id)?.savedText === text && otherReadings.length > 0) updateTab(id, { otherReadings });
  } catch (caught) {
    const error = toClientError(caught);
    const reason = error.code === 'collections.conflict' ? error.details['reason'] : null;
    if (reason === 'deleted') {
      // Nothing stands there that could be overwritten.
      updateTab(id, { version: null });
      await writeTab(id);
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
