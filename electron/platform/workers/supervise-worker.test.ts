import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Ports, WorkerHandle } from '../ports';
import { superviseWorker, type SupervisedWorker } from './supervise-worker';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Methods = { work(input: object): number; end(input: object): void };

/** Workers without threads; `crash` ends the one that was started last. */
function createStage() {
  const ends: ((error: Error | null) => void)[] = [];
  const calls: string[] = [];
  const log = vi.fn();
  const startWorker = (): WorkerHandle => ({
    call: (method) => (calls.push(method), Promise.resolve(7)),
    onEvent: () => undefined,
    onExit: (listener) => void ends.push(listener),
    terminate: () => (calls.push('terminate'), Promise.resolve()),
  });
  const ports = { startWorker, logger: { log } } as unknown as Pick<Ports, 'startWorker' | 'logger'>;
  return {
    ports,
    calls,
    log,
    starts: () => ends.length,
    crash: () => ends.at(-1)!(new Error('out of memory')),
  };
}

it('starts with the first call, and again with the call after a crash', async () => {
  const { ports, starts, crash, log } = createStage();
  const worker: SupervisedWorker<Methods> = superviseWorker<Methods, Record<never, never>>(ports, {
    name: 'doctor',
    on: {},
  });
  expect(starts()).toBe(0);
  expect(await worker.call('work', {})).toBe(7);
  crash();
  expect(worker.isRunning()).toBe(false);
  expect(log.mock.calls[0]![2]).toMatchObject({ name: 'doctor', crashes: 1 });
  await worker.call('work', {});
  expect(starts()).toBe(2);
});

it('waits longer after each crash, up to half a minute, and begins anew after a quiet minute', async () => {
  const { ports, crash } = createStage();
  const resumed: number[] = [];
  const worker: SupervisedWorker<Methods> = superviseWorker<Methods, Record<never, never>>(ports, {
    name: 'listener',
    on: {},
    resume: async () => void resumed.push((await worker.call('work', {}), performance.now())),
  });
  await worker.call('work', {});
  const waits: number[] = [];
  for (let round = 0; round < 7; round++) {
    const before = performance.now();
    crash();
    await vi.runOnlyPendingTimersAsync();
    waits.push(Math.round(resumed.at(-1)! - before));
  }
  expect(waits).toEqual([0, 1000, 2000, 5000, 15_000, 30_000, 30_000]);
  await vi.advanceTimersByTimeAsync(61_000);
  const before = performance.now();
  crash();
  await vi.runOnlyPendingTimersAsync();
  expect(Math.round(resumed.at(-1)! - before)).toBe(0);
});

it('says farewell, ends the worker, and brings nothing back once it is closed', async () => {
  const { ports, calls, crash, starts } = createStage();
  const onCrash = vi.fn();
  const worker: SupervisedWorker<Methods> = superviseWorker<Methods, Record<never, never>>(ports, {
    name: 'sandbox',
    on: {},
    farewell: 'end',
    onCrash,
    resume: () => worker.call('work', {}),
  });
  await worker.call('work', {});
  await worker.close();
  expect(calls).toEqual(['work', 'end', 'terminate']);
  crash();
  await vi.runAllTimersAsync();
  expect(onCrash).not.toHaveBeenCalled();
  expect(starts()).toBe(1);
});

it('brings back what ran, though a call has started the next worker before its time', async () => {
  const { ports, crash, starts } = createStage();
  const resume = vi.fn(() => Promise.resolve());
  const worker: SupervisedWorker<Methods> = superviseWorker<Methods, Record<never, never>>(ports, {
    name: 'listener',
    on: {},
    resume,
  });
  for (const _round of [1, 2]) {
    await worker.call('work', {});
    crash();
  }
  await worker.call('work', {});
  expect([starts(), resume.mock.calls.length]).toEqual([3, 0]);
  await vi.runOnlyPendingTimersAsync();
  expect(resume).toHaveBeenCalledOnce();
});

it('starts none for a call that comes once it is closed', async () => {
  const { ports, starts } = createStage();
  const worker: SupervisedWorker<Methods> = superviseWorker<Methods, Record<never, never>>(ports, {
    name: 'listener',
    on: {},
  });
  await worker.close();
  await expect(worker.call('work', {})).rejects.toMatchObject({ code: 'worker.stopped' });
  expect(starts()).toBe(0);
});
