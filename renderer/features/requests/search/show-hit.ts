import type { MethodOutput } from '@shared/contract/contract';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { call } from '../../../transport/client';
import { useBodyLink } from '../editor/body-link';
import { isDirty, selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore } from '../requests-store';
import { showRequest } from '../sending/sending-actions';
import { openRequest } from '../tree/collection-actions';
import { followRequest } from '../tree/follow-request';

export type Hit = MethodOutput<'collections.search'>['hits'][number];

const subTabs = { body: 'body', header: 'headers', comment: 'file', name: null, url: null } as const;

/** Opens the request and goes to what was found. That is of the file on disk: what was typed may have moved it, or have it no more. */
export async function showHit({ collectionId, path, place, requestIndex, bodyRange }: Hit): Promise<void> {
  await openRequest(path, { collectionId });
  const opened = selectActiveTab(useRequestsStore.getState());
  if (opened === null || opened.path !== path) return;
  const onDisk = isDirty(opened)
    ? (await call('collections.read', { collectionId, path }).catch(() => null))?.text
    : opened.text;
  const tab = selectActiveTab(useRequestsStore.getState());
  if (tab?.id !== opened.id) return;
  const searched = onDisk ?? tab.savedText;
  const from = { ...tab, text: searched, requestIndex, lost: null, run: null };
  const { requestIndex: index = requestIndex, lost = null } = followRequest(from, tab.text);
  const isBodySame =
    parseHttpFile(searched).requests[requestIndex]?.body === parseHttpFile(tab.text).requests[index]?.body;
  if (bodyRange && isBodySame) useBodyLink.setState({ pending: { tabId: tab.id, ...bodyRange } });
  const subTab = subTabs[place];
  updateTab(tab.id, { lost, ...(subTab ? { subTab } : {}) });
  if (index !== tab.requestIndex) await showRequest(tab.id, index);
}
