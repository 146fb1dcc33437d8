import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { callBackend, postWebhook } from './backend';
import { electronCommand, expect, projectRoot, startApp, test, type RunningApp } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

let dataDirectory: string;
const groups: number[] = [];
test.beforeEach(() => (dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-e2e-one-'))));
test.afterEach(() => {
  for (const group of groups.splice(0)) if (isThere(group)) process.kill(-group, 'SIGKILL');
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** Whether any process of a group is left. */
function isThere(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

type Line = Record<string, unknown>;

/** Starts a program in a group of its own; gives its first line that is JSON, or null where it ends without one. */
function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  groups.push(child.pid!);
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const first = new Promise<Line | null>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line) as Line);
    });
    void ended.then(() => resolve(null));
  });
  return { pid: child.pid!, first, ended, readErrors: () => errors };
}

function startElectron(directory = dataDirectory, ...given: string[]) {
  const { executablePath, args } = electronCommand(directory);
  return start(executablePath, [...args, ...given]);
}
const cli = join(projectRoot, 'out/cli/index.js');
const startWeb = () =>
  start(process.execPath, [cli, 'app', '--no-open', '--json', '--port', '0', '--data', dataDirectory]);

test('the desktop app is told which web host has its folder, and the web host that the desktop app has it', async () => {
  const web = startWeb();
  const ready = await web.first;
  const { origin } = new URL(ready!['url'] as string);
  const refused = startElectron();
  const refusal = await refused.first;
  expect(refusal).toMatchObject({ event: 'failed', code: 'app.folder_in_use' });
  expect(refusal!['message']).toContain(origin);
  expect(await refused.ended).toBe(2);

  process.kill(web.pid, 'SIGTERM');
  await web.ended;
  const desktop = startElectron();
  expect(await desktop.first).toMatchObject({ event: 'ready', host: 'electron' });
  const second = startWeb();
  expect(await second.ended).toBe(2);
  expect(second.readErrors()).toContain('as the desktop app');
  process.kill(desktop.pid, 'SIGTERM');
  await desktop.ended;
  // What has ended holds nothing.
  expect(await startWeb().first).toMatchObject({ event: 'ready' });
});

test('a folder that cannot be written is told to be that, not an app that runs already', async () => {
  test.skip(process.platform !== 'linux', 'no folder that nobody may write in is known there');
  const refused = startElectron('/proc/countersign');
  expect(await refused.first).toMatchObject({ event: 'failed', code: 'platform.unwritable' });
  expect(await refused.ended).toBe(2);
});

test('a link or files too long to be passed on leave the app that runs as it is', async () => {
  const desktop = startElectron();
  expect(await desktop.first).toMatchObject({ event: 'ready' });
  for (const given of [
    [`countersign://view/${'a'.repeat(40_000)}`],
    Array<string>(3000).fill('/tmp/a.http'),
  ]) {
    const second = startElectron(dataDirectory, ...given);
    expect(await second.first).toMatchObject({ event: 'failed', code: 'app.too_large' });
    expect(await second.ended).toBe(2);
  }
  process.kill(desktop.pid, 'SIGTERM');
  expect(await desktop.ended).toBe(0);
});

