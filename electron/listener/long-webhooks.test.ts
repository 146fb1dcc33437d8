import { expect, it } from 'vitest';
import { openDatabase } from '../platform/database/database';
import type { SqlDatabase } from '../platform/ports';
import { InboxIndexer } from './inbox-indexer';
import { InboxReader } from './inbox-reader';
import { inboxMigrations } from './inbox-schema';
import { WebhookWriter } from './webhook-writer';

const MIB = 1024 * 1024;
const LONG = 3 * MIB;
const COUNT = 10;

/** An inbox in which nothing is indexed yet, and the most bytes of the log that one statement gave at once. */
function fill(): { database: SqlDatabase; readMost(): number } {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const head = Buffer.from('POST /hooks HTTP/1.1\r\nHost: x');
  const facts = {
    receivedAt: 1,
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
  };
  const bodies = Array.from({ length: COUNT }, (_, at) => Buffer.alloc(LONG, 0x61 + at));
  new WebhookWriter(database).write(
    bodies.map((body) => ({ ...facts, head, body })),
    1,
  );
  let most = 0;
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const all = statement.all.bind(statement);
    statement.all = (...values: unknown[]) => {
      const rows = all(...values) as { raw?: Buffer }[];
      most = Math.max(
        most,
        rows.reduce((sum, { raw }) => sum + (raw?.length ?? 0), 0),
      );
      return rows;
    };
    return statement;
  }) as typeof database.prepare;
  return { database, readMost: () => most };
}

it('a burst of long webhooks is indexed a few megabytes at a time', () => {
  const { database, readMost } = fill();
  const indexer = new InboxIndexer(database);
  let slices = 1;
  while (!indexer.runSlice(128)) slices += 1;
  expect(slices).toBeGreaterThanOrEqual(COUNT / 2);
  expect(readMost()).toBeLessThanOrEqual(2 * LONG);
  expect(database.prepare('SELECT count(*) AS n FROM webhooks').get()).toEqual({ n: COUNT });
});

it('long webhooks that are not indexed yet are listed, found and read without being held together', () => {
  const { database, readMost } = fill();
  const reader = new InboxReader(database, () => []);
  const query = { limit: 100, before: null, search: '', filter: 'all' };
  expect(reader.list(query).rows).toHaveLength(COUNT);
  expect(reader.list({ ...query, filter: 'path == /hooks and not body.a == 1' }).rows).toHaveLength(COUNT);
  expect(reader.list({ ...query, search: 'post' }).rows).toHaveLength(COUNT);
  expect(readMost()).toBeLessThanOrEqual(2 * LONG);
});
