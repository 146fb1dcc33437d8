import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PendingWebhook } from '../webhook-server';
import { BatchKeeper, type KeepingOptions } from './keep-batches';

interface Sent {
  readonly receipt: string;
  readonly bodies: string[];
  readonly isPlain: boolean;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** @param answer - throws what the store fails with */
function open(answer: (sent: Sent, at: number) => unknown, more: Partial<KeepingOptions> = {}) {
  const sent: Sent[] = [];
  const outcomes: string[] = [];
  const keeper = new BatchKeeper({
    async write(receipt, webhooks, isPlain) {
      sent.push({ receipt, bodies: webhooks.map(({ body }) => body.toString()), isPlain });
      await answer(sent.at(-1)!, sent.length - 1);
      return 1;
    },
    ping: () => Promise.resolve(),
    onKept: (_firstId, webhooks) => outcomes.push(...webhooks.map(({ body }) => `kept ${body.toString()}`)),
    onTrouble: () => undefined,
    onAnswers: () => undefined,
    ...more,
  });
  const webhook = (text: string | Buffer): PendingWebhook => {
    const body = typeof text === 'string' ? Buffer.from(text) : text;
    const refuse = (httpStatus: number): unknown =>
      outcomes.push(`${httpStatus} ${body.toString('latin1', 0, 9)}`);
    return { head: Buffer.alloc(0), body, refuse } as unknown as PendingWebhook;
  };
  return {
    keeper,
    sent,
    outcomes,
    accept: (...bodies: (string | Buffer)[]) => keeper.accept(bodies.map(webhook)),
  };
}

const fail = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

describe('what waits to be kept', () => {
  it('is asked for again under the same receipt where nobody knows whether it was kept', async () => {
    const { accept, sent, outcomes } = open((_sent, at) => at < 2 && fail('ECONNRESET'));
    accept('a');
    accept('b', 'c');
    await vi.advanceTimersByTimeAsync(1000);
    expect(new Set(sent.slice(0, 3).map(({ receipt }) => receipt)).size).toBe(1);
    expect(sent.map(({ bodies }) => bodies)).toEqual([['a'], ['a'], ['a'], ['b', 'c']]);
    expect(sent[3]!.receipt).not.toBe(sent[0]!.receipt);
    expect(outcomes).toEqual(['kept a', 'kept b', 'kept c']);
  });

  it('is parted where the store does not take one of them, which is kept with nothing read out of it', async () => {
    const { accept, sent, outcomes } = open(
      ({ bodies, isPlain }) => bodies.includes('bad') && !isPlain && fail('22021'),
    );
    accept('a', 'b', 'bad', 'c');
    await vi.advanceTimersByTimeAsync(100);
    expect(outcomes.sort()).toEqual(['kept a', 'kept b', 'kept bad', 'kept c']);
    expect(sent.filter(({ isPlain }) => isPlain).map(({ bodies }) => bodies)).toEqual([['bad']]);
    expect(new Set(sent.map(({ receipt }) => receipt)).size).toBe(sent.length);
  });

  it('is answered 503 after ten seconds, as is all that comes until the store is back', async () => {
    let isAway = true;
    const answer = (): unknown => isAway && fail('ECONNREFUSED');
    const told: string[] = [];
    const { accept, outcomes } = open(answer, {
      ping: async () => void answer(),
      onTrouble: (error) => void told.push(error === null ? 'keeps' : 'trouble'),
      onAnswers: () => void told.push('answers'),
    });
    accept('a');
    await vi.advanceTimersByTimeAsync(9000);
    accept('b');
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1100);
    expect(outcomes.sort()).toEqual(['503 a', '503 b']);
    accept('c');
    expect(outcomes.at(-1)).toBe('503 c');
    isAway = false;
    await vi.advanceTimersByTimeAsync(1100);
    expect(new Set(told.slice(0, -1))).toEqual(new Set(['trouble']));
    expect(told.at(-1)).toBe('answers');
    accept('d');
    await vi.advanceTimersByTimeAsync(10);
    expect([outcomes.at(-1), told.at(-1)]).toEqual(['kept d', 'keeps']);
  });

  it('never waits without bound: not in memory, and not for a store that says nothing', async () => {
    const { accept, outcomes } = open(() => new Promise(() => undefined));
    const large = Buffer.alloc(64 * 1024 * 1024, 'x');
    accept('first');
    for (let at = 0; at < 4; at++) accept(large);
    expect(outcomes).toEqual(['503 xxxxxxxxx', '503 xxxxxxxxx']);
    await vi.advanceTimersByTimeAsync(10_100);
    expect(outcomes).toHaveLength(5);
  });
});
