import { showHistoryOf, takeDraft } from '../../session/draft-handover';
import { useAppStatus } from '../../session/app-status';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { identifyBlock } from '@shared/http-file/identify-block';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { identifyRequest, parentOf, readInsight, selectCollection } from './requests-selectors';
import { findTab, useRequestsStore } from './requests-store';
import { openDraft } from './tree/collection-actions';
import { focusAddress } from './tree/focus-tree';
import type { NodeRef } from './tree/node-actions';

/** Shows what the request of a tab was sent and answered. */
export function showTabHistory(id: string): void {
  const tab = findTab(id);
  if (!tab) return;
  const insight = readInsight(tab, useAppStatus.getState().status?.environment ?? null);
  const identity = identifyRequest(tab, insight);
  const block = insight.file.requests.length === 1 ? null : identity.block;
  showHistoryOf({ identity: { ...identity, block }, title: tab.title });
}

/** Shows what the first request of a file was sent and answered. */
export async function showNodeHistory({ collectionId, path, name }: NodeRef): Promise<void> {
  try {
    const { text } = await call('collections.read', { collectionId, path });
    const { requests } = parseHttpFile(text);
    const block = requests.length === 1 ? null : identifyBlock(requests, 0);
    showHistoryOf({ identity: { collectionId, path, block }, title: name });
  } catch (error) {
    useRequestsStore.setState({ treeNotice: { message: '', error: toClientError(error), canUndo: false } });
  }
}

/** Opens the draft that another view handed over, beside the request that it came from where that is still there. */
export function takeHandedDraft(): void {
  const draft = takeDraft();
  const state = useRequestsStore.getState();
  const origin = state.collections.find(({ id }) => id === draft?.identity?.collectionId);
  const collection = origin ?? selectCollection(state);
  if (draft === null || collection === null) return;
  const folder = origin && draft.identity ? parentOf(draft.identity.path) : '';
  const isThere = folder === '' || collection.nodes.some(({ path }) => path === folder);
  openDraft(draft, { collectionId: collection.id, folder: isThere ? folder : '' });
  focusAddress();
}
