import { afterEach, expect, it, vi } from 'vitest';
import { createTick } from './use-now';

afterEach(() => vi.useRealTimers());

it('tells the time as it is to who looks first after a while in which nobody did', () => {
  vi.useFakeTimers({ now: 1000 });
  const tick = createTick(1000);
  vi.setSystemTime(3_600_000);
  const stop = tick.subscribe(() => undefined);
  expect(tick.now()).toBe(3_600_000);
  stop();
});

it('tells all who look at each tick, and stops its timer after the last', () => {
  vi.useFakeTimers({ now: 0 });
  const tick = createTick(1000);
  const told: string[] = [];
  const stops = ['one', 'other'].map((name) => tick.subscribe(() => told.push(`${name} ${tick.now()}`)));
  vi.advanceTimersByTime(1000);
  stops.forEach((stop) => stop());
  expect(told).toEqual(['one 1000', 'other 1000']);
  expect(vi.getTimerCount()).toBe(0);
});
