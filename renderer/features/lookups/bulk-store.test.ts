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

it('tells when each was asked by the clock as it stands then: the computer may have slept since the window was opened', async () => {
  const at = Date.parse('2031-05-06T07:08:09Z');
  vi.setSystemTime(at);
  useBulkStore.getState().change({ text: 'a', perSecond: 1, isWatching: false });
  const retryAfter = new Date(at + 30_000).toUTCString();
  fake.handlers['lookups.status'] = () =>
    ({ exchange: { response: { httpStatus: 429, headers: [['Retry-After', retryAfter]] } } }) as never;
  const all = useBulkStore.getState().askAll();
  await vi.advanceTimersByTimeAsync(10);
  expect(rows()[0]).toMatchObject({ askedAt: at, reason: 'Too many requests: again in 30 s' });
  useBulkStore.getState().stop();
  await vi.advanceTimersByTimeAsync(60_000);
  await all;
});
