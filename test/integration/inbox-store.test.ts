import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, whyNoPostgres, type TestPostgres } from '../support/postgres';
import { startCli } from '../support/run-cli';
import { makeTeamStore, makeWebhook, type TestTeamStore } from '../support/team-store';
import { runOnce } from './cli-once';

const SECRET = 'sentinel-store-password';

describe.skipIf(whyNoPostgres !== null)(`inbox --store ${whyNoPostgres ?? ''}`, () => {
  let server: TestPostgres;
  let store: TestTeamStore;
  beforeAll(async () => {
    server = await startPostgres();
    store = await makeTeamStore(server);
    await server.run(
      store.database,
      `CREATE ROLE countersign_reader; CREATE ROLE ann LOGIN IN ROLE countersign_reader;
       SELECT countersign.grant_access()`,
    );
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it('waits for a webhook while its connection is cut again and again, and misses none', async () => {
    await store.write([makeWebhook({ client_reference: 'BEFORE', status: 'SUCCESS' })]);
    const url = store.url.replace('owner@', 'ann@');
    const env = { PGPASSWORD: SECRET };
    const wait = startCli(
      ['inbox', 'wait', '--store', url, '--filter', 'body.step == 60', '--within', '60s', '--json'],
      { env },
    );
    const connections = async (): Promise<number> =>
      Number(await server.run(store.database, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ann'"));
    await expect.poll(connections, { timeout: 30_000 }).toBeGreaterThan(0);
    for (let step = 1; step <= 60; step++) {
      if (step % 20 === 0) {
        await server.run(
          store.database,
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'ann'",
        );
      }
      await store.write([makeWebhook({ client_reference: `W-${step}`, step })]);
    }
    const line = await wait.waitForLine(({ event }) => event === 'webhook');
    expect(line).toMatchObject({ client_reference: 'W-60' });
    await wait.stop();
    expect(wait.readOutput()).not.toContain(SECRET);
  });

  it('lists, shows and says what is wrong in one line without the password', async () => {
    const env = { PGPASSWORD: SECRET };
    const list = await runOnce(
      [
        'inbox',
        'list',
        '--store',
        store.url,
        '--search',
        'before',
        '--filter',
        'status == SUCCESS',
        '--json',
      ],
      { env },
    );
    expect(list.json).toMatchObject([{ client_reference: 'BEFORE' }]);
    const unknown = store.url.replace('owner@', 'nobody@');
    const refused = await runOnce(['inbox', 'show', String(list.json[0]!['id']), '--store', unknown], {
      env,
    });
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(refused.stderr).toContain('store.not_allowed');
    const inAddress = await runOnce(['inbox', 'list', '--store', `postgres://ann:${SECRET}@127.0.0.1/x`]);
    expect(inAddress.exitCode).toBe(2);
    for (const { stdout, stderr } of [list, refused, inAddress])
      expect(stdout + stderr).not.toContain(SECRET);
  });
});
