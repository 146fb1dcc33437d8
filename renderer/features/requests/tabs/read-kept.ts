import { useSettings } from '../../../session/settings-store';
import { layoutKey, storageKey, type KeptState, type KeptTab } from './drafts';
import { gatherDrafts } from './gather-drafts';
import { findLivingWindows } from './living-windows';

/** As kept by any version so far: the ids of collections came later. */
type FormerState = Omit<KeptState, 'slot' | 'activeCollectionId' | 'tabs'> & {
  activeCollectionId?: string | null;
  tabs: (Omit<KeptTab, 'collectionId'> & { collectionId?: string | null })[];
};

/** What this window begins with, and which windows had it before. */
export interface KeptBefore {
  kept: KeptState | null;
  slots: readonly string[];
}

/** Reads what windows that are gone have kept; where none has, the tabs of one that is open. */
export async function readKept(): Promise<KeptBefore> {
  const [newest, ...older] = readKeptStates(await findLivingWindows());
  if (newest === undefined) return { kept: null, slots: [] };
  return { kept: gatherDrafts([newest, ...older]), slots: [newest, ...older].map(({ slot }) => slot) };
}

/**
 * Reads back what windows that are gone have kept, the newest first; of each the newer of the two places. Where there is
 * none, the tabs of one that is open, without what is typed there.
 */
export function readKeptStates(living: ReadonlySet<string> = new Set()): KeptState[] {
  const found = new Map<string, FormerState>();
  for (const [slot, value] of [...listLayout(), ...listLocal()]) {
    if (isKeptState(value) && value.savedAt > (found.get(slot)?.savedAt ?? -1)) found.set(slot, value);
  }
  const all = [...found].sort(([, a], [, b]) => b.savedAt - a.savedAt);
  const gone = all.filter(([slot]) => !living.has(slot));
  if (gone.length > 0) return gone.map(([slot, kept]) => completeKept(slot, kept));
  return all.slice(0, 1).map(([, kept]) => withoutDrafts(completeKept('', kept)));
}

const withoutDrafts = (kept: KeptState): KeptState => ({
  ...kept,
  tabs: kept.tabs.map((tab) => ({ ...tab, draft: null })),
});

/** Fills in what earlier versions did not keep. */
function completeKept(slot: string, kept: FormerState): KeptState {
  return {
    ...kept,
    slot,
    activeCollectionId: kept.activeCollectionId ?? null,
    tabs: kept.tabs.map((tab) => ({ ...tab, collectionId: tab.collectionId ?? null })),
  };
}

const listLayout = (): [string, unknown][] =>
  Object.entries(useSettings.getState().settings.layout).filter(([slot]) => slot.startsWith(layoutKey));

function listLocal(): [string, unknown][] {
  try {
    const own = storageKey(layoutKey);
    const keys = Object.keys(localStorage).filter((key) => key === own || key.startsWith(`${own}.`));
    return keys.map((key) => [`${layoutKey}${key.slice(own.length)}`, readItem(key)]);
  } catch {
    return [];
  }
}

function readItem(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
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
