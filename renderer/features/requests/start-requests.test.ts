import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('./tabs/read-kept');
  vi.resetModules();
  vi.unstubAllGlobals();
});

it('starts once the script that reads the tabs of last time can be fetched, and follows once', async () => {
  vi.stubGlobal('window', new EventTarget());
  // A start is once for a window: this one has modules of its own.
  vi.resetModules();
  const { useRequestsStore } = await import('./requests-store');
  const { startFakeBackEnd } = await import('./test-support');
  const { startRequests } = await import('./start-requests');
  const fake = startFakeBackEnd({ 'a.http': 'GET http://x\n' }, { 'running.get': () => ({ run: null }) });
  vi.doMock('./tabs/read-kept', () => {
    throw new Error('Failed to fetch dynamically imported module');
  });
  await expect(startRequests()).rejects.toThrow();
  vi.doMock('./tabs/read-kept', () => ({ readKept: () => Promise.resolve({ kept: null, slots: [] }) }));
  fake.setConnection('offline');
  fake.setConnection('online');
  await vi.waitFor(() =>
    expect(useRequestsStore.getState().tabs.map(({ path }) => path)).toEqual(['a.http']),
  );
  await startRequests();
  expect(fake.calls.filter(({ method }) => method === 'running.get')).toHaveLength(2);
  window.dispatchEvent(new Event('pagehide'));
});
