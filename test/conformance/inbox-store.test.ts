import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Replay } from '@shared/contract/inbox';
import { webhookColumns } from '@shared/contract/webhook-columns';
import { InboxIndexer } from '../../electron/listener/inbox-indexer';
import { InboxReader } from '../../electron/listener/inbox-reader';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { checkServer, openStorePool } from '../../electron/listener/postgres/connect-postgres';
import { createTeamListener } from '../../electron/listener/postgres/create-team-listener';
import { migratePostgres } from '../../electron/listener/postgres/migrate-postgres';
import { PostgresInbox } from '../../electron/listener/postgres/postgres-inbox';
import { postgresMigrations } from '../../electron/listener/postgres/postgres-schema';
import { readStoreAddress } from '../../electron/listener/postgres/store-address';
import { toStoreError } from '../../electron/listener/postgres/store-errors';
import { receivedColumns, writeBatch } from '../../electron/listener/postgres/write-batch';
import { WebhookWriter, type ReceivedWebhook } from '../../electron/listener/webhook-writer';
import { openDatabase } from '../../electron/platform/database/database';
import { keepReplay, listReplays } from '../../electron/services/inbox/replay-store';
import { openTeamInbox } from '../../electron/services/team/open-team-inbox';
import { makeAuthority } from '../support/certificates';
import { startPostgres, whyNoPostgres, type TestPostgres } from '../support/postgres';
import { makeTeamStore, makeWebhook } from '../support/team-store';
import { makeTemporaryFolder } from '../support/temporary';

/** What a store must do, whichever engine keeps it. */
interface Store {
  /** Keeps what came in one turn. @returns id of the first */
  write(webhooks: readonly ReceivedWebhook[]): Promise<number>;
  readonly reader: InboxReader | PostgresInbox;
  pin(id: number): Promise<unknown>;
  keepReplay(id: number, replay: Replay, before: number | null): Promise<number>;
  listReplays(id: number): Promise<Replay[]>;
  /** Deletes all that may go. */
  prune(): Promise<unknown>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

async function openSqlite(): Promise<Store> {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const writer = new WebhookWriter(database);
  const indexer = new InboxIndexer(database);
  return {
    async write(webhooks) {
      const [first] = writer.write(webhooks, Date.now());
      while (!indexer.runSlice(100));
      return first!;
    },
    reader: new InboxReader(database),
    pin: async (id) => indexer.mark([id], { isPinned: true }),
    keepReplay: async (id, replay, before) => keepReplay(database, id, replay, before),
    listReplays: async (id) => listReplays(database, id),
    prune: async () => indexer.prune({ count: null, ageMs: 0, sizeBytes: null }, Date.now() + DAY_MS, 1000),
    close: async () => void database.close(),
  };
}

let server: TestPostgres;
const authority = makeAuthority('Own issuer');
if (whyNoPostgres === null) {
  beforeAll(async () => {
    const { certificate, key } = authority.issue('db.example');
    server = await startPostgres(['ssl=on'], { 'server.crt': certificate, 'server.key': key });
  });
  afterAll(() => server.stop());
}

async function openPostgres(): Promise<Store> {
  const store = await makeTeamStore(server);
  const pool = store.openPool();
  const reader = new PostgresInbox(pool);
  return {
    write: store.write,
    reader,
    pin: (id) => reader.mark([id], { isPinned: true }),
    keepReplay: (id, replay, before) => reader.keepReplay(id, replay, before),
    listReplays: (id) => reader.listReplays(id),
    prune: () => pool.query('SELECT countersign.drop_days($1)', [new Date(Date.now() + 2 * DAY_MS)]),
    close: store.close,
  };
}

const withBody = (
  body: string | Buffer,
  head = 'POST /hooks HTTP/1.1\r\nwebhook-id: wh_1',
): ReceivedWebhook => ({
  ...makeWebhook({}),
  head: Buffer.from(head, 'latin1'),
  body: typeof body === 'string' ? Buffer.from(body) : body,
});
const all = { limit: 100, before: null, search: '', filter: 'all' };

const engines = [
  ['SQLite', openSqlite, null],
  ['PostgreSQL', openPostgres, whyNoPostgres],
] as const;

describe.each(engines)('an inbox on %s', (_engine, open, whyNot) => {
  const test = it.skipIf(whyNot !== null);
  let store: Store;
  beforeAll(async () => {
    if (whyNot === null) store = await open();
  });
  afterAll(() => store?.close());

  test('gives ids in the order of arrival, however many write at once, and pages without a gap', async () => {
    const turns = Array.from({ length: 20 }, (_, turn) =>
      [0, 1, 2].map((place) => makeWebhook({ client_reference: `page-${turn}-${place}` })),
    );
    const firsts = await Promise.all(turns.map((turn) => store.write(turn)));
    const listed: { id: number; reference: string | null }[] = [];
    for (let before: number | null = null, isMore = true; isMore;) {
      const page: Awaited<ReturnType<Store['reader']['list']>> = await store.reader.list({
        ...all,
        limit: 7,
        before,
      });
      listed.push(...page.rows.map((row) => ({ id: row.id, reference: row.client_reference })));
      before = page.next;
      isMore = before !== null;
    }
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).sort((a, b) => b - a));
    const byId = new Map(listed.map(({ id, reference }) => [id, reference]));
    for (const [turn, first] of firsts.entries()) {
      expect([0, 1, 2].map((place) => byId.get(first + place))).toEqual(
        [0, 1, 2].map((place) => `page-${turn}-${place}`),
      );
    }
    expect(await store.reader.list(all)).toMatchObject({ totalCount: 60, isTotalCut: false });
  });

