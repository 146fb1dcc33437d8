import { afterEach, expect, it, vi } from 'vitest';
import { setTransport } from '../transport/client';
import { createFakeTransport } from '../transport/fake';
import { startLate } from './start-late';

afterEach(() => {
  vi.doUnmock('./start-followers');
  vi.resetModules();
});

it('starts the followers once, after the back end is back that could not give their script', async () => {
  const fake = createFakeTransport({});
  setTransport(fake);
  const startFollowers = vi.fn();
  let fetches = 0;
  vi.doMock('./start-followers', () => {
    fetches += 1;
    if (fetches === 1) throw new Error('Failed to fetch dynamically imported module');
    return { startFollowers };
  });
  startLate();
  await vi.waitFor(() => expect(fetches).toBe(1));
  await new Promise(setImmediate);
  for (const _time of [1, 2]) {
    fake.setConnection('offline');
    fake.setConnection('online');
    await vi.waitFor(() => expect(startFollowers).toHaveBeenCalledOnce());
  }
});
