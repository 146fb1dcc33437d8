import { formatSortableId } from '../../platform/sortable-id';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import type { SqlDatabase } from '../../platform/ports';
import { Arrivals } from '../arrivals';
import { inboxMigrations } from '../inbox-schema';
import { WebhookWriter } from '../webhook-writer';
import type { ForwardOutcome, OutgoingForward } from './delivery';
import { forwardMigrations } from './forward-schema';
import { ForwardStore, listAttempts } from './forward-store';
import { Forwarder, type ToldAttempt } from './forwarder';

const DELIVERED: ForwardOutcome = { isDelivered: true, httpStatus: 200, reason: null, isUnreachable: false };
const GONE: ForwardOutcome = { isDelivered: false, httpStatus: null, reason: 'Gone.', isUnreachable: true };
const BUSY: ForwardOutcome = { isDelivered: false, httpStatus: 503, reason: 'Busy.', isUnreachable: false };

let inbox: SqlDatabase;
let queue: SqlDatabase;
let forwarder: Forwarder;
let told: ToldAttempt[];
/** What the sink does with each webhook, and which it was asked to take. */
let sink: (body: string, attempt: number) => ForwardOutcome | Promise<ForwardOutcome>;
let asked: string[];

const bodyOf = ({ row }: OutgoingForward): string => row.raw.subarray(row.head_size).toString();
const bodyFor = (n: number): string => JSON.stringify({ reference: 'many', n });
const receive = (...bodies: object[]): number[] =>
  new WebhookWriter(inbox).write(
    bodies.map((body) => ({
      receivedAt: Date.now(),
      respondedStatus: 200,
      remoteAddress: '127.0.0.1',
      rule: null,
      fullBytes: null,
      head: Buffer.from('POST / HTTP/1.1'),
      body: Buffer.from(JSON.stringify(body)),
    })),
    Date.now(),
  );

function start(filter = ''): ForwardStore {
  const store = new ForwardStore(queue, 'url');
  forwarder = new Forwarder({
    store,
    arrivals: new Arrivals(inbox),
    readKeys: () => [],
    filter,
    carrier: {
      concurrency: 4,
      deliver: async (webhook) => {
        asked.push(bodyOf(webhook));
        return sink(bodyOf(webhook), webhook.attempt);
      },
      close: () => Promise.resolve(),
    },
    onAttempt: (attempt) => void told.push(attempt),
    onLeftOut: () => undefined,
    onChange: () => undefined,
  });
  forwarder.start();
  return store;
}

beforeEach(() => {
  inbox = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  queue = openDatabase({ file: ':memory:', migrations: forwardMigrations });
  told = [];
  asked = [];
  sink = () => DELIVERED;
});
afterEach(() => forwarder.close({ isOff: false }));

const settled = (count: number): Promise<void> =>
  vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(count), { timeout: 5000, interval: 5 });

it('lets the next of a reference go only once the one before it is on disk as delivered', async () => {
  let pass: (delivery: ForwardOutcome) => void = () => undefined;
  sink = () => new Promise((resolve) => (pass = resolve));
  start();
  receive({ reference: 'a', n: 1 }, { reference: 'a', n: 2 });
  forwarder.wake();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const store = vi.spyOn(ForwardStore.prototype, 'record').mockImplementationOnce(() => {
    throw new Error('database or disk is full');
  });
  pass(DELIVERED);
  await vi.waitFor(() => expect(forwarder.state().trouble).toContain('disk is full'));
  expect([asked.length, told.length]).toEqual([1, 0]);
  await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 5000 });
  expect(forwarder.state().trouble).toBeNull();
  store.mockRestore();
  pass(DELIVERED);
  await settled(2);
});

it('counts an attempt that was cut off: what leaves again leaves under the next number', async () => {
  const attempts: number[] = [];
  sink = (_body, attempt) => {
    attempts.push(attempt);
    return attempts.length === 1 ? new Promise(() => undefined) : DELIVERED;
  };
  start();
  receive({ reference: 'a' });
  forwarder.wake();
  await vi.waitFor(() => expect(attempts).toEqual([1]));
  // As after a kill: another one goes on with what is on disk.
  start();
  await settled(1);
  expect([attempts, told[0]!.attempt]).toEqual([[1, 2], 2]);
});

