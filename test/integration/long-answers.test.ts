import { createServer, type Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNodePorts } from '../../electron/platform/node-ports';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { createServices, type Services } from '../../electron/services/create-services';
import { makeTemporaryFolder } from '../support/temporary';

/** Nothing takes longer to mask: each is one, by its name. */
const SECRETS = `{${'"password":"a",'.repeat(800_000)}"z":1}`;

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

it('leaves the thread of the app free while a long answer is masked and read', async () => {
  answer = '{"password":"short"}';
  expect((await ask()).response?.body).toBe('{"password":"••••••••"}');
  // A short one is read at once.
  expect(started).not.toContain('answers');
  expect(started).not.toContain('answers');
  answer = SECRETS;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // It measures from its second turn on.
  await wait(50);
  const began = performance.now();
  const { id, response, reading } = await ask();
  const tookMs = performance.now() - began;
  // A turn that was long is noted by the one after it.
  await wait(50);
  delay.disable();
  expect(started).toContain('answers');
  expect(reading?.title).toBe('Answered 200');
  expect(response?.sizeBytes).toBe(SECRETS.length);
  expect(response?.body.startsWith('{"password":"•••')).toBe(true);
  // Held up by a part of the whole, wherever this runs: bytes are handed over, and kept.
  expect(delay.max / 1e6).toBeLessThan(Math.max(200, tookMs / 3));
  const kept = await services.router.call('history.get', { id });
  expect(kept.response?.body).not.toContain('"a"');
});
