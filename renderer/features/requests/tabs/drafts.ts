import { markBlock, type BlockMark } from '@shared/http-file/follow-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { writeLayout } from '../../../session/settings-store';
import { useAppStatus } from '../../../session/app-status';
import type { OpenTab, RequestsState, SubTab } from '../requests-store';

export interface KeptTab {
  /** Null: kept before several collections could be open; of the one that is. */
  collectionId: string | null;
  path: string;
  requestIndex: number;
  /** What that request is known by; left out by earlier versions. */
  lost?: BlockMark | null;
  subTab: SubTab;
  /** Text that is not on disk; null: the file has it. */
  draft: { text: string; version: string | null; base?: string } | null;
}

export interface KeptState {
  /** The window's; empty: of one that is open still, which keeps it. */
  slot: string;
  savedAt: number;
  activePath: string | null;
  activeCollectionId: string | null;
  collapsed: string[];
  tabs: KeptTab[];
}

export const layoutKey = 'requests.tabs';
/** Above this the settings file is not the place; the browser's own store has it then. */
const longestInSettingsChars = 256_000;
const longestBaseChars = 64_000;

/** What this window keeps its own by: several windows of a browser have each their tabs and drafts. */
export const ownSlot = `${layoutKey}.${crypto.randomUUID()}`;
/** Of windows that are gone, and whose tabs are here now: emptied when this window keeps them. */
let takenOver: readonly string[] = [];

export function takeOver(slots: readonly string[]): void {
  takenOver = slots.filter((slot) => slot !== ownSlot);
}

export const storageKey = (slot: string): string =>
  `countersign.requests:${useAppStatus.getState().status?.dataDirectory ?? ''}${slot.slice(layoutKey.length)}`;

/** Takes what is to be kept from the store. */
export function takeKeptState(state: RequestsState, savedAt: number): Omit<KeptState, 'slot'> {
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
    lost: markBlock(parseHttpFile(tab.text).requests, tab.requestIndex) ?? tab.lost,
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
 *
 * @returns how long it is, in characters
 */
export function keepState(state: RequestsState): number {
  const kept = takeKeptState(state, Date.now());
  const text = JSON.stringify(kept);
  let isStored = true;
  try {
    localStorage.setItem(storageKey(ownSlot), text);
    for (const slot of takenOver) localStorage.removeItem(storageKey(slot));
  } catch {
    isStored = false;
  }
  // Where the browser's store is full the settings take it, however long it is.
  if (!isStored || text.length <= longestInSettingsChars) {
    writeLayout(ownSlot, kept);
    for (const slot of takenOver) writeLayout(slot, null);
    takenOver = [];
  }
  return text.length;
}
