import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepUp } from './keep-up';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;

/** A store that is away, or answers and refuses to be seen to; `told` has what was told, and each try. */
function createStage() {
  const store = { isAway: true, isBusy: false };
  const told: string[] = [];
  const { stop } = keepUp(
    {
      run: () => {
        told.push('run');
        return store.isAway || store.isBusy ? Promise.reject(new Error('no')) : Promise.resolve();
      },
      ping: () => (store.isAway ? Promise.reject(new Error('away')) : Promise.resolve()),
    },
    { trouble: () => told.push('trouble'), answer: () => told.push('answers') },
  );
  return { store, told, stop };
}

it('tells soon after a failure that the store is back, and sees to it a while later', async () => {
  const { store, told, stop } = createStage();
  await vi.advanceTimersByTimeAsync(HOUR + 60_000);
  expect(told).toEqual(['run', 'trouble']);
  store.isAway = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(told.splice(0)).toEqual(['run', 'trouble', 'answers']);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(told.splice(0)).toEqual(['run', 'answers']);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(told.splice(0)).toEqual(['run', 'answers']);
  stop();
  await vi.advanceTimersByTimeAsync(2 * HOUR);
  expect(told).toEqual([]);
});

it('leaves a store alone that answers and is busy: each try holds up the webhooks that come', async () => {
  const { store, told, stop } = createStage();
  Object.assign(store, { isAway: false, isBusy: true });
  await vi.advanceTimersByTimeAsync(2 * HOUR);
  expect(told.filter((one) => one === 'run').length).toBeLessThan(15);
  stop();
});
