import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchesFilter } from '@shared/webhooks/filter/match-filter';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { openDatabase } from '../platform/database/database';
import type { SqlDatabase } from '../platform/ports';
import { toFilterSubject } from './filter-subject';
import { sqlDialects, toSqlCondition } from './filter-sql';
import { InboxIndexer } from './inbox-indexer';
import type { StoredWebhook } from './inbox-log';
import { InboxReader } from './inbox-reader';
import { inboxMigrations } from './inbox-schema';
import { WebhookWriter } from './webhook-writer';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { listVariedFilters, makeVariedWebhooks } from '../../test/support/varied-webhooks';

const NOW = Date.now();
/** Every fourth of the sixty is marked. */
function fill(indexed: number): SqlDatabase {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  new WebhookWriter(database).write(makeVariedWebhooks(NOW), NOW);
  new InboxIndexer(database).runSlice(indexed);
  database.exec(
    "UPDATE webhooks SET tags = 'mine urgent', note = 'call them', is_pinned = 1, is_read = 1 WHERE id % 4 = 0",
  );
  return database;
}

const filters = listVariedFilters(NOW);

function listAll(reader: InboxReader, filter: string, limit: number, search = ''): number[] {
  const ids: number[] = [];
  for (let before: number | null = null, pages = 0; pages < 3000; pages++) {
    const page = reader.list({ limit, before, search, filter });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) return ids;
    before = page.next;
  }
  throw new Error('the list never ends');
}

describe.each([0, 25, 60])(
  'with %d of 60 webhooks indexed, a filter finds what passes it one by one:',
  (indexed) => {
    let database: SqlDatabase;
    let reader: InboxReader;
    let all: StoredWebhook[];
    beforeAll(() => {
      database = fill(indexed);
      reader = new InboxReader(database);
      const { rows } = reader.list({ limit: 100, before: null, search: '', filter: 'all' });
      all = rows.map(({ id }) => reader.get(id)!);
    });
    afterAll(() => database.close());

    it.each(filters)('%s', (text) => {
      const wanted = all.filter((one) => matchesFilter(parseFilter(text), toFilterSubject(one), NOW));
      const ids = wanted.map(({ row }) => row.id);
      expect(listAll(reader, text, 100)).toEqual(ids);
      expect(listAll(reader, text, 9)).toEqual(ids);
      const searched = wanted.filter(({ row }) => row.client_reference === 'R-3');
      expect(listAll(reader, text, 9, 'R-3')).toEqual(searched.map(({ row }) => row.id));
    });
  },
);

it.each([
  ['reference == first', ''],
  ['body.n < 10', ''],
  ['all', 'first'],
])('passes over nothing of a burst that the catalogue lacks: filter %s, search %j', (filter, search) => {
  const database = fill(60);
  // Those that are looked for came first: further back than one page looks.
  const burst = Array.from({ length: 2500 }, (_, n) => ({
    ...makeVariedWebhooks(NOW)[0]!,
    body: Buffer.from(`{"n":${n},"client_reference":"${n < 10 ? 'first' : 'other'}"}`),
  }));
  const found = new WebhookWriter(database).write(burst, NOW).slice(0, 10).reverse();
  const reader = new InboxReader(database);
  expect(listAll(reader, filter, 100, search)).toEqual(found);
  expect(reader.list({ limit: 4, before: null, search, filter }).isTotalCut).toBe(true);
  expect(reader.isFarBehind()).toBe(true);
  new InboxIndexer(database).runSlice(5000);
  expect(reader.isFarBehind()).toBe(false);
  expect(listAll(reader, filter, 100, search)).toEqual(found);
  database.close();
});

it('counts attempts of one webhook-id over catalogue and burst, whatever is read', () => {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const one = makeVariedWebhooks(NOW)[0]!;
  const attempts = Array.from({ length: 300 }, (_, n) => ({
    ...one,
    head: Buffer.from(`POST / HTTP/1.1\r\nWebhook-ID: ${n % 3 === 0 ? 'other' : 'same'}`),
    body: Buffer.from('{"client_reference":"R-A"}'),
  }));
  new WebhookWriter(database).write(attempts, NOW);
  new InboxIndexer(database).runSlice(60);
  const reader = new InboxReader(database);
  const counts = new Map<string, number>();
  const expected = attempts.map(({ head }) => {
    const name = head.toString().slice(-5);
    counts.set(name, (counts.get(name) ?? -1) + 1);
    return counts.get(name);
  });
  const told = (rows: readonly { earlier_attempts: number }[]): number[] =>
    rows.map((row) => row.earlier_attempts);
  const list = (filter: string) => reader.list({ limit: 300, before: null, search: '', filter }).rows;
  expect(told(list('all')).reverse()).toEqual(expected);
  expect(told(list('reference == R-A')).reverse()).toEqual(expected);
  expect(told(list('all').slice(0, 20)).reverse()).toEqual(expected.slice(-20));
  expect(told(reader.findByPayment('R-A', []))).toEqual(expected);
  expect(told(reader.withAttempts(list('all').slice(0, 5)))).toEqual(expected.slice(-5).reverse());
  expect(
    list('all')
      .map(({ id }) => reader.get(id)!.row.earlier_attempts)
      .reverse(),
  ).toEqual(expected);
  new InboxIndexer(database).runSlice(1000);
  expect(told(list('all')).reverse()).toEqual(expected);
  database.close();
});

