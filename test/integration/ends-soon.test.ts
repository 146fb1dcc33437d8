import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { openWebClient } from '../support/web-client';

const started: RunningCommand[] = [];
const held: ServerResponse[] = [];
const server = createServer((_request, response) => void held.push(response));
afterEach(async () => {
  await Promise.all(started.splice(0).map((command) => command.stop()));
  server.closeAllConnections();
  server.close();
});

async function start(data: string) {
  const command = startCli(['app', '--no-open', '--port', '0', '--json', '--data', data]);
  started.push(command);
  const ready = await command.waitForLine((line) => line['event'] === 'ready');
  return { command, client: await openWebClient(ready['url'] as string) };
}

it('the app ends within three seconds though a run and a request wait for answers, and says of both that nobody knows how they went', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const data = makeTemporaryFolder('ends-soon');
  const directory = join(data, 'slow');
  mkdirSync(directory);
  writeFileSync(join(directory, 'held.http'), `POST ${url}\n\n{}\n`);
  const { command, client } = await start(data);
  const opened = (await client.call('collections.open', { directory })) as unknown as {
    value: { id: string };
  };
  const subject = { collectionId: opened.value.id, path: '', environment: 'local' };
  expect(await client.call('running.start', subject)).toMatchObject({ ok: true });
  const request = { environment: 'local', operation: 'other', title: 'held', method: 'POST', url };
  void client.call('sending.send', { ...request, headers: [], body: '{}' }).catch(() => undefined);
  await vi.waitFor(() => expect(held).toHaveLength(2), 5000);

  const from = performance.now();
  await command.stop();
  expect(performance.now() - from).toBeLessThan(3000);
  const { client: next } = await start(data);
  expect(await next.call('running.get', {})).toMatchObject({
    value: { run: { state: 'over', results: [{ outcome: 'error', errorCode: 'sending.canceled' }] } },
  });
  const summary = 'Canceled. Whether it was acted on is not known: find out before you send it again.';
  expect(await next.call('history.list', { limit: 5, before: null })).toMatchObject({
    value: { exchanges: [{ summary }, { summary }] },
  });
});
