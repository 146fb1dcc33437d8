import { expect, it, vi } from 'vitest';
import { followArrivals } from './follow-arrivals';

const quiet = { onArrivals: () => undefined, onLive: () => undefined, onLost: () => undefined };

it('ends while a connection is owed to it, which a pool that is ended never gives', async () => {
  const follower = followArrivals({ connect: () => new Promise<never>(() => undefined) }, 0, quiet);
  await expect(follower.stop()).resolves.toBeUndefined();
});

it('gives a connection back that comes after its end', async () => {
  let give = (_client: object): void => undefined;
  const connect = (): Promise<never> => new Promise((resolve) => (give = resolve as typeof give));
  const follower = followArrivals({ connect }, 0, quiet);
  await follower.stop();
  const release = vi.fn();
  give({ release });
  await vi.waitFor(() => expect(release).toHaveBeenCalledWith(true));
});

it('holds nothing of the tries that failed while a store is away', async () => {
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const connect = vi.fn(() => Promise.reject(new Error('away')));
  const follower = followArrivals({ connect }, 0, quiet);
  await vi.waitFor(() => expect(connect).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(removed).toHaveBeenCalledTimes(added.mock.calls.length));
  await follower.stop();
  vi.restoreAllMocks();
});

it('goes back to the newest that there is, where a server took over that lacks the last ones', async () => {
  const asked: unknown[] = [];
  const connect = (): Promise<never> =>
    Promise.resolve({
      on: () => undefined,
      off: () => undefined,
      release: () => undefined,
      query: (sql: string, values: readonly unknown[] = []) => {
        if (sql.includes('w.id >')) asked.push(values[0]);
        return Promise.resolve({ rows: sql.includes('max(id)') ? [{ id: 40 }] : [] });
      },
    } as unknown as never);
  const onLive = vi.fn();
  const follower = followArrivals({ connect }, 100, { ...quiet, onLive });
  await vi.waitFor(() => expect(onLive).toHaveBeenCalled());
  await follower.stop();
  expect(asked[0]).toBe(40);
});
