import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import type { Ports, WorkerHandle } from '../ports';
import { createLongWork } from './long-work';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LONG = 200_000;

/** Threads that are none; `failure` is what each gives instead of what it made. */
function createStage(failure: Error | null = null) {
  const log: string[] = [];
  const startWorker = (name: string): WorkerHandle => ({
    call: () => {
      log.push(`${name} works`);
      return failure === null ? Promise.resolve('made apart') : Promise.reject(failure);
    },
    onEvent: () => undefined,
    onExit: () => undefined,
    terminate: () => Promise.resolve(void log.push('ended')),
  });
  const here = { write: (text: string) => `${text} made here` };
  return { log, work: createLongWork(startWorker as unknown as Ports['startWorker'], here) };
}

it('does what is long in its thread, which ends when no more comes', async () => {
  const { log, work } = createStage();
  expect(await work.call('write', 'short', 1000)).toBe('short made here');
  expect(log).toEqual([]);
  expect(await work.call('write', 'long', LONG)).toBe('made apart');
  await vi.advanceTimersByTimeAsync(9000);
  await work.call('write', 'long', LONG);
  await vi.advanceTimersByTimeAsync(9000);
  expect(log).toEqual(['answers works', 'answers works']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(log).toEqual(['answers works', 'answers works', 'ended']);
});

it('comes to an end, whatever becomes of the thread', async () => {
  for (const failure of [new AppError('worker.stopped', 'it ended'), new Error('not cloned')]) {
    const { log, work } = createStage(failure);
    expect(await work.call('write', 'long', LONG)).toBe('long made here');
    expect(log).toEqual(['answers works']);
  }
});

it('passes on what is refused, without trying it again', async () => {
  const { work } = createStage(new AppError('listener.bad_rules', 'no rules'));
  await expect(work.call('write', 'long', LONG)).rejects.toThrow('no rules');
});

it('ends the thread when the app does, and starts none afterwards', async () => {
  const { log, work } = createStage();
  await work.call('write', 'long', LONG);
  await work.close();
  expect(await work.call('write', 'late', LONG)).toBe('late made here');
  expect(log).toEqual(['answers works', 'ended']);
});
