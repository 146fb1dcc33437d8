import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { readExpectation } from '@shared/expect/read-expectation';
import type { RunRequest } from '@shared/run/plan-run';
import type { Attempt } from './prepare-attempt';
import type { RunContext } from './run-context';
import { sendAttempts } from './send-attempts';

const startedAt = Date.UTC(2026, 10, 22, 10, 0, 0);
const request = { name: 'Status', identity: null, directives: { expectations: [] } } as unknown as RunRequest;
const attempt = {
  prepared: {
    operation: null,
    method: 'GET',
    url: 'http://127.0.0.1:9/',
    headers: [],
    body: null,
    variablesUsed: {},
  },
  fileBody: null,
} as unknown as Attempt;

beforeEach(() => void vi.useFakeTimers({ now: startedAt }));
afterEach(() => void vi.useRealTimers());

/** When each attempt left, in seconds, where no answer holds an expectation and all say when to come again. */
async function listDepartures(
  retryAfter: string | null,
  retries = 2,
  makeReady = (ready: unknown): unknown => ready,
): Promise<number[]> {
  const departures: number[] = [];
  const headers = retryAfter === null ? [] : [['Retry-After', retryAfter]];
  const leave = (onAnswer: (answer: unknown, secrets: string[]) => void): Promise<Exchange> => {
    departures.push((Date.now() - startedAt) / 1000);
    onAnswer({ httpStatus: 429, headers, body: Buffer.alloc(0), timings: { totalMs: 1 } }, []);
    return Promise.resolve({ operation: 'other', request: {}, response: {}, reading: null } as Exchange);
  };
  const context = {
    deps: {
      ports: { clock: { now: () => Date.now() }, random: { bytes: () => Uint8Array.of(255) } },
      makeReady: async () => await Promise.resolve(makeReady({ leave })),
    },
    options: { environment: { id: 'e' }, allowHosts: [], retries, stop: new AbortController().signal },
    secrets: [],
    usedProducts: new Set(),
  } as unknown as RunContext;
  const failing = {
    ...request,
    directives: { expectations: [{ ...readExpectation('status 200'), text: 'status 200', line: 1 }] },
  } as unknown as RunRequest;
  const turn = {
    iteration: 1,
    row: null,
    values: {},
    given: {},
    lastSent: null,
    missed: new Map(),
    secretCaptures: new Map(),
    secrets: [],
  };
  const sending = sendAttempts(failing, attempt, context, turn, (text) => text);
  await vi.runAllTimersAsync();
  await sending;
  return departures;
}

it.each([
  ['7', 7, 9],
  [new Date(startedAt + 3000).toUTCString(), 3, 5],
])('sends again when Retry-After: %s has passed, and not long afterwards', async (value, least, most) => {
  const [first, second] = await listDepartures(value);
  expect(first).toBe(0);
  expect(second).toBeGreaterThanOrEqual(least);
  expect(second).toBeLessThanOrEqual(most);
});

it('goes by its own pauses where the service says nothing', async () => {
  expect(await listDepartures(null)).toEqual([0, 0.25, 0.75]);
});

it.each<[string, AppError, number[]]>([
  ['at once', new AppError('sending.closed', 'x', { retryable: true }), [0, 0.25, 0.75]],
  [
    'when it may',
    new AppError('tokens.unavailable', 'x', { retryable: true, details: { retryAfter: '7' } }),
    [0, 8.5, 17.25],
  ],
  [
    'when it may by the clock of the service',
    new AppError('tokens.unavailable', 'x', {
      retryable: true,
      details: { retryAfter: 'Sun, 22 Nov 2026 08:00:07 GMT', date: 'Sun, 22 Nov 2026 08:00:00 GMT' },
    }),
    [0, 8.5, 17.25],
  ],
  ['not at all', new AppError('tokens.refused', 'x'), [0]],
])('asks again, %s, where there was no token and nothing left', async (_when, error, expected) => {
  const asked: number[] = [];
  const departures = await listDepartures(null, 2, () => {
    asked.push((Date.now() - startedAt) / 1000);
    throw error;
  });
  expect(asked.map((at) => Math.floor(at * 4) / 4)).toEqual(expected);
  expect(departures).toEqual([]);
});

it('does not send again what failed after it had left', async () => {
  let sent = 0;
  await listDepartures(null, 2, () => ({
    leave: () => {
      sent += 1;
      throw new AppError('app.crowded', 'x', { retryable: true });
    },
  }));
  expect(sent).toBe(1);
});

it('does not judge a body that others would wait for, and says who does', async () => {
  const body = Buffer.from(`{"a":"${'x'.repeat(3000)}"}`);
  const leave = (onAnswer: (answer: unknown, secrets: string[]) => void): Promise<Exchange> => {
    onAnswer({ httpStatus: 200, headers: [], body, timings: { totalMs: 1 } }, []);
    return Promise.resolve({ operation: 'other', request: {}, response: {}, reading: null } as Exchange);
  };
  const texts = ['status 200', 'body exists', 'body a exists'];
  const expecting = {
    ...request,
    directives: {
      expectations: texts.map((text, at) => ({ ...readExpectation(text), text, line: at + 1 })),
    },
  } as unknown as RunRequest;
  const judge = async (mostJudgedBytes: number) => {
    const stop = new AbortController().signal;
    const context = {
      deps: { ports: {}, makeReady: () => Promise.resolve({ leave }) },
      options: { environment: { id: 'e' }, allowHosts: [], retries: 0, stop, mostJudgedBytes },
      secrets: [],
      usedProducts: new Set(),
    } as unknown as RunContext;
    const turn = { values: {}, given: {}, missed: new Map(), secretCaptures: new Map(), secrets: [] };
    const { immediate } = await sendAttempts(expecting, attempt, context, turn as never, (text) => text);
    return immediate.map(({ outcome, received }) => [outcome, received]);
  };
  expect((await judge(4096)).map(([outcome]) => outcome)).toEqual(['held', 'held', 'held']);
  const cut = await judge(1024);
  expect(cut.map(([outcome]) => outcome)).toEqual(['held', 'held', 'failed']);
  expect(cut[2]![1]).toContain(
    'too long to be judged in the app (2.9 KiB, and 1 KiB are); countersign run judges it',
  );
});

it('does not send again where the service asks for more than a quarter of an hour', async () => {
  expect(await listDepartures('901')).toEqual([0]);
});
