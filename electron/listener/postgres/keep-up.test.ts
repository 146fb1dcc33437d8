import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepUp } from './keep-up';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tries again soon after a failure, and tells that the store is back', async () => {
  const told: string[] = [];
  let isAway = true;
  const { stop } = keepUp(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()), {
    trouble: (error) => told.push(String(error)),
    answer: () => told.push('answers'),
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(told).toEqual(['Error: away']);
  isAway = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(told).toEqual(['Error: away', 'answers']);
  await vi.advanceTimersByTimeAsync(3_599_000);
  expect(told).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toHaveLength(3);
  stop();
  await vi.advanceTimersByTimeAsync(7_200_000);
  expect(told).toHaveLength(3);
});
