import type { Replay } from '@shared/contract/inbox';
import { beforeEach, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { describeTally, runReplays } from './replay-run';

const order = { store: 'local', to: 'http://x', body: null, isResigned: false, times: 1, perSecond: null };
const answered = (httpStatus: number) => ({ replay: { httpStatus } as Replay });
let fake: FakeTransport;
let statuses: number[];
const asked = (method = 'inbox.replay') => fake.calls.filter((one) => one.method === method);

beforeEach(() => {
  statuses = [];
  fake = createFakeTransport({ 'inbox.replay': () => answered(statuses.shift() ?? 200) });
  setTransport(fake);
});

it('sends each so often before the next, and counts what was answered', async () => {
  statuses = [200, 500, 200];
  const tallies: string[] = [];
  const { signal } = new AbortController();
  await runReplays({ ...order, ids: ['a', 'b'], times: 2 }, signal, (tally) =>
    tallies.push(describeTally(tally, 4)),
  );
  expect(asked().map(({ input }) => (input as { id: string }).id)).toEqual(['a', 'a', 'b', 'b']);
  expect(tallies).toEqual([
    '1 of 4 answered: 1 with 200',
    '2 of 4 answered: 1 with 200, 1 with 500',
    '3 of 4 answered: 2 with 200, 1 with 500',
    '4 of 4 answered: 3 with 200, 1 with 500',
  ]);
  expect(describeTally(new Map(), 4)).toBe('0 of 4 answered');
});

it('sends no more in a second than it may, and none after the first that is not answered', async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  const all = runReplays({ ...order, ids: ['a'], times: 5, perSecond: 2 }, signal, () => undefined);
  await vi.advanceTimersByTimeAsync(1400);
  expect(asked()).toHaveLength(3);
  fake.handlers['inbox.replay'] = () => Promise.reject(new Error('gone'));
  const failing = expect(all).rejects.toThrow();
  await vi.runAllTimersAsync();
  await failing;
  expect(asked()).toHaveLength(4);
  vi.useRealTimers();
});

it('gives up the one that is under way, and sends no more', async () => {
  let answer = (): void => undefined;
  fake.handlers['inbox.replay'] = () => new Promise((resolve) => (answer = () => resolve(answered(200))));
  fake.handlers['inbox.cancelReplay'] = () => {
    answer();
    return {};
  };
  const abort = new AbortController();
  const all = runReplays({ ...order, ids: ['a', 'b'] }, abort.signal, () => undefined);
  await vi.waitFor(() => expect(asked()).toHaveLength(1));
  abort.abort();
  await all;
  const { replayId } = asked()[0]!.input as { replayId: string };
  expect(asked('inbox.cancelReplay').map(({ input }) => input)).toEqual([{ replayId }]);
  expect(asked()).toHaveLength(1);
});
