import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../platform/database/database';
import { InboxIndexer, type Retention } from './inbox-indexer';
import { inboxMigrations } from './inbox-schema';
import { startPruning } from './prune-inbox';
import { WebhookWriter } from './webhook-writer';

const now = 1_800_000_000_000;
const none: Retention = { count: null, ageMs: null, sizeBytes: null };
let stop = (): void => undefined;

beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** An inbox of so many webhooks of ten bytes, one a second, the newest now; gives the numbers of those that are left. */
function startInbox(
  count: number,
  firstNeeded: () => number | null = () => null,
  makeBody: (number: number) => string = () => '0123456789',
) {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const indexer = new InboxIndexer(database);
  for (let number = 1; number <= count; number += 1) {
    const receivedAt = now - (count - number) * 1000;
    const head = Buffer.from(`POST /${number} HTTP/1.1`);
    const body = Buffer.from(makeBody(number));
    const more = { respondedStatus: 200, remoteAddress: '127.0.0.1', rule: null, fullBytes: null };
    new WebhookWriter(database).write([{ ...more, receivedAt, head, body }], receivedAt);
  }
  while (!indexer.runSlice(100));
  const ids = (): number[] =>
    (database.prepare('SELECT id FROM webhooks ORDER BY id').all() as { id: number }[]).map(({ id }) => id);
  const all = ids();
  const pruned: number[] = [];
  const pruning = startPruning(indexer, firstNeeded, (one) => pruned.push(one), vi.fn());
  stop = pruning.stop;
  return {
    all,
    pruned,
    set: pruning.set,
    indexer,
    database,
    left: () => ids().map((id) => all.indexOf(id) + 1),
  };
}

it.each([
  ['count', { ...none, count: 2 }, [2, 5, 6]],
  ['age', { ...none, ageMs: 2500 }, [2, 4, 5, 6]],
  ['size', { ...none, sizeBytes: 15 }, [2, 6]],
  ['all of them', { count: 4, ageMs: 1500, sizeBytes: 1000 }, [2, 5, 6]],
])('keeps the newest by %s, and what is pinned', (_limit, retention, kept) => {
  const inbox = startInbox(6);
  inbox.indexer.mark([inbox.all[1]!], { isPinned: true });
  inbox.set(retention);
  vi.advanceTimersByTime(0);
  expect(inbox.left()).toEqual(kept);
  expect(inbox.pruned).toEqual([6 - kept.length]);
});

it('keeps what waits to be forwarded, and looks again', () => {
  let firstNeeded: number | null = null;
  const inbox = startInbox(6, () => firstNeeded);
  firstNeeded = inbox.all[1]!;
  inbox.set({ ...none, count: 1 });
  vi.advanceTimersByTime(0);
  expect(inbox.left()).toEqual([2, 3, 4, 5, 6]);
  firstNeeded = null;
  vi.advanceTimersByTime(15_000);
  expect(inbox.left()).toEqual([6]);
});

it('goes in slices, so that no webhook waits for it, and keeps all once nothing limits it', () => {
  const inbox = startInbox(450);
  inbox.set({ ...none, count: 10 });
  vi.advanceTimersByTime(0);
  expect(inbox.pruned).toEqual([200]);
  vi.advanceTimersByTime(50);
  inbox.set(none);
  vi.advanceTimersByTime(60_000);
  expect(inbox.pruned).toEqual([200, 200]);
  expect(inbox.left()).toHaveLength(50);
});

/** A text that is like no other. */
const makeLong = (number: number): string =>
  [0, 1, 2, 3].map((part) => createHash('sha256').update(`${number} ${part}`).digest('hex')).join(' ');

it('goes on with no merge of the search index beyond its slice, however large that is', () => {
  const { indexer, database } = startInbox(3000, undefined, makeLong);
  const countChanges = (): number =>
    (database.prepare('SELECT total_changes() AS count').get() as { count: number }).count;
  const changes: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    indexer.forgetSlice();
    const before = countChanges();
    indexer.prune({ ...none, count: 2000 }, now, 200);
    changes.push(countChanges() - before);
  }
  // Some seven rows for each that is deleted; a merge in one go changes a thousand pages more.
  expect(Math.max(...changes)).toBeLessThan(1600);
});

it('merges the pieces of the search index as it grows', () => {
  const { database } = startInbox(3000, undefined, makeLong);
  const { pieces } = database
    .prepare('SELECT count(DISTINCT segid) AS pieces FROM webhook_text_idx')
    .get() as { pieces: number };
  expect(pieces).toBeLessThan(10);
});