it('sends nothing whose number cannot be written, and all of it once it can', async () => {
  const leave = vi.spyOn(ForwardStore.prototype, 'leave').mockImplementationOnce(() => {
    expect(asked).toEqual([]);
    throw new Error('database or disk is full');
  });
  start();
  receive({ reference: 'a', n: 1 }, { reference: 'a', n: 2 }, { reference: 'b' });
  forwarder.wake();
  await vi.waitFor(() => expect(forwarder.state().trouble).toContain('disk is full'));
  expect(asked).toEqual([]);
  await settled(3);
  expect([forwarder.state().backlogCount, told.map(({ attempt }) => attempt)]).toEqual([0, [1, 1, 1]]);
  expect(asked.filter((body) => body.includes('"a"')).map((body) => body.slice(-2, -1))).toEqual(['1', '2']);
  leave.mockRestore();
});

it('asks a sink that is gone by one webhook at a time, and goes on with all when it is back', async () => {
  sink = () => GONE;
  start();
  receive(...Array.from({ length: 40 }, (_, n) => ({ reference: `r${n}`, n })));
  forwarder.wake();
  await settled(6);
  // Four at a time at first, then one after each pause.
  expect(asked.length).toBeLessThan(8);
  expect(forwarder.state()).toMatchObject({ backlogCount: 40, trouble: 'Gone.' });
  expect(forwarder.state().nextAttemptAt! - Date.now()).toBeGreaterThan(0);
  sink = () => DELIVERED;
  await vi.waitFor(() => expect(forwarder.state().backlogCount).toBe(0), { timeout: 10_000 });
  expect(new Set(asked).size).toBe(40);
});

it('lets a webhook that always fails hold up nobody else', async () => {
  sink = (body) => (body.includes('"bad"') ? BUSY : DELIVERED);
  start();
  receive({ reference: 'bad' }, ...Array.from({ length: 100 }, (_, n) => ({ reference: `r${n}` })));
  forwarder.wake();
  await settled(101);
  expect(forwarder.state().backlogCount).toBe(1);
  const [failed] = told.filter(({ outcome }) => outcome === 'retrying');
  expect(failed).toMatchObject({ attempt: 1, httpStatus: 503, reason: 'Busy.' });
  // It is named although the sink is well: who looks for what waits finds it.
  expect(forwarder.state()).toMatchObject({
    trouble: null,
    failedId: formatSortableId(failed!.id),
    refusals: { count: 1, reason: 'Busy.' },
  });
  sink = () => DELIVERED;
  await vi.waitFor(() => expect(forwarder.state().failedId).toBeNull(), { timeout: 5000 });
});

it('lets a reference with more webhooks than are held hold up nobody else, and sends them later in their order', async () => {
  let end: (delivery: ForwardOutcome) => void = () => undefined;
  sink = (body) => (body.includes('"n":0}') ? new Promise((resolve) => (end = resolve)) : DELIVERED);
  start();
  const numbers = Array.from({ length: 21_000 }, (_, n) => n);
  receive(...numbers.map((n) => ({ reference: 'many', n })), { reference: 'other' });
  forwarder.wake();
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 20_000, interval: 20 });
  expect(asked).toEqual([bodyFor(0), '{"reference":"other"}']);
  end(DELIVERED);
  await vi.waitFor(() => expect(told.length > 1500).toBe(true), { timeout: 20_000, interval: 1 });
  expect(asked.slice(2, 1502)).toEqual(numbers.slice(1, 1501).map(bodyFor));
}, 60_000);

it('queues what came while it was off on demand alone, as far as it passes the filter', async () => {
  const [first] = receive({ status: 'FAILED', n: 0 }, { status: 'SUCCESS', n: 0 });
  start('status == FAILED');
  receive({ status: 'FAILED', n: 1 });
  forwarder.wake();
  await settled(1);
  expect([asked, forwarder.countMissed()]).toEqual([['{"status":"FAILED","n":1}'], 2]);
  expect(await forwarder.takeMissed()).toBe(1);
  await settled(2);
  expect([asked[1], forwarder.countMissed()]).toEqual(['{"status":"FAILED","n":0}', 0]);
  expect(listAttempts(queue, first!)).toMatchObject([{ attempt: 1, outcome: 'delivered', httpStatus: 200 }]);
  await forwarder.close({ isOff: true });
  receive({ status: 'FAILED', n: 2 });
  start('');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([asked.length, forwarder.countMissed()]).toEqual([2, 1]);
});

