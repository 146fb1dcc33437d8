import { afterReconnect, subscribe } from '../../transport/client';
import { whenIdle } from '../../ui/when-idle';
import { openRequest, takeDiskChanges, takeMissedChanges } from './tree/collection-actions';
import { followRuns } from './run/run-actions';
import { followShownTab, tellWorkedIn } from './tabs/follow-shown-tab';
import { followGit } from './tree/load-git';
import { loadCollections } from './tree/load-tree';
import { keepState, readKeptState, type KeptState } from './tabs/drafts';
import { loadKeys } from './signing/key-actions';
import { selectCollection } from './requests-selectors';
import { formatItemId, useRequestsStore } from './requests-store';
import { followJourneys, loadLastExchange } from './sending/sending-actions';
import { followRefusals } from './sending/forget-refusals';
import { forgetSignature } from './signing/signing-actions';

const keepDelayMs = 1200;
let started: Promise<void> | null = null;

/**
 * Starts the view's store: tree, tabs and drafts of last time, and what the back end tells.
 *
 * Runs once and stays: tabs, drafts and calls under way live on while other views are shown. Whoever asks again waits for the
 * same start.
 */
export function startRequests(): Promise<void> {
  return (started ??= start());
}

async function start(): Promise<void> {
  subscribe('collections.changed', ({ collectionId, paths }) => void takeDiskChanges(collectionId, paths));
  subscribe('journey.changed', ({ references }) => void followJourneys(references));
  subscribe('history.changed', () => {
    const { activeId } = useRequestsStore.getState();
    if (activeId !== null) void loadLastExchange(activeId);
  });
  useRequestsStore.subscribe(({ activeId }, before) => {
    if (activeId !== null && activeId !== before.activeId) void loadLastExchange(activeId);
  });
  subscribe('inbox.received', ({ webhooks }) => {
    const references = webhooks.flatMap(({ clientReference }) => clientReference ?? []);
    if (references.length > 0) void followJourneys(references);
  });
  subscribe('vault.changed', () => {
    forgetSignature();
    void loadKeys();
  });
  afterReconnect(() => {
    void takeMissedChanges();
    void loadKeys();
  });
  followGit();
  followRefusals();
  followRuns();
  followShownTab();
  tellWorkedIn();
  void loadKeys();
  await loadCollections();
  await restoreTabs();
  keepOnChange();
}

async function restoreTabs(): Promise<void> {
  const kept = readKeptState();
  const { collections, collectionId: shownId } = useRequestsStore.getState();
  if (kept) useRequestsStore.setState({ collapsed: new Set(kept.collapsed.map(completeId)) });
  const files = new Set(
    collections.flatMap(({ id, nodes }) => nodes.map(({ path }) => formatItemId(id, path))),
  );
  // A draft whose file is gone is shown all the same: it can be saved again.
  const tabs = (kept?.tabs ?? []).flatMap(({ collectionId, ...tab }) => {
    const owner = collectionId ?? shownId;
    const isThere = owner !== null && files.has(formatItemId(owner, tab.path));
    return owner !== null && (isThere || tab.draft !== null) ? [{ ...tab, collectionId: owner }] : [];
  });
  for (const { path, ...options } of tabs) await openRequest(path, { ...options, isShown: false });
  // What was opened by hand meanwhile stays on show.
  if (useRequestsStore.getState().activeId === null) await showFirst(kept, tabs);
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

function keepOnChange(): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const keepNow = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    keepState(useRequestsStore.getState());
  };
  useRequestsStore.subscribe((state, before) => {
    if (
      state.tabs === before.tabs &&
      state.activeId === before.activeId &&
      state.collapsed === before.collapsed
    ) {
      return;
    }
    timer ??= setTimeout(() => whenIdle(keepNow, keepDelayMs), keepDelayMs);
  });
  window.addEventListener('pagehide', () => {
    if (timer) keepNow();
  });
}
