import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { endProcess, electronCommand, expect, projectRoot, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';
import { readReadyLine } from '../support/run-cli';

let folder: string;
let program: string;
let running: ChildProcess | null = null;
let browser: Browser | null = null;

test.beforeAll(() => {
  test.setTimeout(240_000);
  folder = mkdtempSync(join(tmpdir(), 'countersign-packaged-'));
  const packed = spawnSync(
    process.execPath,
    [join(projectRoot, 'scripts/package.mjs'), '--dir', `-c.directories.output=${folder}`],
    {
      env: {
        ...process.env,
        ELECTRON_OVERRIDE_DIST_PATH: dirname(electronCommand('').executablePath),
      },
      encoding: 'utf8',
    },
  );
  expect(packed.status, packed.stderr + packed.stdout).toBe(0);
  const unpacked = readdirSync(folder).find((name) => name.endsWith('-unpacked'))!;
  program = join(folder, unpacked, 'countersign');
});

test.afterEach(async () => {
  await browser?.close();
  if (running !== null) await endProcess(running);
  [browser, running] = [null, null];
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Starts the packaged app, with variables that would make an Electron without fuses another program. It takes no
 * debugger of Node's (a fuse, too), so its window is reached as any Chromium's.
 */
async function startPackaged(dataDirectory: string): Promise<Page> {
  const sandboxing = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  running = spawn(
    program,
    [...sandboxing, '--disable-gpu', '--remote-debugging-port=0', '--data', dataDirectory],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--not-an-option' },
    },
  );
  expect(await readReadyLine(running.stdout!)).toMatchObject({ event: 'ready', host: 'electron' });
  const [port] = readFileSync(join(dataDirectory, 'DevToolsActivePort'), 'utf8').split('\n');
  browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  await expect.poll(() => browser!.contexts()[0]!.pages().length, { timeout: 30_000 }).toBe(1);
  return browser.contexts()[0]!.pages()[0]!;
}

/** In the order of Electron's own list (`@electron/fuses`), as they stand in the binary behind their mark. */
const fuses = {
  runAsNode: '0',
  cookieEncryption: '1',
  nodeOptions: '0',
  nodeInspect: '0',
  asarIntegrity: '1',
  onlyFromAsar: '1',
  ownSnapshot: '0',
  fileProtocolPrivileges: '0',
};

test('packaged, its fuses are set one by one', () => {
  const binary = readFileSync(program);
  const mark = binary.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
  const [version, length] = binary.subarray(mark + 32, mark + 34);
  const states = binary.subarray(mark + 34, mark + 34 + length!).toString('latin1');
  expect(version).toBe(1);
  expect(Object.fromEntries(Object.keys(fuses).map((name, index) => [name, states[index]]))).toEqual(fuses);
});

test('packaged, it starts over an empty data folder, deaf to what would make it run as Node, signs a payout and gets its webhook', async () => {
  const dataDirectory = join(folder, 'data');
  mkdirSync(dataDirectory);
  const page = await startPackaged(dataDirectory);
  // The first start of all shows the welcome.
  await expect(page.getByRole('heading', { name: 'Welcome to Countersign' })).toBeVisible();
  await new Shell(page).open('Requests');
  const requests = new RequestsPage(page);
  await requests.open('Salary payout');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(requests.response).toContainText('201', { timeout: 20_000 });
  await new Shell(page).open('Inbox');
  await expect(page.getByText('SUCCESS').first()).toBeVisible({ timeout: 20_000 });
  expect(readdirSync(join(dataDirectory, 'collections', 'Payments API'))).toContain('Payouts');
});
