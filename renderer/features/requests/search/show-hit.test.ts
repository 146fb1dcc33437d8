import { expect, it } from 'vitest';
import { editFile } from '../editor/edit-actions';
import { selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore } from '../requests-store';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { showHit } from './show-hit';

const ann = 'POST http://a/ann\n\n{"to":"ann"}\n';
const bob = 'POST http://a/bob\n\n{"to":"bob"}\n';
const hit = {
  collectionId: 'c1',
  path: 'a.http',
  name: 'a',
  place: 'body' as const,
  line: 7,
  requestIndex: 1,
  bodyRange: { start: 7, end: 10 },
  excerpt: '{"to":"bob"}',
  start: 7,
  length: 3,
};
const active = () => selectActiveTab(useRequestsStore.getState())!;

async function openAndType(text: string): Promise<void> {
  startFakeBackEnd(
    { 'a.http': `${ann}\n###\n${bob}` },
    { 'history.list': () => ({ exchanges: [], nextBefore: null }) },
  );
  await openRequest('a.http');
  editFile(active().id, text);
  updateTab(active().id, { exchange: makeExchange() });
}

it('shows the request that was found where what was typed has it elsewhere, and no answer of another beside it', async () => {
  await openAndType(`GET http://a/new\n\n###\n${ann}\n###\n${bob}`);
  await showHit(hit);
  expect(active()).toMatchObject({ requestIndex: 2, lost: null, exchange: null, subTab: 'body' });
});

it('shows no other request in the place of one that was found and is deleted in what was typed', async () => {
  await openAndType(`${ann}\n###\nPOST http://a/eve\n\n{"to":"eve"}\n\n###\nGET http://a/new\n`);
  await showHit(hit);
  expect(active()).toMatchObject({ requestIndex: -1, exchange: null });
});
