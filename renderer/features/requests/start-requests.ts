import { afterReconnect, subscribe } from '../../transport/client';
import { takeDiskChanges, takeMissedChanges } from './tree/collection-actions';
import { followRuns } from './run/run-actions';
import { followShownTab, tellWorkedIn } from './tabs/follow-shown-tab';
import { followGit } from './tree/load-git';
import { loadCollections } from './tree/load-tree';
import { keepOnChange } from './tabs/keep-on-change';
import { restoreTabs } from './tabs/restore-tabs';
import { followRenames } from './follow-renames';
import { loadKeys } from './signing/key-actions';
import { useRequestsStore } from './requests-store';
import { followJourneys, loadLastExchange } from './sending/sending-actions';
import { followRefusals } from './sending/forget-refusals';
import { forgetSignature } from './signing/signing-actions';

let started: Promise<void> | null = null;
let isFollowing = false;

/**
 * Starts the view's store: tree, tabs and drafts of last time, and what the back end tells.
 *
 * Runs once and stays: tabs, drafts and calls under way live on while other views are shown. Whoever asks again waits for the
 * same start; one that failed for a script that could not be fetched is made anew.
 */
export function startRequests(): Promise<void> {
  if (!isFollowing) follow();
  isFollowing = true;
  return (started ??= start().catch((error: unknown) => {
    started = null;
    throw error;
  }));
}

function follow(): void {
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
    startRequests().catch(() => undefined);
  });
  followRenames();
  followGit();
  followRefusals();
  followRuns();
  followShownTab();
  tellWorkedIn();
  void loadKeys();
}

async function start(): Promise<void> {
  const [{ readKept }] = await Promise.all([import('./tabs/read-kept'), loadCollections()]);
  const reading = restoreTabs(await readKept());
  keepOnChange();
  await reading;
}
