import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNodePorts } from '../../electron/platform/node-ports';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { createServices, type Services } from '../../electron/services/create-services';
import { makeTemporaryFolder } from '../support/temporary';

/** Nothing takes longer to mask: each is one, by its name. */
const SECRETS = `{${'"password":"a",'.repeat(400_000)}"z":1}`;

let service: Server;
let services: Services;
let answer = SECRETS;
let started: string[];

beforeAll(async () => {
  service = createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const ports = createNodePorts({
    host: 'web',
    dataDirectory: makeTemporaryFolder('long-answers'),
    version: '0.0.0',
  });
  started = [];
  services = createServices({
    ...ports,
    startWorker(name, options) {
      started.push(name);
      return startNodeWorker(new URL(`../../out/workers/${name}.js`, import.meta.url), options);
    },
  });
});

afterAll(async () => {
  await services.close();
  service.close();
});

async function ask() {
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const { router } = services;
  const { environments } = await router.call('environments.list', {});
  const known = environments.find(({ name }) => name === 'own');
  const kept =
    known ?? (await router.call('environments.save', { name: 'own', kind: 'sandbox', baseUrl: url }));
  return router.call('sending.send', {
    environment: kept.id,
    operation: 'other',
    title: 'Long',
    method: 'GET',
    url: `${url}/long`,
    headers: [],
    body: null,
    isForScreen: true,
  });
}

/** Tells whether something held up this thread by a part of its time alone: bytes are handed over, and kept. */
async function measure<T>(run: () => Promise<T>): Promise<{ value: T; isFree: boolean }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // It measures from its second turn on.
  await wait(50);
  const began = performance.now();
  const value = await run();
  const tookMs = performance.now() - began;
  // A turn that was long is noted by the one after it.
  await wait(50);
  delay.disable();
  return { value, isFree: delay.max / 1e6 < Math.max(200, tookMs / 3) };
}

it('leaves the thread of the app free while a long answer is masked and read', async () => {
  answer = '{"password":"short"}';
  expect((await ask()).response?.body).toBe('{"password":"••••••••"}');
  // A short one is read at once.
  expect(started).not.toContain('answers');
  answer = SECRETS;
  const { value, isFree } = await measure(ask);
  const { id, response, reading } = value;
  expect(started).toContain('answers');
  expect(reading?.title).toBe('Answered 200');
  expect(response?.sizeBytes).toBe(SECRETS.length);
  expect(response?.body.startsWith('{"password":"•••')).toBe(true);
  expect(isFree).toBe(true);
  const kept = await services.router.call('history.get', { id });
  expect(kept.response?.body).not.toContain('"a"');
});

it('leaves it free while a long webhook is sent again, and while rules are tried on it', async () => {
  answer = '{}';
  const { router } = services;
  const { url } = await router.call('listener.start', { port: 0 });
  await fetch(url!, { method: 'POST', body: SECRETS });
  const { webhooks } = await router.call('inbox.list', {});
  const { id } = webhooks[0]!;
  const to = `http://127.0.0.1:${(service.address() as AddressInfo).port}/hook`;
  const replayed = await measure(() => router.call('inbox.replay', { id, to }));
  expect(replayed.value.replay).toMatchObject({ httpStatus: 200, body: '{}' });
  expect(replayed.isFree).toBe(true);
  const text = '{"version":1,"rules":[{"name":"all","answer":{"status":202}}]}';
  const tried = await measure(() => router.call('listener.tryRules', { text, webhookId: id }));
  expect(tried.value).toMatchObject({ rule: 'all', answer: { status: 202 } });
  expect(tried.isFree).toBe(true);
});

it('leaves it free while a long webhook is exported', async () => {
  const { router } = services;
  const { url } = await router.call('listener.start', { port: 0 });
  const body = SECRETS.repeat(5);
  await fetch(url!, { method: 'POST', body });
  const { webhooks } = await router.call('inbox.list', {});
  const query = { ids: [webhooks[0]!.id], format: 'har' } as const;
  const { value, isFree } = await measure(() => router.call('inbox.export', query));
  expect(value).toMatchObject({ count: 1, isCut: false });
  const { log } = JSON.parse(value.text) as {
    log: { entries: { request: { postData: { text: string } } }[] };
  };
  expect(log.entries[0]?.request.postData.text.length).toBe(body.length);
  expect(isFree).toBe(true);
});

it('leaves it free while a run of the app expects something of a long answer, and says that it was not judged', async () => {
  const { router } = services;
  const directory = makeTemporaryFolder('long-answers-run');
  const port = (service.address() as AddressInfo).port;
  const text = `# @expect status 200\n# @expect body z == 1\nGET http://127.0.0.1:${port}/long\n`;
  writeFileSync(join(directory, 'long.http'), text);
  answer = SECRETS;
  await ask();
  const { environments } = await router.call('environments.list', {});
  const environment = environments.find(({ name }) => name === 'own')!.id;
  const { id: collectionId } = await router.call('collections.open', { directory });
  const { isFree } = await measure(async () => {
    await router.call('running.start', { environment, collectionId, path: '' });
    const isOver = async () => (await router.call('running.get', { collectionId })).run?.state === 'over';
    while (!(await isOver())) await wait(20);
  });
  const { run } = await router.call('running.get', { collectionId });
  expect(run?.results[0]?.expectations.map(({ outcome }) => outcome)).toEqual(['held', 'failed']);
  expect(run?.results[0]?.expectations[1]?.received).toContain('too long to be judged in the app');
  expect(isFree).toBe(true);
});
