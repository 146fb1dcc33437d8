import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatWhileVisible } from './repeat-while-visible';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('repeats while the page is on show, never while it is hidden, and makes up for a turn once; no clock that is put back stops it', () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const show = (isShown: boolean): void => {
    page.hidden = !isShown;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const run = vi.fn();
  const stop = repeatWhileVisible(page, 10_000, run);
  vi.advanceTimersByTime(9_999);
  expect(run).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(20_001);
  expect(run).toHaveBeenCalledTimes(3);
  show(false);
  vi.advanceTimersByTime(100_000);
  expect(run).toHaveBeenCalledTimes(3);
  show(true);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(4);
  // Hidden for a moment within a turn: it comes when it was due, not at once.
  vi.advanceTimersByTime(4_000);
  show(false);
  show(true);
  vi.advanceTimersByTime(5_000);
  expect(run).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(5);
  vi.setSystemTime(Date.now() - 86_400_000);
  show(false);
  show(true);
  vi.advanceTimersByTime(10_000);
  expect(run).toHaveBeenCalledTimes(6);
  stop();
  show(false);
  show(true);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(6);
});
