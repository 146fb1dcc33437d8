import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type { CapturedExchange } from './captured-exchange';
import { ProxyRecorder } from './exchange-recorder';
import { openExchangeStore } from './exchange-store';

const message = { headers: [], body: Buffer.alloc(0), bodyBytes: 0 };
const exchange: CapturedExchange = {
  at: 1_700_000_000_000,
  durationMs: 1,
  method: 'GET',
  target: '/x',
  request: message,
  answer: { ...message, httpStatus: 200 },
  ownStatus: null,
  fault: null,
};

it('says of what passes while its folder is away that it is not kept, and keeps what comes after', async () => {
  const folder = makeTemporaryFolder('exchanges');
  const store = openExchangeStore(folder, null);
  const problems: string[] = [];
  const recorder = new ProxyRecorder({
    store,
    keys: () => [],
    origin: 'http://127.0.0.1:1',
    secrets: () => [],
    onStored: () => undefined,
    onProblem: (problem) => void problems.push(problem),
  });
  const pass = async (): Promise<void> => {
    recorder.add(exchange);
    await recorder.close();
  };
  renameSync(folder, `${folder}-away`);
  await pass();
  renameSync(`${folder}-away`, folder);
  await pass();
  expect(problems).toEqual([
    expect.stringContaining(`cannot be kept: ${folder} was moved, removed or unmounted`),
    'Exchanges are kept again. 1 passed before without being kept.',
  ]);
  expect(store.count()).toBe(1);
  store.close();
});
