import type { WebhookSummary } from '@shared/contract/inbox';
import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { useInboxStore } from './inbox-store';
import { countRows } from './inbox-rows';
import { casesOf } from '../../../test/support/effort';
import { makeWebhookSummary } from '../../../test/support/webhook-summary';

/** Repeatable: the seed stands in the test's name. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The back end as a plain array, oldest first; it answers after a while, as it was when it looked. */
class ModelInbox {
  rows: WebhookSummary[] = [];
  private count = 0;

  constructor(private readonly random: (below: number) => number) {}

  arrive(howMany: number): WebhookSummary[] {
    const fresh = Array.from({ length: howMany }, (): WebhookSummary => {
      this.count += 1;
      return makeWebhookSummary({
        id: this.count.toString().padStart(8, '0'),
        receivedAt: this.count,
        status: this.random(4) === 0 ? 'FAILED' : 'SUCCESS',
        amount: '1',
        clientReference: this.random(3) === 0 ? 'red' : 'blue',
      });
    });
    this.rows.push(...fresh);
    return fresh;
  }

  find(search: string, filter: string): WebhookSummary[] {
    return this.rows
      .filter((row) => search === '' || row.clientReference === search)
      .filter((row) => filter !== 'unread' || !row.isRead)
      .filter((row) => filter !== 'failed' || row.status === 'FAILED')
      .toReversed();
  }

  get unreadCount(): number {
    return this.rows.filter((row) => !row.isRead).length;
  }

  list({ before, skip = 0, limit = 100, search = '', filter = 'all' }: MethodInput<'inbox.list'>) {
    const found = this.find(search, filter);
    const from = before ? found.filter((row) => row.id >= before).length : skip;
    const webhooks = found.slice(from, from + limit);
    return {
      below: Math.max(0, found.length - from - limit),
      webhooks: webhooks.map((row) => ({ ...row })),
      nextBefore: webhooks.length === limit ? webhooks.at(-1)!.id : null,
      totalCount: found.length,
      unreadCount: this.unreadCount,
    };
  }

  mark(ids: readonly string[] | 'all', isRead: boolean): void {
    for (const row of this.rows) if (ids === 'all' || ids.includes(row.id)) row.isRead = isRead;
  }

  remove(ids: readonly string[] | 'all'): void {
    this.rows = ids === 'all' ? [] : this.rows.filter((row) => !ids.includes(row.id));
  }
}

const initial = useInboxStore.getInitialState();
const state = () => useInboxStore.getState();
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function connect(model: ModelInbox, random: (below: number) => number): FakeTransport {
  const later = async <T>(look: () => T): Promise<T> => {
    await pause(random(40));
    const answer = look();
    await pause(random(40));
    return answer;
  };
  const change = (act: () => void) =>
    later(() => {
      act();
      fake.emit('inbox.changed', { unreadCount: model.unreadCount });
      return { unreadCount: model.unreadCount, foundCount: null, deletedCount: 0 };
    });
  const fake = createFakeTransport({
    'inbox.list': (input) => later(() => model.list(input)),
    'inbox.get': ({ id }) =>
      later(() => model.rows.find((row) => row.id === id) as unknown as MethodOutput<'inbox.get'>),
    'inbox.markRead': ({ ids, isAll, isRead = true }) =>
      change(() => model.mark(isAll ? 'all' : (ids ?? []), isRead)),
    'inbox.delete': ({ ids, isAll }) => change(() => model.remove(isAll ? 'all' : (ids ?? []))),
  });
  return fake;
}

/** One thing that a user or the outside does. */
function act(model: ModelInbox, fake: FakeTransport, random: (below: number) => number): void {
  const { rows } = state();
  const some = rows[random(Math.min(rows.length, 1 + random(400)))];
  const what = random(100);
  if (what < 45) {
    const fresh = model.arrive(random(40) === 0 ? 400 + random(400) : 1 + random(6));
    const { unreadCount } = model;
    fake.emit('inbox.received', { webhooks: fresh.slice(-100), count: fresh.length, unreadCount });
  } else if (what < 60 && some) void state().select(some.id);
  else if (what < 65) {
    const from = random(Math.max(1, countRows(state())));
    state().loadAt(from, from + random(40));
  } else if (what < 72 && some) void state().markRead([some.id], random(2) === 0);
  else if (what < 80 && some) void state().remove([some.id]);
  else if (what < 92) void state().loadMore();
  else if (what < 95) state().setFilter((['all', 'unread', 'failed'] as const)[random(3)]!);
  else if (what < 98) state().setSearch(['', 'red', 'blue'][random(3)]!);
  else if (what === 98) void state().markAllRead();
  else if (random(30) === 0) void state().removeAll();
}

/** The rows are what the model finds, from the newest down, without a gap; a row that is being read may stand among them. */
function compare(model: ModelInbox): void {
  const { rows, nextBefore, search, filter, selectedId, unreadCount, phase, error } = state();
  expect(error).toBeNull();
  if (phase !== 'ready') return;
  const found = model.find(search, filter);
  const { far } = state();
  if (far !== null) {
    const ids = found.map((row) => row.id);
    const at = ids.indexOf(far.items[0]!.id);
    const readOf = (row: WebhookSummary) => `${row.id} ${row.isRead}`;
    // It has no gap, stands as far from the end as it says, and below the first rows.
    expect(far.items.filter((row) => row.id !== selectedId).map(readOf)).toEqual(
      found
        .slice(at, found.length - far.below)
        .filter((row) => row.id !== selectedId)
        .map(readOf),
    );
    expect(far.items[0]!.id < rows.at(-1)!.id).toBe(true);
  }
  const shown = rows.filter((row) => row.id !== selectedId);
  const expected = (
    nextBefore === null
      ? found
      : found.slice(0, found.findLastIndex((row) => row.id >= (rows.at(-1)?.id ?? '')) + 1)
  ).filter((row) => row.id !== selectedId);
  expect(shown.map((row) => row.id)).toEqual(expected.map((row) => row.id));
  expect(shown.map((row) => row.isRead)).toEqual(expected.map((row) => row.isRead));
  expect(rows.map((row) => row.id)).toEqual(
    rows
      .map((row) => row.id)
      .toSorted()
      .toReversed(),
  );
  expect(unreadCount).toBe(model.unreadCount);
}

describe('the inbox list against a plain array', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    useInboxStore.setState(initial, true);
  });
  afterEach(() => vi.useRealTimers());

  it.each([1, 2, 3, 4, 5])('agrees after random events, seed %i', async (seed) => {
    const random = createRandom(seed);
    const model = new ModelInbox(random);
    model.arrive(seed % 2 === 0 ? 210 : 6000);
    let farCount = 0;
    const fake = connect(model, random);
    setTransport(fake);
    const stop = state().start();
    await vi.runAllTimersAsync();
    useInboxStore.setState({ listenerError: null });
    for (let step = 0; step < casesOf(500, 2_000); step++) {
      act(model, fake, random);
      if (random(3) === 0) await vi.advanceTimersByTimeAsync(random(120));
      if (random(12) > 0) continue;
      await vi.advanceTimersByTimeAsync(3_000);
      compare(model);
      if (state().far !== null) farCount += 1;
    }
    if (seed % 2 === 1) expect(farCount).toBeGreaterThan(0);
    stop();
    await vi.runAllTimersAsync();
  });
});
