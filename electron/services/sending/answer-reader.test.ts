import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Ports, WorkerHandle } from '../../platform/ports';
import { createAnswerReader } from './answer-reader';
import { readReceived, type Received } from './read-received';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const received = (body: string): Received => ({
  operation: 'other',
  answer: { httpStatus: 200, headers: [], body: Buffer.from(body), isCut: false },
  reference: null,
  requestBody: null,
  secrets: ['token-of-the-request'],
  tokenName: 'access_token',
});
const LONG = received(`{"echo":"token-of-the-request","rest":"${'x'.repeat(200_000)}"}`);

/** Threads that are none: `isDying` ends each instead of an answer. */
function createStage({ isDying = false } = {}) {
  const log: string[] = [];
  const startWorker = (name: string): WorkerHandle => ({
    call: (_method, input) => {
      log.push(`${name} reads`);
      return isDying ? Promise.reject(new Error('out of memory')) : Promise.resolve(readReceived(input));
    },
    onEvent: () => undefined,
    onExit: () => undefined,
    terminate: () => Promise.resolve(void log.push('ended')),
  });
  return { log, reader: createAnswerReader(startWorker as unknown as Ports['startWorker']) };
}

it('reads a long answer in its thread, which ends when no more of them come', async () => {
  const { log, reader } = createStage();
  await reader.read(received('{"echo":"token-of-the-request"}'));
  expect(log).toEqual([]);
  await reader.read(LONG);
  await vi.advanceTimersByTimeAsync(9000);
  await reader.read(LONG);
  await vi.advanceTimersByTimeAsync(9000);
  expect(log).toEqual(['answers reads', 'answers reads']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(log).toEqual(['answers reads', 'answers reads', 'ended']);
});

it('tells an answer, and masks it, whatever becomes of the thread', async () => {
  const { log, reader } = createStage({ isDying: true });
  const { response } = await reader.read(LONG);
  expect(log).toEqual(['answers reads']);
  expect(response?.body.length).toBeGreaterThan(200_000);
  expect(response?.body).not.toContain('token-of-the-request');
});

it('ends the thread when the app does', async () => {
  const { log, reader } = createStage();
  await reader.read(LONG);
  await reader.close();
  expect(log).toEqual(['answers reads', 'ended']);
});