for (const [name, tell] of [
  ['SIGTERM', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['Ctrl+C, which the whole group gets', (pid: number) => process.kill(-pid, 'SIGINT')],
  ['a terminal that is closed', (pid: number) => process.kill(-pid, 'SIGHUP')],
] as const) {
  test(`the desktop app ends within five seconds, in order, with no process left: ${name}`, async () => {
    const { pid, first } = startElectron();
    expect(await first).toMatchObject({ event: 'ready' });
    tell(pid);
    await expect.poll(() => isThere(pid), { timeout: 5000, intervals: [100] }).toBe(false);
    expect(readdirSync(dataDirectory)).not.toContain('SingletonLock');
  });
}

test('a start that has nobody to tell, since its reader has gone, is one all the same', async () => {
  expect(await startElectron().first).toMatchObject({ event: 'ready' });
  const { executablePath, args } = electronCommand(dataDirectory);
  const second = spawn(executablePath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  second.stdout.destroy();
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
});

test('the desktop app waits for the end of one before it that was ended by force', async () => {
  const before = startWeb();
  await before.first;
  writeFileSync(
    join(dataDirectory, 'app.holder.json'),
    JSON.stringify({ host: 'electron', pid: `${before.pid}` }),
  );
  const desktop = startElectron();
  await expect
    .poll(() => lstatSync(join(dataDirectory, 'SingletonLock'), { throwIfNoEntry: false }))
    .toBeTruthy();
  await wait(1000);
  process.kill(before.pid, 'SIGKILL');
  expect(await desktop.first).toMatchObject({ event: 'ready' });
});

test('starts while the app is ending wait for its end; one opens, and tells the other', async () => {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const directory = join(dataDirectory, 'slow');
  mkdirSync(directory);
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(directory, 'held.http'), `GET http://127.0.0.1:${port}/\n`);
  const first = await startApp('electron', dataDirectory);
  const { id } = await callBackend(first.page, 'collections.open', { directory });
  await callBackend(first.page, 'running.start', { collectionId: id, path: '', environment: 'local' });
  await expect.poll(() => held.length).toBe(1);
  const program = first.electron!.process();
  const ended = new Promise((resolve) => program.once('exit', () => resolve('ended')));
  const holder = () => readFileSync(join(dataDirectory, 'app.holder.json'), 'utf8');
  program.kill('SIGTERM');
  await expect.poll(holder, { intervals: [20] }).toContain('ending');
  const lines = await Promise.all([startElectron(), startElectron()].map((one) => one.first));
  expect(lines.map((line) => line!['event']).sort()).toEqual(['ready', 'running']);
  expect(await ended).toBe('ended');
  server.close();
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`what was typed a moment before the session of the desktop ended is there at the next start: ${signal}`, async () => {
    const readDraft = async (app: RunningApp): Promise<RequestsPage> => {
      await new Shell(app.page).open('Requests');
      const requests = new RequestsPage(app.page);
      await requests.open('Salary payout');
      return requests;
    };
    const first = await startApp('electron', dataDirectory);
    const requests = await readDraft(first);
    await requests.setBody('{"typed": "last"}');
    await expect(requests.tab('Salary payout').getByRole('img', { name: 'not saved' })).toBeVisible();
    const program = first.electron!.process();
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill(signal);
    await ended;
    const second = await startApp('electron', dataDirectory);
    try {
      expect(await (await readDraft(second)).readBody()).toBe('{"typed": "last"}');
    } finally {
      await second.stop();
    }
  });

test('twenty writers lose none of their settings: half of them in the window, half on the command line', async ({
  app,
}) => {
  const names = Array.from({ length: 10 }, (_, index) => index);
  const input = (name: string) => ({ name, kind: 'sandbox', baseUrl: 'https://x.test', variables: {} });
  const fromWindow = app.page.evaluate(
    async (inputs) => {
      const { countersign } = window as unknown as {
        countersign: { call(method: string, input: unknown): Promise<{ ok: boolean }> };
      };
      return Promise.all(inputs.map((one) => countersign.call('environments.save', one)));
    },
    names.map((index) => input(`window-${index}`)),
  );
  const fromCommands = names.map((index) => {
    const child = spawn(process.execPath, [cli, 'call', 'environments.save', '--data', app.dataDirectory], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(input(`command-${index}`)));
    return new Promise((resolve) => child.once('close', resolve));
  });
  expect((await fromWindow).map(({ ok }) => ok)).toEqual(names.map(() => true));
  expect(await Promise.all(fromCommands)).toEqual(names.map(() => 0));
  const { environments } = JSON.parse(readFileSync(join(app.dataDirectory, 'settings.json'), 'utf8')) as {
    environments: { data: { name: string }[] };
  };
  const kept = environments.data.map(({ name }) => name).filter((name) => /^(window|command)-/.test(name));
  expect(kept.sort()).toEqual(names.flatMap((index) => [`command-${index}`, `window-${index}`]).sort());
});

test('a click on a notice of the desktop brings the window back, hidden as it was, and shows the webhook', async ({
  // Each webhook that comes later would be noticed, too, and lead to the inbox.
  freshApp: app,
}) => {
  const isVisible = (): Promise<boolean> =>
    app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible());
  await app.page.evaluate(() => {
    class Notice {
      static permission = 'granted';
      static requestPermission = () => Promise.resolve('granted');
      onclick = (): void => undefined;
      close = (): void => undefined;
      constructor() {
        setTimeout(() => this.onclick(), 100);
      }
    }
    Object.defineProperty(document, 'hasFocus', { value: () => false });
    Object.assign(window, { Notification: Notice });
  });
  await new Shell(app.page).open('Settings');
  await app.page.getByRole('switch', { name: 'While the window is not in front' }).press('Space');
  await app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide());
  await expect.poll(isVisible).toBe(false);
  await postWebhook(app.page, { client_reference: 'noticed-1' });
  await expect.poll(isVisible).toBe(true);
  await expect(app.page).toHaveURL(/#\/inbox\/./);
});
