import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { startNodeWorker } from './worker-rpc';

it('hands a thread the switch that whatever it starts of the app needs, and no other word of the start', async () => {
  const given = [...process.argv];
  onTestFinished(() => void (process.argv = given));
  process.argv = [...given.slice(0, 2), '--no-sandbox', '--data', '/elsewhere'];
  const file = join(makeTemporaryFolder('worker-rpc'), 'worker.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id }) => parentPort.postMessage({ id, ok: true, value: process.argv.slice(2) }));`,
  );
  const worker = startNodeWorker<{ read: () => string[] }, never>(pathToFileURL(file), {});
  expect(await worker.call('read')).toEqual(['--no-sandbox']);
  await worker.terminate();
});

it('tells what ended a thread, of a thing that was thrown and is no error, too', async () => {
  const file = join(makeTemporaryFolder('worker-rpc'), 'worker.mjs');
  writeFileSync(file, `setTimeout(() => { throw { code: 'SQLITE_CANTOPEN' }; });`);
  const worker = startNodeWorker<{ read: () => string[] }, never>(pathToFileURL(file), {});
  const failure = await new Promise<Error | null>((ended) => worker.onExit(ended));
  expect(failure?.message).toContain('SQLITE_CANTOPEN');
});
