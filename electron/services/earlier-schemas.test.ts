import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { openExchangeStore, proxyFile } from '../lens/proxy/exchange-store';
import { forwardMigrations } from '../listener/forwarding/forward-schema';
import { inboxMigrations } from '../listener/inbox-schema';
import { connectDatabase, openDatabase, type Migration } from '../platform/database/database';
import type { SqlDatabase } from '../platform/ports';
import { openRequestStore } from '../sandbox/requests/request-store';
import { listMigrations } from '../sandbox/store/sandbox-store';
import { historyMigrations } from './history/history-schema';

interface EarlierSchema {
  readonly database: 'history' | 'inbox' | 'sandbox';
  readonly schema: number;
  readonly sql: readonly string[];
}

/** Every schema that a database had before its present one, as git has it. */
const { schemas } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/fixtures/schemas/earlier-schemas.json'), 'utf8'),
) as { schemas: readonly EarlierSchema[] };

const migrationsOf: Readonly<Record<string, readonly Migration[]>> = {
  history: historyMigrations,
  inbox: inboxMigrations,
  sandbox: listMigrations(),
  forwards: forwardMigrations,
};
const latestOf = (database: string): number => migrationsOf[database]!.at(-1)!.id;

const detail =
  '{"paymentReference":"PR1","requestUuid":"u","product":"payout","amountMinor":1,"chargesMinor":1,"currency":"KES",' +
  '"account":"1","finalState":null,"copies":1,"callbackUrl":"https://example.com","metaJson":null,"checkout":null,"timeReceived":1}';

/** One row of what people would miss, with the columns of the first schema, and how it is found afterwards. */
const kept: Readonly<Record<EarlierSchema['database'], readonly [insert: string, find: string]>> = {
  history: [
    `INSERT INTO exchanges (id, environment, operation, title, sent_at, reference, method, url, summary, is_signed,
       is_finished, detail, request_body) VALUES (1, 'local', 'payout', 't', 5, 'R-1', 'POST', 'http://x', '{}', 1, 1, '{}', 'sent')`,
    `SELECT count(*) AS count FROM exchanges WHERE reference = 'R-1' AND sent_at = 5`,
  ],
  inbox: [
    `INSERT INTO arrivals (id, received_at, responded_status, head_size, raw) VALUES (7, 5, 200, 2, X'0102')`,
    `SELECT count(*) AS count FROM arrivals WHERE id = 7 AND raw = X'0102'`,
  ],
  sandbox: [
    `INSERT INTO payments (payment_uuid, reference, detail) VALUES (12, 'R-1', '${detail}')`,
    `SELECT count(*) AS count FROM payments WHERE payment_uuid = 12 AND reference = 'R-1' AND state = 'processing'`,
  ],
};

const readVersion = (db: SqlDatabase): number =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
/** What a database consists of, however its text was laid out. */
const readSchema = (db: SqlDatabase): unknown[] =>
  (
    db
      .prepare(`SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name`)
      .all() as { type: string; name: string; sql: string | null }[]
  ).map(({ type, name, sql }) => [type, name, sql?.replace(/\s+/g, ' ')]);
const isFound = (db: SqlDatabase, find: string): boolean =>
  (db.prepare(find).get() as { count: number }).count === 1;

function makeFile(database: string, version: number, ...sql: string[]): string {
  const file = join(makeTemporaryFolder('schema'), `${database}.db`);
  const db = connectDatabase(file);
  db.exec('PRAGMA journal_mode = WAL');
  for (const one of sql) db.exec(one);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  return file;
}

describe('a database of an earlier version', () => {
  it.each(schemas)('$database, schema $schema: is brought up to date, a copy made before', (earlier) => {
    const { database, schema, sql } = earlier;
    const [insert, find] = kept[database];
    // Bodies had a table of their own from the fourth schema of the history on.
    const isWithoutBody = database === 'history' && schema >= 4;
    const row = isWithoutBody ? insert.replace(', request_body)', ')').replace(", 'sent')", ')') : insert;
    const file = makeFile(database, schema, sql.join('\n'), row);
    const db = openDatabase({ file, migrations: migrationsOf[database]! });
    expect([readVersion(db), isFound(db, find)]).toEqual([latestOf(database), true]);
    const fresh = openDatabase({ file: ':memory:', migrations: migrationsOf[database]! });
    expect(readSchema(db)).toEqual(readSchema(fresh));
    fresh.close();
    db.close();
    const next = migrationsOf[database]!.find(({ id }) => id > schema)!.id;
    const copy = connectDatabase(`${file}.before-${next}`);
    expect([readVersion(copy), isFound(copy, find)]).toEqual([schema, true]);
    copy.close();
  });

  it('is in the fixtures for every schema but the last', () => {
    const found = schemas.map(({ database, schema }) => `${database} ${schema}`);
    // The first two steps of the sandbox came as one.
    const expected = Object.entries(migrationsOf).flatMap(([database, migrations]) =>
      migrations.slice(0, -1).map(({ id }) => `${database} ${id}`),
    );
    expect(found).toEqual(expected.filter((one) => one !== 'sandbox 1'));
  });
});

describe('a database of a later version', () => {
  const openers: Readonly<Record<string, (file: string) => unknown>> = {
    ...Object.fromEntries(
      Object.entries(migrationsOf).map(([name, migrations]) => [
        name,
        (file: string) => openDatabase({ file, migrations }),
      ]),
    ),
    proxy: (file) => openExchangeStore(placeAs(file, proxyFile), null),
    'sandbox-requests': (file) => openRequestStore(placeAs(file, 'sandbox-requests.db'), null),
  };

  function placeAs(file: string, name: string): string {
    const folder = join(file, '..');
    if (!existsSync(join(folder, name))) copyFileSync(file, join(folder, name));
    return folder;
  }

  it.each(Object.keys(openers))('%s is refused with what to do, and left as it is', (name) => {
    const file = makeFile(name, 99, 'CREATE TABLE later (a)');
    const before = readFileSync(file);
    expect(() => openers[name]!(file)).toThrow(
      new RegExp(
        `^${name}\\.db was written by a newer Countersign \\(schema 99, this one knows \\d\\)\\. ` +
          'It was left as it is: install the newer version, or choose another folder with --data\\.$',
      ),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.before-99`)).toBe(false);
  });
});
