import { expect, it } from 'vitest';
import type { CapturedExchange } from '../proxy/captured-exchange';
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
  const headers = ['Date', 'Sun, 22 Nov 2026 10:00:00 GMT', 'Retry-After', 'Sun, 22 Nov 2026 10:00:30 GMT'];
  const found = await judge('rate_limit.honoured', [
    { at, answer: { ...request, headers, httpStatus: 429 } },
    { at: at + waitedMs },
  ]);
  expect(found).toBe(verdict);
});

it.each([
  ['/x?token=eyJhbGciOiJSUzI1NiJ9', 'broken'],
  ['/x?like=********', 'held'],
  ['/pages/%E2%80%A6/next', 'held'],
])('looks for a secret in the address as it came: in %s the rule is %s', async (target, verdict) => {
  expect(await judge('url.no_secret', [{ at, target }])).toBe(verdict);
});

async function judge(
  rule: string,
  exchanges: readonly (Partial<CapturedExchange> & { at: number })[],
): Promise<string | undefined> {
  const directory = makeTemporaryFolder('evidence');
  const store = openExchangeStore(directory, null);
  const recorder = new ProxyRecorder({
    store,
    keys: () => [],
    origin: 'http://127.0.0.1:1',
    secrets: () => [],
    onStored: () => undefined,
    onProblem: () => undefined,
  });
  for (const exchange of exchanges)
    recorder.add({
      durationMs: 1,
      method: 'GET',
      target: '/x',
      request,
      answer: { ...request, httpStatus: 200 },
      ownStatus: null,
      fault: null,
      ...exchange,
    });
  await recorder.close();
  store.close();
  const { rules } = judgeFolder(directory, 0);
  return rules.find((one) => one.rule === rule)?.verdict;
}
