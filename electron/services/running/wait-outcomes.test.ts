import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { readExpectation } from '@shared/expect/read-expectation';
import type { PlacedExpectation } from '@shared/run/read-directives';
import { createLimiter } from './limiter';
import type { RunContext } from './run-context';
import { waitForOutcomes, type Waiting } from './wait-outcomes';
import { WebhookHub, type ArrivedWebhook } from './webhook-hub';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** When the status of a payment was asked for, in seconds, while it stayed in `processing`; and how that came out. */
async function listQuestions(text: string, isLoopback: boolean) {
  const asked: number[] = [];
  const context = {
    deps: {
      ports: { clock: { now: () => Date.now(), monotonicMs: () => Date.now() } },
      lookUp: () => {
        asked.push(Date.now() / 1000);
        return Promise.resolve({
          state: 'processing',
          isFound: true,
          exchange: { reading: null, error: null },
        });
      },
    },
    options: { environment: { id: 'e', isLoopback }, stop: new AbortController().signal },
    polls: createLimiter(8),
    openPayments: new Map(),
  } as unknown as RunContext;
  const waiting = {
    exchange: { reading: null, operation: 'payout' } as unknown as Exchange,
    reference: 'R-1',
    product: 'payout',
    claim: new WebhookHub().claim('R-1'),
    fill: (one: string) => one,
  } as unknown as Waiting;
  const placed = [{ ...readExpectation(text), text, line: 1 }] as unknown as PlacedExpectation[];
  const done = waitForOutcomes(placed, waiting, context);
  await vi.runAllTimersAsync();
  return { asked, outcomes: (await done).map(({ outcome }) => outcome) };
}
const gaps = (asked: readonly number[]): number[] => asked.slice(1).map((at, index) => at - asked[index]!);

it('asks a real service for a state at most once a second, more slowly as it lasts, and once more at the end', async () => {
  const { asked, outcomes } = await listQuestions('state within 30s == succeeded', false);
  expect(outcomes).toEqual(['failed']);
  expect(Math.min(...gaps(asked))).toBeGreaterThanOrEqual(1);
  expect(Math.max(...gaps(asked))).toBeLessThanOrEqual(5);
  expect(asked.length).toBeLessThan(15);
  expect(asked.at(-1)).toBeGreaterThanOrEqual(30);
  expect(asked.at(-1)).toBeLessThanOrEqual(31);
});

it('asks what runs on this machine at most four times a second', async () => {
  const { asked } = await listQuestions('state within 5s == succeeded', true);
  expect(Math.min(...gaps(asked))).toBeGreaterThanOrEqual(0.25);
  expect(Math.max(...gaps(asked))).toBeLessThanOrEqual(1);
});

it('ends with the first question where the state has come', async () => {
  const { asked, outcomes } = await listQuestions('state within 30s == processing', false);
  expect([asked, outcomes]).toEqual([[0], ['held']]);
});

it('says of a webhook that came with the reference and is of another payment why it holds nothing', async () => {
  const judge = async (paymentUuid: string) => {
    const hub = new WebhookHub();
    const claim = hub.claim('R-1');
    claim.identify('11');
    hub.receive({ id: '1', reference: 'R-1', paymentUuid, tree: null, whyUnread: null } as ArrivedWebhook);
    const text = 'webhook within 2s';
    const placed = [{ ...readExpectation(text), text, line: 1 }] as unknown as PlacedExpectation[];
    const context = {
      deps: { ports: { clock: { now: () => Date.now(), monotonicMs: () => Date.now() } } },
      options: { stop: new AbortController().signal },
    } as unknown as RunContext;
    const exchange = { reading: null, operation: 'payout' };
    const waiting = { exchange, claim, fill: (one: string) => one } as unknown as Waiting;
    const done = waitForOutcomes(placed, waiting, context);
    await vi.runAllTimersAsync();
    return (await done)[0];
  };
  expect(await judge('11')).toMatchObject({ outcome: 'held' });
  expect(await judge('99')).toMatchObject({
    outcome: 'failed',
    received: 'none',
    advice: expect.stringMatching(/payment_uuid of another payment, 99: it does not count/) as string,
  });
});

it.each([
  ['held', 500],
  ['failed', 5000],
])('reads what came while the process was stopped before it judges: %s', async (outcome, afterMs) => {
  const hub = new WebhookHub();
  const claim = hub.claim('R-1');
  const text = 'webhook within 20s';
  const placed = [{ ...readExpectation(text), text, line: 1 }] as unknown as PlacedExpectation[];
  const context = {
    deps: { ports: { clock: { now: () => Date.now(), monotonicMs: () => Date.now() } } },
    options: { stop: new AbortController().signal },
  } as unknown as RunContext;
  const exchange = { reading: null, operation: 'payout' };
  const done = waitForOutcomes(placed, { exchange, claim, fill: String } as unknown as Waiting, context);
  vi.setSystemTime(60_000);
  const webhook = { id: '1', reference: 'R-1', paymentUuid: '1', tree: null, whyUnread: null };
  setTimeout(() => hub.receive(webhook as ArrivedWebhook), 20_000 + afterMs);
  await vi.runAllTimersAsync();
  expect((await done)[0]).toMatchObject({ outcome });
});
