import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openExchangeStore } from './exchange-store';
import { serveProxyWorker } from './proxy-worker';

it('masks what becomes known while it runs, in what passes from then on', async () => {
  const service = createServer((_request, response) => response.end('first-secret later-secret'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const dataDirectory = makeTemporaryFolder('proxy-worker');
  const worker = serveProxyWorker(() => undefined);
  const { url } = await worker.start({
    target: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    dataDirectory,
    publicKeys: [],
    secrets: ['first-secret'],
    identity: null,
    port: 0,
    alternatives: 0,
  });
  const store = openExchangeStore(dataDirectory, null);
  const pass = async (count: number): Promise<void> => {
    await (await fetch(url)).text();
    await vi.waitFor(() => expect(store.count()).toBe(count));
  };
  await pass(1);
  worker.setKnown({ publicKeys: null, secrets: ['first-secret', 'later-secret'] });
  await pass(2);
  const kept = [...store.readSince(0)].map(({ answerBody }) => answerBody.toString());
  store.close();
  await worker.stop({});
  service.close();
  expect(kept).toEqual(['•••••••• later-secret', '•••••••• ••••••••']);
});
