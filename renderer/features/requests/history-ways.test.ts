import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeHistoryRequest } from '../../session/draft-handover';
import { showNodeHistory, showTabHistory } from './history-ways';
import { useRequestsStore } from './requests-store';
import { startFakeBackEnd } from './test-support';
import { openRequest } from './tree/collection-actions';

beforeEach(() => {
  vi.stubGlobal('location', { hash: '' });
  startFakeBackEnd({
    'one.http': '# @name One\nGET http://x',
    'two.http': '# @name A\nGET http://a\n\n###\n# @name B\nGET http://b',
  });
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  ['one.http', null],
  ['two.http', 'A'],
])('asks for what %s was sent, whatever its only request was called', async (path, block) => {
  const node = { collectionId: 'c1', path, name: 'N', kind: 'request' } as const;
  await showNodeHistory(node);
  expect(takeHistoryRequest()).toEqual({ identity: { collectionId: 'c1', path, block }, title: 'N' });
  await openRequest(path);
  showTabHistory(useRequestsStore.getState().tabs[0]!.id);
  expect(takeHistoryRequest()?.identity).toEqual({ collectionId: 'c1', path, block });
});
