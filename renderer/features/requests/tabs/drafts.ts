import { readLayout, writeLayout } from '../../../session/settings-store';
import { useAppStatus } from '../../../session/app-status';
import type { OpenTab, RequestsState, SubTab } from '../requests-store';

/** What is kept of a tab: where it was, and what was typed and not saved. */
export interface KeptTab {
  /** Null: kept before several collections could be open; of the one that is. */
  collectionId: string | null;
  path: string;
  requestIndex: number;
  subTab: SubTab;
  /** Text that is not on disk; null: the file has it. */
  draft: { text: string; version: string | null; base?: string } | null;
}

export interface KeptState {
  savedAt: number;
  activePath: string | null;
  activeCollectionId: string | null;
  collapsed: string[];
  tabs: KeptTab[];
}

/** As kept by any version so far: the ids of collections came later. */
type FormerState = Omit<KeptState, 'activeCollectionId' | 'tabs'> & {
  activeCollectionId?: string | null;
  tabs: (Omit<KeptTab, 'collectionId'> & { collectionId?: string | null })[];
};

const layoutKey = 'requests.tabs';
/** Above this the settings file is not the place; the browser's own store has it then. */
const longestInSettingsChars = 256_000;
const longestBaseChars = 64_000;

const storageKey = (): string =>
  `countersign.requests:${useAppStatus.getState().status?.dataDirectory ?? ''}`;

/** Takes what is to be kept from the store. */
export function takeKeptState(state: RequestsState, savedAt: number): KeptState {
  const active = state.tabs.find((tab) => tab.id === state.activeId);
  return {
    savedAt,
    activePath: active?.path ?? null,
    activeCollectionId: active?.collectionId ?? null,
    collapsed: [...state.collapsed],
    tabs: state.tabs.map(keepTab),
  };
}

function keepTab(tab: OpenTab): KeptTab {
  const isDraft = tab.state === 'ready' && tab.text !== tab.savedText;
  return {
    collectionId: tab.collectionId,
    path: tab.path,
    requestIndex: tab.requestIndex,
    subTab: tab.subTab,
    draft: isDraft ? { text: tab.text, version: tab.version, ...keepBase(tab) } : null,
  };
}

/** What a draft was typed over: with it, a change on disk meanwhile can be merged. Long files go without. */
function keepBase({ savedText, isBaseKnown }: OpenTab): { base?: string } {
  return isBaseKnown && savedText.length <= longestBaseChars ? { base: savedText } : {};
}

/**
 * Keeps tabs and drafts in two places: the browser's store, at once, for a reload; and the settings, for the next start,
 * which may be at another address.
 */
export function keepState(state: RequestsState): void {
  const kept = takeKeptState(state, Date.now());
  const text = JSON.stringify(kept);
  try {
    localStorage.setItem(storageKey(), text);
  } catch {
    // The browser's store is full: the settings take it, however long it is.
    writeLayout(layoutKey, kept);
    return;
  }
  if (text.length <= longestInSettingsChars) writeLayout(layoutKey, kept);
}

/** Reads back what was kept; the newer of the two places. Null: nothing, or not ours. */
export function readKeptState(): KeptState | null {
  const places = [readLayout(layoutKey), readLocal()].filter(isKeptState);
  const newest = places.sort((a, b) => b.savedAt - a.savedAt)[0];
  return newest === undefined ? null : completeKept(newest);
}

/** Fills in what earlier versions did not keep. */
function completeKept(kept: FormerState): KeptState {
  return {
    ...kept,
    activeCollectionId: kept.activeCollectionId ?? null,
    tabs: kept.tabs.map((tab) => ({ ...tab, collectionId: tab.collectionId ?? null })),
  };
}

function readLocal(): unknown {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? 'null');
  } catch {
    return null;
  }
}

function isKeptState(value: unknown): value is FormerState {
  if (typeof value !== 'object' || value === null) return false;
  const { savedAt, tabs, collapsed } = value as Partial<KeptState>;
  return (
    typeof savedAt === 'number' && Array.isArray(collapsed) && Array.isArray(tabs) && tabs.every(isKeptTab)
  );
}

function isKeptTab(value: unknown): value is FormerState['tabs'][number] {
  if (typeof value !== 'object' || value === null) return false;
  const { path, requestIndex, draft } = value as Partial<KeptTab>;
  return (
    typeof path === 'string' &&
    typeof requestIndex === 'number' &&
    (draft === null || typeof draft?.text === 'string')
  );
}
