import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coalesce } from './coalesce';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs once for all that was asked within the delay', () => {
  const run = vi.fn();
  const notice = coalesce(run, { delayMs: 40 });
  notice.ask();
  vi.advanceTimersByTime(39);
  notice.ask();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(1);
});

it('runs at once after a quiet time, and keeps its distance in a burst', () => {
  const run = vi.fn();
  const notice = coalesce(run, { everyMs: 100 });
  notice.ask();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
  for (let ms = 0; ms < 95; ms += 5) {
    notice.ask();
    vi.advanceTimersByTime(5);
  }
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5);
  expect(run).toHaveBeenCalledTimes(2);
});

it('runs for what is asked while it runs', () => {
  const run = vi.fn(() => {
    if (run.mock.calls.length === 1) notice.ask();
  });
  const notice = coalesce(run, { delayMs: 5 });
  notice.ask();
  vi.advanceTimersByTime(50);
  expect(run).toHaveBeenCalledTimes(2);
});

it('forgets what was asked when it is canceled', () => {
  const run = vi.fn();
  const notice = coalesce(run, { delayMs: 5 });
  notice.ask();
  notice.cancel();
  vi.advanceTimersByTime(50);
  expect(run).not.toHaveBeenCalled();
});
