import { selectCollection } from '../requests-selectors';
import { formatItemId, useRequestsStore } from '../requests-store';
import { openRequest } from '../tree/collection-actions';
import { takeOver, type KeptState } from './drafts';
import type { KeptBefore } from './read-kept';

/** Puts the tabs of last time there all at once, and reads them: one that is closed meanwhile stays closed. */
export async function restoreTabs({ kept, slots }: KeptBefore): Promise<void> {
  const { collections, collectionId: shownId, heldBack, treeState } = useRequestsStore.getState();
  if (kept) useRequestsStore.setState({ collapsed: new Set(kept.collapsed.map(completeId)) });
  const files = new Set(
    collections.flatMap(({ id, nodes }) => nodes.map(({ path }) => formatItemId(id, path))),
  );
  // Of a folder on a drive that is not plugged in, or that is held back, nobody knows which files it has.
  const unread = new Set(
    [...collections.filter(({ state }) => state !== 'ready'), ...heldBack].map(({ id }) => id),
  );
  // A draft whose file is gone is shown all the same: it can be saved again.
  const tabs = (kept?.tabs ?? []).flatMap(({ collectionId, ...tab }) => {
    const owner = collectionId ?? shownId;
    if (owner === null) return [];
    const isThere = treeState === 'failed' || unread.has(owner) || files.has(formatItemId(owner, tab.path));
    return isThere || tab.draft !== null ? [{ ...tab, collectionId: owner }] : [];
  });
  const readings = tabs.map(({ path, ...options }) => openRequest(path, { ...options, isShown: false }));
  takeOver(slots);
  // What was opened by hand meanwhile stays on show.
  if (useRequestsStore.getState().activeId === null) readings.push(showFirst(kept, tabs));
  await Promise.all(readings);
}

/** Folders were kept by their paths alone before several collections could be open. */
function completeId(kept: string): string {
  const { collectionId } = useRequestsStore.getState();
  return kept.startsWith('@') || collectionId === null ? kept : formatItemId(collectionId, kept);
}

/** Shows the tab that was on top; at the very first start, the request to begin with. */
async function showFirst(
  kept: KeptState | null,
  tabs: readonly { collectionId: string; path: string }[],
): Promise<void> {
  const state = useRequestsStore.getState();
  const { collectionId } = state;
  const nodes = selectCollection(state)?.nodes ?? [];
  const wanted = tabs.find(
    (tab) => tab.path === kept?.activePath && tab.collectionId === (kept.activeCollectionId ?? collectionId),
  );
  const shown = wanted ?? tabs[0];
  if (shown) return openRequest(shown.path, { collectionId: shown.collectionId });
  if (kept || collectionId === null) return;
  const readable = nodes.filter((node) => node.kind === 'request' && !node.fault);
  const first = readable.find(({ operation }) => operation === 'remittance') ?? readable[0];
  if (first) await openRequest(first.path);
}
