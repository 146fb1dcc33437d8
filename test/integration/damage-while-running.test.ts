import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNodePorts } from '../../electron/platform/node-ports';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { createServices } from '../../electron/services/create-services';
import { openDatabase } from '../../electron/platform/database/database';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { listMigrations } from '../../electron/sandbox/store/sandbox-store';
import { runOnce } from './cli-once';
import { projectRoot, startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const PAGE = 4096;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const post = async (url: string, index: number): Promise<number> =>
  (
    await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ status: 'SUCCESS', client_reference: `R-${index}`, pad: 'x'.repeat(3000) }),
    })
  ).status;

/** Spoils every page but the first in the file while others use it, as a disk does; what is in the log stays. */
function spoil(file: string, migrations = inboxMigrations): void {
  const other = openDatabase({ file, migrations });
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const descriptor = openSync(file, 'r+');
  for (let at = PAGE; at < statSync(file).size; at += PAGE)
    writeSync(descriptor, Buffer.alloc(PAGE, 0x5a), 0, PAGE, at);
  fsyncSync(descriptor);
  closeSync(descriptor);
  // Every connection reads anew: its own pages are older than this change.
  other.exec(`PRAGMA user_version = ${migrations.at(-1)!.id}`);
  other.close();
}

/** The index writes behind the answers: a log that is cut short in the middle of that has grown again before anybody looks. */
async function waitForIndex(log: string): Promise<void> {
  await vi.waitFor(async () => {
    const { size } = statSync(log);
    await wait(300);
    expect(statSync(log).size).toBe(size);
  });
}

describe('an inbox that is damaged while it runs', () => {
  it('is answered 503 from the first sign on by listen, which says so; the next one says what was saved', async () => {
    const data = makeTemporaryFolder('damage-listen');
    const listener: RunningCommand = startCli(['listen', '--port', '0', '--json', '--data', data]);
    ends.push(() => listener.stop());
    const url = String((await listener.waitForLine(({ event }) => event === 'ready'))['url']);
    for (let index = 0; index < 30; index++) expect(await post(url, index)).toBe(200);
    spoil(join(data, 'inbox.db'));
    await vi.waitFor(async () => expect(await post(url, 100)).toBe(503));
    for (let index = 0; index < 5; index++) expect(await post(url, 101 + index)).toBe(503);
    expect(listener.readErrors()).toMatch(/inbox\.db is damaged.*answered 503/);
    await listener.stop();

    const next = startCli(['listen', '--port', '0', '--json', '--data', data]);
    ends.push(() => next.stop());
    const again = String((await next.waitForLine(({ event }) => event === 'ready'))['url']);
    expect(next.readErrors()).toMatch(/inbox\.db was damaged\. \d+ .* saved/);
    expect(await post(again, 200)).toBe(200);
    await next.stop();
    const list = ['inbox', 'list', '--json', '--data', data];
    expect((await runOnce(list)).stderr).toMatch(/inbox\.db was damaged.*\n.*inbox\.dismissNotice/);
    await runOnce(['call', 'inbox.dismissNotice', '--data', data], { input: '{}' });
    expect((await runOnce(list)).stderr).toBe('');
  }, 60_000);

  it.each<[string, (file: string) => void]>([
    ['emptied', (file) => truncateSync(file, 0)],
    ['removed', (file) => rmSync(file)],
    ['replaced by a folder', (file) => (renameSync(file, `${file}.away`), mkdirSync(file))],
    ['robbed of its log', (file) => truncateSync(`${file}-wal`, 0)],
    ['robbed of the end of its log', (file) => truncateSync(`${file}-wal`, 9000)],
  ])('answers 503 once its file was %s, and says so', async (_name, change) => {
    const data = makeTemporaryFolder('changed-listen');
    const listener = startCli(['listen', '--port', '0', '--json', '--data', data]);
    ends.push(() => listener.stop());
    const url = String((await listener.waitForLine(({ event }) => event === 'ready'))['url']);
    for (let index = 0; index < 5; index++) expect(await post(url, index)).toBe(200);
    await waitForIndex(join(data, 'inbox.db-wal'));
    change(join(data, 'inbox.db'));
    for (let index = 0; index < 3; index++) expect(await post(url, 100 + index)).toBe(503);
    expect(listener.readErrors()).toMatch(/inbox\.db (was|lost).*answered 503/);
  });

  it('is mended by the app itself, which goes on receiving and tells it in the inbox', async () => {
    const data = makeTemporaryFolder('damage-app');
    const services = createServices({
      ...createNodePorts({ host: 'web', dataDirectory: data, version: '0.0.0' }),
      startWorker: (name, options) =>
        startNodeWorker(pathToFileURL(join(projectRoot, 'out', 'workers', `${name}.js`)), options),
    });
    ends.push(() => services.close());
    const start = async () => (await services.router.call('listener.start', { port: 0 })).url!;
    const url = await start();
    for (let index = 0; index < 30; index++) expect(await post(url, index)).toBe(200);
    spoil(join(data, 'inbox.db'));
    const after: number[] = [];
    await vi.waitFor(
      async () => {
        after.push(await post(url, 100).catch(() => 0));
        const { notice, webhooks } = await services.router.call('inbox.list', {});
        expect(notice).toContain('inbox.db was damaged');
        expect(webhooks.map(({ clientReference }) => clientReference)).toContain('R-100');
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(readdirSync(data).filter((name) => name.startsWith('inbox.db.damaged'))).not.toEqual([]);
    await services.router.call('inbox.dismissNotice', {});
    expect((await services.router.call('inbox.list', {})).notice).toBeNull();

    await services.router.call('sandbox.start', { port: 0 });
    spoil(join(data, 'sandbox.db'), listMigrations());
    await vi.waitFor(
      async () => {
        await services.router.call('sandbox.state', {});
        expect(readdirSync(data)).toContain('sandbox.db.damaged');
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(await services.router.call('sandbox.status', {})).toMatchObject({ state: 'running' });
  }, 60_000);
});
