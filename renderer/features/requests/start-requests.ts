import { afterReconnect, subscribe } from '../../transport/client';
import { whenIdle } from '../../ui/when-idle';
import { takeDiskChanges, takeMissedChanges } from './tree/collection-actions';
import { followRuns } from './run/run-actions';
import { followShownTab, tellWorkedIn } from './tabs/follow-shown-tab';
import { followGit } from './tree/load-git';
import { loadCollections } from './tree/load-tree';
import { keepState } from './tabs/drafts';
import { restoreTabs } from './tabs/restore-tabs';
import { followRenames } from './follow-renames';
import { loadKeys } from './signing/key-actions';
import { useRequestsStore } from './requests-store';
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
  followRenames();
  followGit();
  followRefusals();
  followRuns();
  followShownTab();
  tellWorkedIn();
  void loadKeys();
  await loadCollections();
  const reading = restoreTabs();
  keepOnChange();
  await reading;
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
