import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { ProxyRecorder } from '../proxy/exchange-recorder';
import { openExchangeStore } from '../proxy/exchange-store';
import { judgeFolder } from './read-evidence';

const at = Date.UTC(2026, 10, 22, 10, 0, 0);
const request = { headers: [], body: Buffer.alloc(0), bodyBytes: 0 };

it.each([
  [3000, 'broken'],
  // Answered at the end of the second of its Date, it came at 10:00:30.
  [29_050, 'held'],
  [31_000, 'held'],
])('counts a Retry-After that is a date: what came again after %d ms is %s', async (waitedMs, verdict) => {
  const directory = makeTemporaryFolder('evidence');
  const store = openExchangeStore(directory, null);
  const recorder = new ProxyRecorder({
    store,
    keys: () => [],
    origin: 'http://127.0.0.1:1',
    secrets: [],
    onStored: () => undefined,
    onProblem: () => undefined,
  });
  const headers = ['Date', 'Sun, 22 Nov 2026 10:00:00 GMT', 'Retry-After', 'Sun, 22 Nov 2026 10:00:30 GMT'];
  for (const [one, httpStatus] of [
    [at, 429],
    [at + waitedMs, 200],
  ] as const)
    recorder.add({
      at: one,
      durationMs: 1,
      method: 'GET',
      target: '/x',
      request,
      answer: { ...request, headers, httpStatus },
      ownStatus: null,
      fault: null,
    });
  await recorder.close();
  store.close();
  const { rules } = await judgeFolder(directory, 0);
  expect(rules.find(({ rule }) => rule === 'rate_limit.honoured')).toMatchObject({ verdict });
});
