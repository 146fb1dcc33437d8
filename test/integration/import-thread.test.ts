import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createNodePorts } from '../../electron/platform/node-ports';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { createServices } from '../../electron/services/create-services';
import { makeTemporaryFolder } from '../support/temporary';

const REQUESTS = 3000;

const item = (index: number) => ({
  name: `Request ${index}`,
  request: {
    method: 'POST',
    url: `https://api.example.com/things/${index}`,
    body: { mode: 'raw', raw: JSON.stringify({ index, text: 'x'.repeat(1500) }) },
  },
});

it('leaves the thread of the app free while thousands of requests are imported', async () => {
  const dataDirectory = makeTemporaryFolder('import-thread');
  const ports = createNodePorts({ host: 'web', dataDirectory, version: '0.0.0' });
  const built = new URL('../../out/workers/imports.js', import.meta.url);
  const { router, close } = createServices({
    ...ports,
    startWorker: (_name, options) => startNodeWorker(built, options),
  });
  const text = JSON.stringify({
    info: {
      name: 'Large',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: Array.from({ length: REQUESTS }, (_, index) => item(index)),
  });
  const directory = join(makeTemporaryFolder('import-thread-into'), 'large');
  const input = {
    source: { kind: 'text', name: 'large.json', text },
    target: { kind: 'directory', directory },
  } as const;
  // What is loaded for the first one is not what is measured.
  await router.call('imports.run', {
    ...input,
    source: { ...input.source, text: 'curl https://a.example/' },
    isPreview: true,
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // It measures from its second turn on.
  await wait(50);
  const began = performance.now();
  const { requests } = await router.call('imports.run', input);
  const tookMs = performance.now() - began;
  // A turn that was long is noted by the one after it.
  await wait(50);
  delay.disable();
  expect(requests).toBe(REQUESTS);
  // Held up by a part of the whole, wherever this runs: text is handed over, names come back.
  expect(delay.max / 1e6).toBeLessThan(Math.max(150, tookMs / 3));
  await close();
});
