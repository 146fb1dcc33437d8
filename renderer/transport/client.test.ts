import { expect, it, vi } from 'vitest';
import { settingDefaults } from '@shared/contract/setting-limits';
import { AppError } from '@shared/errors';
import { afterReconnect, call, setTransport } from './client';
import { createFakeTransport } from './fake';

it('reads anew what was asked while the data folder was away, once it is back', async () => {
  vi.useFakeTimers();
  let isAway = true;
  const reads = [vi.fn(), vi.fn(), vi.fn()] as const;
  const refuse = (): void => {
    if (isAway) throw new AppError('platform.folder_gone', 'It is away.');
  };
  const transport = createFakeTransport({
    'settings.get': () => (refuse(), { ...settingDefaults, notice: null }),
    'history.list': () => (refuse(), { exchanges: [], nextBefore: null }),
  });
  setTransport(transport);
  const [stop] = reads.map((read) => afterReconnect(read));
  stop!();
  for (const limit of [1, 2]) {
    await expect(call('history.list', { limit, before: null })).rejects.toThrow('away');
  }
  await vi.advanceTimersByTimeAsync(5500);
  expect(reads.map((read) => read.mock.calls.length)).toEqual([0, 0, 0]);
  // One look each second, however many asked.
  expect(transport.calls.length - 2).toBe(5);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads.map((read) => read.mock.calls.length)).toEqual([0, 1, 1]);
  // None any more. What other files of this process left on watch has read anew, too.
  const { length } = transport.calls;
  await vi.advanceTimersByTimeAsync(5000);
  expect(transport.calls).toHaveLength(length);
  vi.useRealTimers();
});