it('looks only where it must', () => {
  const isExact = (text: string): boolean =>
    toSqlCondition(parseFilter(text), NOW, sqlDialects.sqlite).isExact;
  expect(['status == A and age < 1m', 'not path == /a', 'size > 3', 'tag == a'].map(isExact)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['body.a == 1', 'amount > 1', 'header.a == 1', 'not body.a == 1'].map(isExact)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it('prunes nothing that waits to be forwarded, nor what came after it', () => {
  const database = fill(60);
  const indexer = new InboxIndexer(database);
  const reader = new InboxReader(database);
  const ids = listAll(reader, 'all', 100);
  const pinned = listAll(reader, 'pinned', 100);
  const firstNeeded = ids[20]!;
  indexer.prune({ count: 1, ageMs: 1, sizeBytes: 1 }, NOW, 100, firstNeeded);
  expect(listAll(reader, 'all', 100)).toEqual(ids.filter((id) => id >= firstNeeded || pinned.includes(id)));
  database.close();
});

it('prunes by age nothing that came while the clock was behind, once it is right', () => {
  const dayMs = 86_400_000;
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const [webhook] = makeVariedWebhooks(NOW);
  const receive = (atMs: number): number[] =>
    new WebhookWriter(database).write([{ ...webhook!, receivedAt: atMs }], atMs);
  const [old] = receive(NOW - 3 * dayMs);
  const [latest] = receive(NOW);
  const [whileBehind] = receive(NOW - 365 * dayMs);
  const indexer = new InboxIndexer(database);
  indexer.runSlice(100);
  const prune = (atMs: number): number[] => {
    indexer.prune({ count: null, ageMs: 2 * dayMs, sizeBytes: null }, atMs, 100);
    return listAll(new InboxReader(database), 'all', 100);
  };
  expect([old, prune(NOW + dayMs)]).toEqual([expect.any(Number), [whileBehind, latest]]);
  expect(prune(NOW + 3 * dayMs)).toEqual([]);
  database.close();
});

it('prunes the oldest by count, age and size, and leaves pinned ones', () => {
  const database = fill(60);
  const indexer = new InboxIndexer(database);
  const reader = new InboxReader(database);
  const ids = listAll(reader, 'all', 100);
  const pinned = listAll(reader, 'pinned', 100);
  const kept = (limits: object, most = 100): number[] => {
    indexer.prune({ count: null, ageMs: null, sizeBytes: null, ...limits }, NOW, most);
    return listAll(reader, 'all', 100);
  };
  expect(kept({})).toEqual(ids);
  // Oldest ids first, however early the others say that they came.
  expect(kept({ count: 30 }, 5)).toHaveLength(55);
  const byCount = ids.filter((id) => !pinned.includes(id)).slice(0, 30);
  expect(kept({ count: 30 })).toEqual(ids.filter((id) => pinned.includes(id) || byCount.includes(id)));
  expect(kept({ sizeBytes: 200 }).length - pinned.length).toBeLessThan(6);
  expect(kept({ ageMs: 1 })).toEqual(ids.filter((id) => pinned.includes(id)));
  database.close();
});

it('leaves nothing of what one full slice pruned in the log beside the file', () => {
  const file = join(makeTemporaryFolder('inbox-log'), 'inbox.db');
  const database = openDatabase({ file, migrations: inboxMigrations });
  new WebhookWriter(database).write(makeVariedWebhooks(NOW), NOW);
  const indexer = new InboxIndexer(database);
  indexer.runSlice(60);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  expect(indexer.prune({ count: 55, ageMs: null, sizeBytes: null }, NOW, 5)).toBe(5);
  expect(statSync(`${file}-wal`).size).toBe(0);
  database.close();
});

const nest = (levels: number): string =>
  levels === 0
    ? 'status == A'
    : `path == /${levels} ${levels % 2 === 0 ? 'or' : 'and'} (${nest(levels - 1)})`;
const chain = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `path != /${at}`).join(` ${word} `);

it.each([
  ['or', chain(120, 'or')],
  ['and', chain(120, 'and')],
  ['brackets', nest(32)],
  ['not', `${'not '.repeat(32)}status == A`],
  ['not with brackets', `${'not ('.repeat(16)}status == A${')'.repeat(16)}`],
  [
    'brackets around the left',
    `${'('.repeat(32)}path == /a${' or status == A) and path == /b'.repeat(16)}${') or status == A'.repeat(16)}`,
  ],
])('lists by a filter as long and as deep as one may be: %s', (_of, filter) => {
  const database = fill(60);
  const reader = new InboxReader(database);
  expect(filter.length).toBeLessThanOrEqual(2000);
  expect(() => listAll(reader, filter, 100)).not.toThrow();
  expect(() => listAll(reader, filter, 100, 'R-3')).not.toThrow();
  database.close();
});
