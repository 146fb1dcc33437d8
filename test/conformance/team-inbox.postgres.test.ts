import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookDetail } from '@shared/contract/inbox';
import { matchesFilter } from '@shared/webhooks/filter/match-filter';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { toFilterSubject } from '../../electron/listener/filter-subject';
import { followArrivals } from '../../electron/listener/postgres/follow-arrivals';
import { PostgresInbox } from '../../electron/listener/postgres/postgres-inbox';
import { describeWebhook } from '../../electron/services/inbox/webhook-view';
import { createEventBus } from '../../electron/platform/event-bus';
import { createMemorySettings } from '../../electron/platform/files/memory-settings';
import { createTeamService, type TeamDeps } from '../../electron/services/team/create-team-service';
import { openTeamInbox } from '../../electron/services/team/open-team-inbox';
import { createTeamSource } from '../../electron/services/team/team-source';
import { because } from '../support/programs';
import { startPostgres, whyNoPostgres, type TestPostgres } from '../support/postgres';
import { makeTeamStore, makeWebhook, type TestTeamStore } from '../support/team-store';
import { listVariedFilters, makeVariedWebhooks } from '../support/varied-webhooks';

const NOW = Date.now();

describe.skipIf(whyNoPostgres !== null)(`a team's inbox on PostgreSQL ${whyNoPostgres ?? ''}`, () => {
  let server: TestPostgres;
  let store: TestTeamStore;
  let inbox: PostgresInbox;
  beforeAll(async () => {
    server = await startPostgres();
    store = await makeTeamStore(server);
    inbox = new PostgresInbox(store.openPool());
    for (const user of ['ann', 'ben', 'guest']) await server.run(store.database, `CREATE ROLE ${user} LOGIN`);
    await server.run(
      store.database,
      `CREATE ROLE countersign_reader; GRANT countersign_reader TO ann, ben;
       SELECT countersign.grant_access();
       DO $$ BEGIN
         IF current_setting('server_version_num')::integer >= 140000 THEN GRANT pg_read_all_data TO guest;
         ELSE GRANT USAGE ON SCHEMA countersign TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA countersign TO guest;
         END IF;
       END $$`,
    );
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const listAll = async (filter: string, limit: number, search = ''): Promise<number[]> => {
    const ids: number[] = [];
    for (let before: number | null = null, pages = 0; pages < 100; pages++) {
      const page = await inbox.list({ limit, before, search, filter });
      ids.push(...page.rows.map(({ id }) => id));
      if (page.next === null) return ids;
      before = page.next;
    }
    throw new Error('the list never ends');
  };

  it('finds by each filter and search what passes them one by one, in pages of any size', async () => {
    const first = await store.write(makeVariedWebhooks(NOW));
    const marked = Array.from({ length: 15 }, (_, at) => first + at * 4);
    await inbox.mark(marked, { isPinned: true, note: 'call them', tags: 'mine urgent' });
    await inbox.markRead(marked, true);
    const ids = await listAll('all', 100);
    expect(ids).toHaveLength(60);
    expect(ids).toEqual(ids.toSorted((left, right) => right - left));
    const all = await Promise.all(ids.map(async (id) => (await inbox.get(id))!));
    for (const text of [...listVariedFilters(NOW), 'reference == "a\\"b"', 'path contains "\0"']) {
      const wanted = all.filter((one) => matchesFilter(parseFilter(text), toFilterSubject(one), NOW));
      const wantedIds = wanted.map(({ row }) => row.id);
      expect(await listAll(text, 100), text).toEqual(wantedIds);
      expect(await listAll(text, 9), text).toEqual(wantedIds);
      const searched = wanted.filter(({ row }) => row.client_reference === 'R-3');
      expect(await listAll(text, 9, 'r-3'), text).toEqual(searched.map(({ row }) => row.id));
    }
  });

  it('keeps read marks for each person, and pins and notes for the team, with who made them and when', async () => {
    const [ann, ben] = ['ann', 'ben'].map((user) => new PostgresInbox(store.openPool(user))) as [
      PostgresInbox,
      PostgresInbox,
    ];
    await ann.markRead('all', true);
    const id = await store.write([makeWebhook({ client_reference: 'MARKS' })]);
    expect([await ann.countUnread(), (await ben.countUnread()) > 60]).toEqual([1, true]);
    expect(await ann.markRead([id, id + 1], true)).toBe(1);
    await ben.mark([id], { note: 'mine' });
    expect(await ann.get(id)).toMatchObject({
      row: { is_read: 1, note: 'mine', is_pinned: 0 },
      lastMark: { by: 'ben' },
    });
    expect((await ben.get(id))!.row.is_read).toBe(0);
    await ann.markRead([id], false);
    expect((await ann.list({ limit: 9, before: null, search: '', filter: 'unread' })).rows).toHaveLength(1);
    await ben.markRead('all', true);
    await ben.markRead('all', false);
    expect((await ben.get(id))!.row.is_read).toBe(0);
  });

  it('says to whom may only read what that means, and shows all the same', async () => {
    const guest = new PostgresInbox(store.openPool('guest'));
    const rights = await guest.readRights();
    expect(rights).toEqual({ user: 'guest', mayRead: true, mayMark: false });
    const source = createTeamSource(guest, rights, async () => 0);
    expect((await source.list({ limit: 5, before: null, search: '', filter: 'unread' })).rows).toHaveLength(
      5,
    );
    await expect(source.mark([1], { note: 'x' })).rejects.toMatchObject({
      code: 'team.read_only',
      message: expect.stringContaining('may read this team inbox, but not pin') as string,
    });
    await expect(async () => source.delete('all')).rejects.toMatchObject({ code: 'team.not_deleted' });
  });

  it('follows what comes in over cut connections: each once, in order, none missed', async () => {
    const seen: string[] = [];
    const states: string[] = [];
    const from = await inbox.readNewest();
    let live = (): void => undefined;
    const isLive = new Promise<void>((resolve) => (live = resolve));
    const follower = followArrivals(store.openPool('ann'), from, {
      onArrivals: ({ rows }) => seen.push(...rows.map((row) => row.client_reference ?? '')),
      onLive: () => {
        states.push('live');
        live();
      },
      onLost: (error) => states.push(error.code),
    });
    await isLive;
    const wanted = Array.from({ length: 40 }, (_, at) => `F-${at}`);
    for (const [at, client_reference] of wanted.entries()) {
      if (at % 15 === 5) {
        await server.run(
          store.database,
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'ann'",
        );
      }
      await store.write([makeWebhook({ client_reference })]);
    }
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(wanted.length);
    expect(seen).toEqual(wanted);
    await follower.stop();
    expect(states.filter((one) => one !== 'live').length).toBeGreaterThan(0);
    expect(states.at(-1)).toBe('live');
  });

  it('says of a user who is shut out while the inbox is open that the store refuses it, and not only that it is cut off', async () => {
    await server.run(store.database, 'CREATE ROLE eve LOGIN IN ROLE countersign_reader');
    const states: string[] = [];
    const follower = followArrivals(store.openPool('eve'), await inbox.readNewest(), {
      onArrivals: () => undefined,
      onLive: () => states.push('live'),
      onLost: ({ code }) => states.push(code),
    });
    await expect.poll(() => states).toEqual(['live']);
    // Committed first: within one transaction she would come in again before it.
    await server.run(store.database, 'ALTER ROLE eve NOLOGIN');
    await server.run(
      store.database,
      `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'eve'`,
    );
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toBe('store.not_allowed');
    await server.run(store.database, 'ALTER ROLE eve LOGIN');
    await expect.poll(() => states.at(-1), { timeout: 20_000 }).toBe('live');
    await follower.stop();
  });

  it('opens one anew with a password that is changed, and leaves it open where its name is', async () => {
    const team = createTeamService({
      ports: { settings: createMemorySettings(), clock: { now: Date.now }, logger: { log: () => undefined } },
      events: createEventBus(),
      history: { store: {} },
    } as unknown as TeamDeps);
    const { handlers } = team;
    const wish = { name: 'A', address: store.url, password: null, isKept: false };
    const { id } = await handlers['team.save'](wish);
    expect(await handlers['team.open']({ id, password: null })).toMatchObject({ state: 'open' });
    expect(await handlers['team.save']({ ...wish, id, name: 'B' })).toMatchObject({ state: 'open' });
    const changed = await handlers['team.save']({ ...wish, id, password: 'another' });
    expect(changed).toMatchObject({ state: 'closed', password: 'session' });
    await team.close();
  });

  it('finds words that many webhooks have, few, or only the newest, alone and together', async () => {
    const { database, openPool, close } = await makeTeamStore(server);
    await server.run(
      database,
      `SELECT countersign.make_days();
       INSERT INTO countersign.webhooks (id, received_at, method, path, size_bytes, responded_status, is_cut, head, body, words)
       SELECT countersign.id_at(now()) + n, 1, 'POST', '/', 0, 200, 0, '', '{}', array_to_tsvector(ARRAY['often', 'n' || n]
         || CASE WHEN n % 1000 = 0 THEN ARRAY['seldom'] ELSE ARRAY[]::text[] END
         || CASE WHEN n > 11000 THEN ARRAY['newest'] ELSE ARRAY[]::text[] END) FROM generate_series(1, 12000) n`,
    );
    const many = new PostgresInbox(openPool());
    const all = { limit: 300, before: null, filter: 'all' };
    const [newest] = (await many.list({ ...all, search: '' })).rows;
    const numbersOf = async (search: string, filter = 'all'): Promise<[number, ...number[]]> => {
      const { rows, totalCount } = await many.list({ ...all, search, filter });
      return [totalCount, ...rows.map(toNumber)];
    };
    const toNumber = ({ id }: { id: number }): number => id - newest!.id + 12_000;
    const thousands = Array.from({ length: 12 }, (_, at) => 12_000 - at * 1000);
    expect(await numbersOf('often seldom')).toEqual([12, ...thousands]);
    expect(await numbersOf('seldom')).toEqual([12, ...thousands]);
    expect(await numbersOf('seldom newest')).toEqual([1, 12_000]);
    expect(await numbersOf('n77 often n7')).toEqual([111, ...(await numbersOf('n77')).slice(1)]);
    for (const search of ['newest', 'often newest']) {
      const [count, ...numbers] = await numbersOf(search);
      expect([count, numbers.length, numbers.at(-1)]).toEqual([1000, 300, 11_701]);
    }
    expect((await many.list({ ...all, search: 'often' })).isTotalCut).toBe(true);
    expect((await many.list({ ...all, search: 'often', before: newest!.id - 11_990 })).rows).toHaveLength(9);
    const seen: number[] = [];
    // Looked at one by one, a page ends when its time is over.
    for (let before: number | null = null, pages = 0; pages < 50; pages++) {
      const page = await many.list({ ...all, before, search: 'often seldom', filter: 'not body.a == 1' });
      seen.push(...page.rows.map(toNumber));
      if ((before = page.next) === null) break;
    }
    expect(seen).toEqual(thousands);
    expect((await numbersOf('often', 'not body.a == 1'))[1]).toBe(12_000);
    await close();
  });

  it('calls a server that stands still lost, and ends without waiting for it', async ({ skip }) => {
    skip(...because('ps'));
    const opened = await openTeamInbox(store.url, {});
    const states: string[] = [];
    opened.follow({
      onArrivals: () => undefined,
      onLive: () => void states.push('live'),
      onLost: ({ code }) => void states.push(code),
    });
    await expect.poll(() => states).toEqual(['live']);
    const signalAll = (signal: NodeJS.Signals): void => {
      const ids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.processId)], {
        encoding: 'utf8',
      });
      for (const id of [server.processId, ...ids.trim().split(/\s+/).map(Number)]) process.kill(id, signal);
    };
    signalAll('SIGSTOP');
    try {
      const asked = opened.inbox.countUnread().catch(() => 'cut');
      await expect.poll(() => states, { timeout: 12_000 }).toEqual(['live', 'store.unreachable']);
      const beganAt = performance.now();
      await opened.close();
      expect(performance.now() - beganAt).toBeLessThan(4000);
      expect(await asked).toBe('cut');
    } finally {
      signalAll('SIGCONT');
    }
  });

  it('reads what anybody may have inserted within bounds', async () => {
    await store.write([makeWebhook({})]);
    await server.run(
      store.database,
      `INSERT INTO countersign.webhooks (id, received_at, method, path, size_bytes, responded_status, is_cut, words,
         head, body, client_reference)
       SELECT max(id) + 1, 1, 'X', repeat('p', 1000000), 7, 200, 0, '', decode('00ff0d0a', 'hex'),
         convert_to(repeat('b', 17000000), 'UTF8'), chr(8238) || repeat('é', 9000) FROM countersign.webhooks`,
    );
    const { rows } = await inbox.list({ limit: 1, before: null, search: '', filter: 'all' });
    expect([rows[0]!.path.length, rows[0]!.client_reference!.length]).toEqual([8000, 8000]);
    const stored = (await inbox.get(rows[0]!.id))!;
    expect(stored.body.length).toBe(16 * 1024 * 1024);
    const found = await inbox.list({ limit: 1, before: null, search: '', filter: 'body.a == 1' });
    expect(found.rows).toEqual([]);
    const { id } = rows[0]!;
    await server.run(
      store.database,
      `UPDATE countersign.webhooks SET received_at = 9223372036854775807, size_bytes = -5, responded_status = 9e18,
         is_cut = 7, answered_ms = 'NaN', verdict = 'none such' WHERE id = ${id};
       INSERT INTO countersign.team_marks (id, marked_at, is_pinned, note) VALUES (${id}, 'infinity', 9e18, E'\\x1b[2J');
       INSERT INTO countersign.replays (webhook, sent_at, url, http_status, elapsed_ms, is_edited, is_resigned, headers, body)
         VALUES (${id}, -1, '', 9e18, 'Infinity', 5, 5, '{"a"', '')`,
    );
    const source = createTeamSource(inbox, { user: 'ann', mayMark: true }, async () => 0);
    const history = { findAnswered: () => ({ row: null, oneOf: 0 }), listOfPayment: () => [] };
    const sources = { source, history, readWebhookStates: () => ({}), readService: () => null };
    const view = await describeWebhook((await inbox.get(id))!, sources, true);
    expect(webhookDetail.safeParse(view).error).toBeUndefined();
    expect(new Date(view.receivedAt).toISOString()).toMatch(/^9999-12-31/);
    expect(new Date(view.lastMark!.at).getUTCFullYear()).toBe(9999);
    expect(await inbox.listReplays(id)).toMatchObject([{ sentAt: 0, httpStatus: 999, headers: [] }]);
  });

  it('reads long bodies few at a time, whatever their rows say of their size, and none to look at heads', async () => {
    await store.write([makeWebhook({})]);
    const count = 6;
    const bodyBytes = 8 * 1024 * 1024;
    await server.run(
      store.database,
      `INSERT INTO countersign.webhooks (id, received_at, method, path, size_bytes, responded_status, is_cut, words,
         head, body, client_reference)
       SELECT newest.id + n, 1, 'POST', '/long', 0, 200, 0, '', convert_to('A: b', 'UTF8'),
         convert_to(repeat('b', ${bodyBytes}), 'UTF8'), 'LONG-1'
       FROM (SELECT max(id) AS id FROM countersign.webhooks) newest, generate_series(1, ${count}) n`,
    );
    const pool = store.openPool();
    let most = 0;
    const measured = new PostgresInbox({
      async query(sql, values) {
        const result = await pool.query<Record<string, unknown>>(sql, values);
        const sizes = result.rows.flatMap((row) =>
          Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.length : 0)),
        );
        most = Math.max(
          most,
          sizes.reduce((sum, size) => sum + size, 0),
        );
        return result;
      },
    });
    const listed = { limit: 50, before: null, search: '' };
    const found = await measured.list({ ...listed, filter: 'path == "/long" and body.a == 1' });
    expect(found.rows).toEqual([]);
    expect(most).toBeGreaterThan(bodyBytes);
    expect(most).toBeLessThan(2 * bodyBytes);
    most = 0;
    const { rows } = await measured.list({ ...listed, filter: 'reference == "LONG-1"' });
    const earlier = await measured.findEarlier(rows[0]!, 50);
    expect(earlier.map(({ head }) => head.toString())).toEqual(Array(count - 1).fill('A: b'));
    expect(most).toBeLessThan(1000);
  });
});