  test('reads a page at a position, and tells how many rows follow it', async () => {
    await store.write(Array.from({ length: 60 }, (_, at) => makeWebhook({ client_reference: `page-${at}` })));
    const everything = (await store.reader.list({ ...all, limit: 500 })).rows.map(({ id }) => id);
    const pageAt = async (
      query: Partial<Parameters<typeof store.reader.list>[0]>,
    ): Promise<readonly [readonly number[], number | null | undefined]> => {
      const { rows, below } = await store.reader.list({ ...all, isPlaced: true, ...query });
      return [rows.map(({ id }) => id), below];
    };
    expect(everything.length).toBeGreaterThanOrEqual(60);
    for (const skip of [1, 25, 57, 59]) {
      const expected = everything.slice(skip, skip + 10);
      const left = Math.max(0, everything.length - skip - 10);
      expect(await pageAt({ skip, limit: 10 })).toEqual([expected, left]);
      expect(await pageAt({ skip, limit: 10, filter: 'unread' })).toEqual([expected, left]);
      expect(await pageAt({ skip, limit: 10, filter: 'method == POST' })).toEqual([expected, left]);
      expect(await pageAt({ skip, limit: 10, search: 'page' })).toEqual([expected, left]);
      expect(await pageAt({ before: everything[skip - 1]!, limit: 10 })).toEqual([expected, left]);
    }
    for (const filter of ['all', 'unread', 'method == POST'])
      expect(await pageAt({ skip: everything.length, filter })).toEqual([[], 0]);
    expect((await store.reader.list({ ...all, skip: 5 })).below ?? null).toBeNull();
    const oneByOne = async () => store.reader.list({ ...all, skip: 5, filter: 'body.a == 1' });
    await expect(oneByOne()).rejects.toMatchObject({ code: 'inbox.no_position' });
  });

