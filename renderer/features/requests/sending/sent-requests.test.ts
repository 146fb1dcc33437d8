import { expect, it } from 'vitest';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { closeTab, openRequest } from '../tree/collection-actions';
import { sendRequest } from './sending-actions';
import { findSent } from './sent-requests';

it.each([
  ['what was sent, as long as its tab is open', false],
  ['nothing of a tab that was closed while its request was under way', true],
])('keeps %s', async (_name, isClosed) => {
  const exchange = makeExchange();
  startFakeBackEnd(
    { 'a.http': 'POST {{base_url}}/a\n\n{"long":1}\n' },
    {
      'sending.send': () => {
        if (isClosed) closeTab(tab.id);
        return exchange;
      },
    },
  );
  await openRequest('a.http');
  const tab = selectActiveTab(useRequestsStore.getState())!;
  await sendRequest(tab.id);
  expect(findSent({ ...tab, exchange }) === null).toBe(isClosed);
});
