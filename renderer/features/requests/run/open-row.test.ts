import { markPlaced } from '@shared/http-file/follow-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
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

it('opens one without a name where it is now, and none that has come into its place', async () => {
  const [pay, other] = ['###\nPOST http://h/pay\n\n', '###\nGET http://h/other\n\n'];
  const mark = markPlaced(parseHttpFile(pay + other).requests)[0];
  const open = async (text: string) => {
    startFakeBackEnd({ 'a.http': text });
    useRunStore.setState({ run: { subject: { collectionId: 'c1' } } as never });
    await openRow({ item: { path: 'a.http', block: '#1', mark }, result: null } as RunRow);
    return selectActiveTab(useRequestsStore.getState())!.requestIndex;
  };
  expect(await open(pay + other)).toBe(0);
  expect(await open(pay.replace('/pay', '/pays') + other)).toBe(0);
  expect(await open(`###\nPOST http://h/first\n\n${pay}${other}`)).toBe(1);
  expect(await open(pay)).toBe(0);
  expect(await open(other)).toBe(-1);
  expect(await open(other + other.replace('/other', '/another'))).toBe(-1);
});
