import { describe, expect, it } from 'vitest';
import { MOST_READ_BYTES } from '@shared/webhooks/read-limit';
import { countProcessorMs } from '../../test/support/processor-time';
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
function fill(
  count = COUNT,
  makeBody: (at: number) => Buffer = (at) => Buffer.alloc(LONG, 0x61 + at),
): { database: SqlDatabase; readMost(): number } {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const head = Buffer.from('POST /hooks HTTP/1.1\r\nHost: x');
  const facts = {
    receivedAt: 1,
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
  };
  const bodies = Array.from({ length: count }, (_, at) => makeBody(at));
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

describe('earlier webhooks of a payment', () => {
  const start = '{"client_reference":"R-1","padding":"';
  const makeBody = () => Buffer.from(`${start.padEnd(MOST_READ_BYTES - 2, 'x')}"}`);
  /** Heads of what came before the last, with the most bytes of a webhook that one statement gave. */
  const readEarlier = (isIndexed: boolean): { heads: string[]; most: number } => {
    const { database } = fill(30, makeBody);
    const indexer = new InboxIndexer(database);
    while (isIndexed && !indexer.runSlice(128));
    let most = 0;
    const prepare = database.prepare.bind(database);
    database.prepare = ((sql: string) => {
      const statement = prepare(sql);
      const get = statement.get.bind(statement);
      statement.get = (...values: unknown[]) => {
        const row = get(...values) as Record<string, unknown> | undefined;
        for (const value of Object.values(row ?? {}))
          if (Buffer.isBuffer(value)) most = Math.max(most, value.length);
        return row;
      };
      return statement;
    }) as typeof database.prepare;
    const reader = new InboxReader(database, () => []);
    const [last] = reader.list({ limit: 1, before: null, search: '', filter: 'all' }).rows;
    most = 0;
    return { heads: reader.findEarlier(last!, 50).map(({ head }) => head.toString()), most };
  };

  it.each([true, false])(
    'are told with their heads, and their bodies stay where they are (indexed: %s)',
    (isIndexed) => {
      const { heads, most } = readEarlier(isIndexed);
      expect(heads).toHaveLength(29);
      // 64 MiB hold 21 webhooks of 3 MiB; of older ones nothing is read.
      expect(new Set(heads)).toEqual(new Set(['POST /hooks HTTP/1.1\r\nHost: x']));
      // One that is not indexed yet has to be read to know whose it is.
      if (isIndexed) expect(most).toBeLessThan(1000);
    },
  );
});

it('reads the reference of a webhook of a megabyte of small values as soon as of any other', () => {
  const body = Buffer.from(`{"a":[${'{},'.repeat(330_000)}1],"data":{"client_reference":"late"}}`);
  const { database } = fill(30, () => body);
  const processorMs = countProcessorMs();
  const { rows } = new InboxReader(database).list({ limit: 30, before: null, search: '', filter: 'all' });
  expect(rows.map((row) => row.client_reference)).toEqual(Array.from({ length: 30 }, () => 'late'));
  expect(processorMs()).toBeLessThan(1500);
});