it('queues what was missed, and forgets what was deleted, while a slow one is under way: that holds up nobody else', async () => {
  let endSlow: (delivery: ForwardOutcome) => void = () => undefined;
  const numberOf = (body: string): number => (JSON.parse(body) as { n: number }).n;
  // What came before forwarding was on was missed.
  const store = start();
  await forwarder.close({ isOff: true });
  receive({ client_reference: 'slow', n: 1 }, { client_reference: 'other', n: 2 });
  sink = (body) => (numberOf(body) === 3 ? new Promise((resolve) => (endSlow = resolve)) : DELIVERED);
  start();
  const [, deleted] = receive({ client_reference: 'slow', n: 3 }, { client_reference: 'slow', n: 4 });
  forwarder.wake();
  await vi.waitFor(() => expect(asked.map(numberOf)).toEqual([3]));
  expect(await forwarder.takeMissed()).toBe(2);
  await settled(1);
  expect([asked.map(numberOf), forwarder.state().backlogCount]).toEqual([[3, 2], 3]);
  store.forget([deleted!]);
  forwarder.reload();
  receive({ client_reference: 'new', n: 5 });
  forwarder.wake();
  await settled(2);
  expect([asked.map(numberOf), forwarder.state().backlogCount]).toEqual([[3, 2, 5], 2]);
  // It failed: what came before it of its reference goes first.
  sink = () => DELIVERED;
  endSlow(BUSY);
  await settled(5);
  expect([asked.map(numberOf), forwarder.state().backlogCount]).toEqual([[3, 2, 5, 1, 3], 0]);
});

it('keeps the order of more that was missed of a reference than are held, where a later one failed that was under way', async () => {
  start();
  await forwarder.close({ isOff: true });
  const numbers = Array.from({ length: 1201 }, (_, n) => n);
  receive(...numbers.slice(0, -1).map((n) => ({ reference: 'many', n })));
  let end: (delivery: ForwardOutcome) => void = () => undefined;
  sink = (_body, attempt) =>
    attempt === 1 && asked.length === 1 ? new Promise((resolve) => (end = resolve)) : DELIVERED;
  start();
  receive({ reference: 'many', n: 1200 });
  forwarder.wake();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await forwarder.takeMissed();
  await new Promise((resolve) => setTimeout(resolve, 50));
  end(BUSY);
  await vi.waitFor(() => expect(forwarder.state().backlogCount).toBe(0), { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked.slice(1)).toEqual(numbers.map(bodyFor));
}, 30_000);

it.each([['a day', 86_400_000] as const, ['forty days, more than a timer holds', 40 * 86_400_000] as const])(
  'goes on in its own pauses where the clock is set back by %s',
  async (_what, backMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      sink = () => GONE;
      start();
      receive({ client_reference: 'a', n: 1 }, { client_reference: 'b', n: 2 });
      forwarder.wake();
      await settled(1);
      vi.setSystemTime(Date.now() - backMs);
      sink = (_body, attempt) => (attempt < 3 ? BUSY : DELIVERED);
      await vi.waitFor(() => expect(forwarder.state().backlogCount).toBe(0), {
        timeout: 20_000,
        interval: 5,
      });
      expect(asked.length).toBeLessThanOrEqual(6);
      expect(forwarder.state()).toMatchObject({ trouble: null, nextAttemptAt: null });
    } finally {
      vi.useRealTimers();
    }
  },
  30_000,
);

it('goes on after a start with a queue whose next attempts a clock noted that was set back since', async () => {
  sink = () => BUSY;
  start();
  receive({ client_reference: 'a', n: 1 }, { client_reference: 'b', n: 2 });
  forwarder.wake();
  await settled(2);
  await forwarder.close({ isOff: false });
  queue.exec('UPDATE queue SET next_at = next_at + 86400000');
  sink = () => DELIVERED;
  start();
  await vi.waitFor(() => expect(forwarder.state().backlogCount).toBe(0), { timeout: 4000, interval: 5 });
});
