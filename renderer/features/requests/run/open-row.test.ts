import { expect, it } from 'vitest';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { openRow } from './open-row';
import type { RunRow } from './run-rows';
import { useRunStore } from './run-store';

it('opens the request of a row, and no other in its place where it is gone', async () => {
  const text = '### one\nGET http://h/one\n\n### two\nGET http://h/two\n';
  startFakeBackEnd({ 'a.http': text }, { 'history.get': () => makeExchange() });
  useRunStore.setState({ run: { subject: { collectionId: 'c1' } } as never });
  const open = async (block: string) => {
    await openRow({ item: { path: 'a.http', block }, result: { exchangeId: 'e1' } } as RunRow);
    return selectActiveTab(useRequestsStore.getState())!;
  };
  expect(await open('two')).toMatchObject({ requestIndex: 1, exchange: { id: 'e1' } });
  expect(await open('three')).toMatchObject({
    requestIndex: -1,
    lost: { identity: 'three', isNamed: true },
    exchange: { id: 'e1' },
  });
  expect(await open('#3')).toMatchObject({ requestIndex: -1, lost: { isNamed: false } });
  expect(await open('one')).toMatchObject({ requestIndex: 0, exchange: { id: 'e1' } });
});
