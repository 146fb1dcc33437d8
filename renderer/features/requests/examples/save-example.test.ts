import { expect, it } from 'vitest';
import { parseExample } from '@shared/http-file/example-file';
import { selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore } from '../requests-store';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { saveExample } from './save-example';

const response = {
  httpStatus: 200,
  headers: [],
  body: '{}',
  bodyBase64: null,
  sizeBytes: 2,
  isCut: false,
  requestId: null,
};

it.each([
  ['GET http://x\n', null],
  ['# @name One\nGET http://x\n\n###\n# @name Two\nGET http://y\n', 'Two'],
])('says which request of its file was answered, where that has several: %j', async (text, block) => {
  const files: Record<string, string> = { 'a.http': text };
  startFakeBackEnd(files);
  await openRequest('a.http');
  const { id } = selectActiveTab(useRequestsStore.getState())!;
  const identity = { collectionId: 'c1', path: 'a.http', block: 'Two' };
  updateTab(id, { exchange: makeExchange({ identity, response }) });
  await saveExample(id, 'ok');
  expect(parseExample(files['a.ok.example.http']!)?.block).toBe(block);
});
