import { localEnvironmentId } from '@shared/contract/environment-id';
import { selectEnvironmentId, useAppStatus } from '../../../session/app-status';
import { askAbout } from '../collections/open-collections';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startRequests } from '../start-requests';
import { openRequest } from '../tree/collection-actions';
import { sendRequest } from './sending-actions';

/** The one of the starter that succeeds; another collection's first payout will do as well. */
const usualName = 'Salary payout';

/**
 * Opens a payout and sends it to the sandbox of this machine. Under any other environment it is only opened: what goes
 * to somebody else's service is sent by its own button.
 */
export async function sendFirstPayout(): Promise<void> {
  await startRequests();
  const payouts = useRequestsStore
    .getState()
    .collections.flatMap(({ id, nodes }) =>
      nodes
        .filter(
          ({ kind, operation, fault }) => kind === 'request' && operation === 'payout' && fault === null,
        )
        .map(({ name, path }) => ({ collectionId: id, name, path })),
    );
  const payout = payouts.find(({ name }) => name === usualName) ?? payouts[0];
  if (payout === undefined) return askAbout('make');
  await openRequest(payout.path, { collectionId: payout.collectionId });
  const tab = selectActiveTab(useRequestsStore.getState());
  if (tab && selectEnvironmentId(useAppStatus.getState()) === localEnvironmentId) await sendRequest(tab.id);
}