  test('keeps every byte, and text with NUL, lone surrogates and invalid UTF-8 in it', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256));
    const head = 'POST /\xff\xfe?a=\x01 HTTP/1.1\r\nX-Odd: \xff\x02\r\nwebhook-id: odd';
    const id = await store.write([
      withBody(bytes, head),
      withBody(''),
      withBody('{"client_reference":"A\\u0000B","status":"x\\ud800y","amount":1e999,"code":"\\ufdd0"}'),
      withBody('{"client_reference":"A"}'),
      withBody(`{"client_reference":"${'long'.repeat(20_000)}","payment_uuid":"${'7'.repeat(9000)}"}`),
      withBody('['.repeat(3000)),
    ]);
    expect(await store.reader.getBytes(id)).toEqual({ head: Buffer.from(head, 'latin1'), body: bytes });
    expect((await store.reader.getBytes(id + 1))!.body).toHaveLength(0);
    expect((await store.reader.get(id + 2))!.row).toMatchObject({
      client_reference: 'A\0B',
      status: 'x\uFFFDy',
      amount: '1e999',
    });
    expect((await store.reader.findByPayment('A\0B', [])).map((row) => row.id)).toEqual([id + 2]);
    expect((await store.reader.findByPayment('A', [])).map((row) => row.id)).toEqual([id + 3]);
    expect((await store.reader.findByPayment('long'.repeat(20_000), [])).map((row) => row.id)).toEqual([
      id + 4,
    ]);
  });

  test('keeps what a replay was answered, whatever stands in it', async () => {
    const id = await store.write([makeWebhook({ client_reference: 'replayed' })]);
    const replay: Replay = {
      sentAt: 1_790_000_000_000,
      url: 'http://127.0.0.1:1/hooks',
      httpStatus: 200,
      reason: null,
      elapsedMs: 3,
      isEdited: true,
      isResigned: false,
      headers: [['X-Odd', 'a\0b é']],
      body: 'a\0b \u202e \uD83D\uDE00',
    };
    const earlier = { ...replay, httpStatus: 500 };
    await store.keepReplay(id, earlier, null);
    const unanswered = await store.keepReplay(id, { ...replay, httpStatus: null, reason: 'not known' }, null);
    expect(await store.listReplays(id)).toMatchObject([{ reason: 'not known' }, earlier]);
    await store.keepReplay(id, replay, unanswered);
    expect(await store.listReplays(id)).toEqual([replay, earlier]);
  });

  test('finds by search and by filter, together and apart, and counts earlier attempts', async () => {
    const first = await store.write(
      ['SUCCESS', 'FAILED', 'FAILED'].map((status, at) => ({
        ...makeWebhook({ status, client_reference: `Fünf-INV-${at}`, amount: at }, '/sought/after'),
        head: Buffer.from(`POST /sought/after HTTP/1.1\r\nwebhook-id: again`),
      })),
    );
    const find = async (search: string, filter = 'all'): Promise<number[]> => {
      const found: number[] = [];
      // A page that looks at webhooks one by one ends when its time is over.
      for (let before: number | null = null, isMore = true; isMore;) {
        const page: Awaited<ReturnType<Store['reader']['list']>> = await store.reader.list({
          ...all,
          before,
          search,
          filter,
        });
        found.push(...page.rows.map((row) => row.id - first));
        before = page.next;
        isMore = before !== null;
      }
      return found;
    };
    expect(await find('sought')).toEqual([2, 1, 0]);
    expect(await find('inv-1 FÜNF')).toEqual([1]);
    expect(await find("sought' | \\ & :*")).toEqual([]);
    expect(await find('sought', 'failed')).toEqual([2, 1]);
    expect(await find('', 'path == /sought/after and not status == FAILED')).toEqual([0]);
    expect(await find('', 'path == /sought/after and body.amount >= 1')).toEqual([2, 1]);
    expect((await store.reader.get(first + 2))!.row.earlier_attempts).toBe(2);
  });

  test('lets go of what is not to be kept, but not of what is pinned', async () => {
    const id = await store.write([makeWebhook({ client_reference: 'pinned' }), makeWebhook({})]);
    await store.pin(id);
    await store.prune();
    expect((await store.reader.list(all)).rows.map((row) => [row.id, row.is_pinned])).toEqual([[id, 1]]);
    expect(await store.write([makeWebhook({})])).toBeGreaterThan(id + 1);
  });
});

