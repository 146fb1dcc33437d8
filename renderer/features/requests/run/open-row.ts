import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { createPlacedFinder } from '@shared/http-file/follow-block';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { useRequestsStore, updateTab } from '../requests-store';
import { selectActiveTab } from '../requests-selectors';
import { showRequest } from '../sending/sending-actions';
import { openRequest } from '../tree/collection-actions';
import type { RunRow } from './run-rows';
import { useRunStore } from './run-store';

/** Opens the request of a row, with the answer that it got in the run. */
export async function openRow({ item, result }: RunRow): Promise<void> {
  const collectionId = useRunStore.getState().run?.subject.collectionId;
  if (collectionId === undefined) return;
  await openBlock(collectionId, item);
  const tab = selectActiveTab(useRequestsStore.getState());
  if (tab === null || result === null || result.exchangeId === null) return;
  try {
    const exchange = await call('history.get', { id: result.exchangeId, isForScreen: true });
    updateTab(tab.id, { exchange, journey: null, sendError: null });
  } catch (error) {
    updateTab(tab.id, { sendError: toClientError(error) });
  }
}

/** Opens a file at one of its requests. */
async function openBlock(collectionId: string, { path, block, mark }: RunRow['item']): Promise<void> {
  await openRequest(path, { collectionId });
  const tab = selectActiveTab(useRequestsStore.getState());
  if (tab === null || tab.path !== path) return;
  const { requests } = parseHttpFile(tab.text);
  const index = createPlacedFinder(requests)({ block, mark });
  if (index === -1) showLost(tab.id, block);
  else if (index !== tab.requestIndex) await showRequest(tab.id, index);
}

/** One that was renamed or deleted since: the answer that it got is not that of any other. */
function showLost(id: string, identity: string): void {
  const lost = { identity, isNamed: !/^$|#\d+#*$/.test(identity), content: 0, isOnly: false };
  updateTab(id, { requestIndex: -1, lost, exchange: null, journey: null, sendError: null });
}

export async function openFault(collectionId: string, path: string): Promise<void> {
  useRunStore.setState({ question: null });
  await openRequest(path, { collectionId });
}
