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
  const part = import('./tabs/read-kept');
  await loadCollections();
  const { readKept } = await part;
  const reading = restoreTabs(await readKept());
  keepOnChange();
  await reading;
}