describe.skipIf(whyNoPostgres !== null)(`a team's store ${whyNoPostgres ?? ''}`, () => {
  it('is made once, however many start at the same time, has every column, and refuses a newer schema', async () => {
    const store = await makeTeamStore(server);
    const pool = store.openPool();
    await pool.query('DROP SCHEMA countersign CASCADE');
    const sessions = await Promise.all([1, 2, 3].map(() => pool.connect()));
    await Promise.all(sessions.map((session) => migratePostgres(session)));
    const { rows } = await pool.query(
      `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS may_miss FROM information_schema.columns
       WHERE table_schema = 'countersign' AND table_name = 'webhooks'`,
    );
    const types = { INTEGER: 'bigint', REAL: 'double precision', TEXT: 'text' } as Record<string, string>;
    for (const name of receivedColumns) {
      const [type, ...notNull] = webhookColumns[name].sql.split(' ');
      expect(rows).toContainEqual({ name, type: types[type!], may_miss: notNull.length === 0 });
    }
    await pool.query("INSERT INTO countersign.migrations (id, name) VALUES (99, 'later')");
    await expect(migratePostgres(sessions[0]!)).rejects.toMatchObject({ code: 'store.newer' });
    await expect(openTeamInbox(store.url, {})).rejects.toMatchObject({ code: 'store.newer' });
    for (const session of sessions) session.release();
    await store.close();
  });

  it('is brought from its first form to the one of now with all that is in it, and a receiver of then goes on', async () => {
    const store = await makeTeamStore(server);
    const pool = store.openPool();
    const [first] = postgresMigrations;
    await pool.query(
      `DROP SCHEMA countersign CASCADE; CREATE SCHEMA countersign;
       CREATE TABLE countersign.migrations (id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz DEFAULT now());
       ${first!.sql}; INSERT INTO countersign.migrations (id, name) VALUES (1, 'first')`,
    );
    // As a receiver of that version asks, which knows none of the columns that came later.
    const writeAsThen = async (reference: string): Promise<unknown> =>
      pool.query(
        `SELECT countersign.receive(p_receipt => gen_random_uuid(), p_pack => '', p_starts => '{0}', p_head_sizes => '{0}',
           p_body_sizes => '{0}', p_words => '{""}', p_remote_address => '{NULL}', p_full_bytes => '{NULL}',
           p_received_at => '{5}', p_method => '{POST}', p_path => '{/}', p_size_bytes => '{0}',
           p_responded_status => '{200}', p_is_cut => '{0}', p_client_reference => ARRAY[$1::text])`,
        [reference],
      );
    await writeAsThen('OLD');
    await expect(openTeamInbox(store.url, {})).rejects.toMatchObject({ code: 'store.not_ready' });
    const session = await pool.connect();
    await migratePostgres(session);
    session.release();
    await writeAsThen('STILL');
    await store.write([makeWebhook({ client_reference: 'NEW' })]);
    const { rows } = await new PostgresInbox(pool).list(all);
    expect(rows.map((row) => row.client_reference)).toEqual(['NEW', 'STILL', 'OLD']);
    await store.close();
  });

  it('says what is wrong with a database that is not ours, was changed, or takes nothing', async () => {
    const store = await makeTeamStore(server);
    const check = async (sql: string): Promise<unknown> => {
      await server.run(store.database, sql);
      const session = await store.openPool().connect();
      const keep = async (): Promise<void> => {
        await migratePostgres(session);
        await writeBatch(session, randomUUID(), [makeWebhook({})], []);
      };
      const read = async (): Promise<void> => {
        const opened = await openTeamInbox(store.url, {});
        await opened.inbox.list({ ...all, search: 'x' }).finally(() => opened.close());
      };
      const outcomes = await Promise.allSettled([keep(), read()]);
      session.release();
      return outcomes.map((one) => (one.status === 'fulfilled' ? 'fine' : toStoreError(one.reason).code));
    };
    const readOnly = `ALTER DATABASE ${store.database} SET default_transaction_read_only = on`;
    expect(await check(readOnly)).toEqual(['store.unsupported', 'fine']);
    await server.run('postgres', readOnly.replace('= on', '= off'));
    expect(await check('SELECT 1')).toEqual(['fine', 'fine']);
    for (const [harm, ...codes] of [
      ['DROP FUNCTION countersign.receive', 'store.unsupported', 'fine'],
      ['ALTER TABLE countersign.webhooks DROP COLUMN words', 'store.unsupported', 'store.unsupported'],
      ['DROP TABLE countersign.webhooks', 'store.unsupported', 'store.unsupported'],
      ['ALTER TABLE countersign.migrations DROP COLUMN id', 'store.unsupported', 'store.unsupported'],
      ['DROP TABLE countersign.migrations', 'store.unsupported', 'store.not_ready'],
    ]) {
      expect(await check(harm!), harm).toEqual(codes);
    }
    await store.close();
  });

  it('is asked to prove who it is, as far as its address says', async () => {
    const issuer = join(makeTemporaryFolder('issuer'), 'issuer.pem');
    writeFileSync(issuer, authority.certificate);
    const check = async (host: string, query: string): Promise<string> => {
      const address = readStoreAddress(`postgres://owner@${host}:${server.port}/postgres?${query}`, {});
      const pool = openStorePool(address, {}, { applicationName: 'test', most: 1, statementMs: 5000 });
      const outcome = await checkServer(pool, true).then(
        () => 'trusted',
        (error: unknown) => (error as { code: string }).code,
      );
      await pool.end();
      return outcome;
    };
    expect(await check('127.0.0.1', `sslmode=verify-full&sslrootcert=${issuer}`)).toBe('trusted');
    expect(await check('127.0.0.1', 'sslmode=verify-full')).toBe('store.insecure');
    expect(await check('localhost', `sslmode=verify-full&sslrootcert=${issuer}`)).toBe('store.insecure');
    expect(await check('localhost', `sslmode=verify-ca&sslrootcert=${issuer}`)).toBe('trusted');
    expect(await check('localhost', 'sslmode=require')).toBe('trusted');
  });

  it('drops days by the clock of the server: of a receiver whose clock is ahead all were older than it keeps', async () => {
    const store = await makeTeamStore(server);
    await store.write([makeWebhook({})]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * DAY_MS });
    try {
      const address = readStoreAddress(store.url, {});
      const options = { store: address, environment: {}, keys: [], keepMs: 30 * DAY_MS, folder: null };
      await (await createTeamListener(options)).close();
    } finally {
      vi.useRealTimers();
    }
    expect(await server.run(store.database, 'SELECT count(*) FROM countersign.webhooks')).toBe('1');
    await store.close();
  });

  it('receives though a backup reads the tables of days that are to be dropped, and says that they are not', async () => {
    const store = await makeTeamStore(server);
    await server.run(store.database, "SELECT countersign.make_day('2025-01-01')");
    const backup = await store.openPool().connect();
    await backup.query('BEGIN; LOCK TABLE countersign.webhooks IN ACCESS SHARE MODE');
    const remarks: string[] = [];
    const listener = await createTeamListener({
      store: readStoreAddress(store.url, {}),
      environment: {},
      keys: [],
      keepMs: 30 * DAY_MS,
      folder: null,
      onRemark: (remark) => remarks.push(remark),
    });
    await listener.close();
    expect(remarks).toEqual([expect.stringMatching(/not dropped now; .* busy, with a backup for one\.$/)]);
    backup.release(true);
    await store.close();
  });

  it('takes from a receiver what it received, once, and nothing else', async () => {
    const store = await makeTeamStore(server);
    await server.run(store.database, readFileSync('resources/postgres/roles.sql', 'utf8'));
    await server.run(store.database, 'CREATE ROLE only_receives LOGIN IN ROLE countersign_receiver');
    const pool = store.openPool('only_receives');
    const receipt = randomUUID();
    const first = await writeBatch(pool, receipt, [makeWebhook({}), makeWebhook({})], []);
    expect(await writeBatch(pool, receipt, [makeWebhook({}), makeWebhook({})], [])).toBe(first);
    expect(await server.run(store.database, 'SELECT count(*) FROM countersign.webhooks')).toBe('2');
    for (const forbidden of [
      'SELECT * FROM countersign.webhooks',
      'DELETE FROM countersign.webhooks',
      'SELECT countersign.drop_days(now())',
      'SELECT * FROM countersign.team_marks',
    ]) {
      await expect(pool.query(forbidden)).rejects.toMatchObject({ code: '42501' });
    }
    // Whoever receives may send what it likes to the function, but not without end.
    const empty = `SELECT countersign.receive(p_receipt => NULL, p_pack => $1, p_starts => $2, p_head_sizes => '{}', p_body_sizes => '{}',
      p_words => '{}', p_remote_address => '{}', p_full_bytes => '{}', p_received_at => '{}', p_method => '{}', p_path => '{}')`;
    for (const values of [
      [Buffer.alloc(73 * 1024 * 1024), [0]],
      [Buffer.alloc(1), Array.from({ length: 1001 }, () => 0)],
    ]) {
      await expect(pool.query(empty, values)).rejects.toMatchObject({ code: '54000' });
    }
    await store.close();
  });

  it('takes notes from a reader under its own name, within bounds', async () => {
    const store = await makeTeamStore(server);
    await server.run(store.database, readFileSync('resources/postgres/roles.sql', 'utf8'));
    await server.run(store.database, 'CREATE ROLE only_reads LOGIN IN ROLE countersign_reader');
    const id = await store.write([makeWebhook({})]);
    const pool = store.openPool('only_reads');
    expect(
      await new PostgresInbox(pool).mark([id], { isPinned: true, note: 'n'.repeat(2000), tags: 'a b' }),
    ).toBe(1);
    for (const [sql, code] of [
      [`UPDATE countersign.team_marks SET marked_by = 'boss'`, '42501'],
      [`UPDATE countersign.team_marks SET note = repeat('n', 5000)`, '23514'],
      [
        `INSERT INTO countersign.replays (webhook, person, sent_at, url, is_edited, is_resigned, headers, body)
        VALUES (${id}, 'boss', 1, '', 0, 0, '[]', '')`,
        '42501',
      ],
      ['DELETE FROM countersign.webhooks', '42501'],
      ['SELECT countersign.make_days()', '42501'],
    ]) {
      await expect(pool.query(sql!), sql).rejects.toMatchObject({ code });
    }
    expect(
      (await pool.query("UPDATE countersign.people SET read_up_to = 1 WHERE person <> 'only_reads'"))
        .rowCount,
    ).toBe(0);
    await store.close();
  });
});
