import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { useBulkStore } from './bulk-store';
import { watchForMs } from './lookups-store';

let fake: FakeTransport;
const asked = (): number => fake.calls.filter((one) => one.method === 'lookups.status').length;
const rows = () => useBulkStore.getState().rows;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  fake = createFakeTransport({
    'history.list': () => ({ exchanges: [], nextBefore: null }),
    'lookups.status': () => ({ exchange: { response: null }, isFound: true, state: 'processing' }) as never,
  });
  setTransport(fake);
});

afterEach(() => {
  useBulkStore.getState().stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('watches a list as long as it is to be, wherever the clock is put', async () => {
  useBulkStore.getState().change({ text: 'a\nb', perSecond: 1, isWatching: true });
  const all = useBulkStore.getState().askAll();
  fake.handlers['lookups.status'] = () => {
    vi.setSystemTime(Date.now() - 86_400_000);
    return { exchange: { response: null }, isFound: true, state: 'processing' } as never;
  };
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked()).toBeGreaterThan(2);
  vi.setSystemTime(Date.now() + 30 * 86_400_000);
  await vi.advanceTimersByTimeAsync(watchForMs / 2);
  expect(rows().map(({ reason }) => reason)).toEqual([null, null]);
  await vi.advanceTimersByTimeAsync(watchForMs);
  await all;
  expect(rows()[0]?.reason).toBe('Not final after 10 min; the watch has ended.');
});
