import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import {
  _electron,
  chromium,
  test as base,
  type Browser,
  type BrowserContext,
  type ElectronApplication,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { findFreePort } from '../support/free-port';
import { skipWelcome } from '../support/skip-welcome';

export const projectRoot = join(import.meta.dirname, '..', '..');

/** The running app, whatever shows it. */
export interface RunningApp {
  host: 'web' | 'electron';
  page: Page;
  dataDirectory: string;
  /** Electron's own handle; null in the browser. */
  electron: ElectronApplication | null;
  /** Ends the app as a user would, and keeps the data directory. */
  stop(): Promise<void>;
}

const chromiumArgs = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const isRoot = process.getuid?.() === 0;
/** Each frame of a transition is drawn by the processor here, and a click waits until nothing moves. */
const reducedMotion = 'reduce';

/** Starts the app with a data directory, in the host of the Playwright project that runs. */
export async function startApp(
  host: 'web' | 'electron',
  dataDirectory: string,
  { isGreeted = false } = {},
): Promise<RunningApp> {
  // On the usual ports it would get webhooks that the sandbox of another app still tries to deliver: that one's address was the same.
  if (!isGreeted) {
    skipWelcome(dataDirectory, {
      'sandbox.port': await findFreePort(),
      'listener.port': await findFreePort(),
    });
  }
  return host === 'electron' ? startElectron(dataDirectory) : startBrowser(dataDirectory);
}

/** The command that starts the desktop app over a data directory. */
export function electronCommand(dataDirectory: string): { executablePath: string; args: string[] } {
  const executablePath = process.env['COUNTERSIGN_TEST_ELECTRON'];
  if (!executablePath)
    throw new Error('COUNTERSIGN_TEST_ELECTRON is not set: run `npm test -- e2e-electron`.');
  const sandboxing = isRoot ? ['--no-sandbox'] : [];
  return {
    executablePath,
    args: [...sandboxing, '--disable-gpu', projectRoot, '--data', dataDirectory],
  };
}

/** Of each step of a start, which takes two seconds, five on a busy machine. */
const longestLaunchMs = 20_000;

/**
 * Launches the desktop app. On a busy machine Playwright's debugger sometimes waits for ever for an app that is long up; the app's
 * own start is tested by one-app.electron.spec, without a debugger.
 * @returns null: Playwright got no hold of it in time, and it is killed
 */
async function launchElectron(
  dataDirectory: string,
): Promise<{ electron: ElectronApplication; page: Page } | null> {
  const launching = _electron.launch({
    ...electronCommand(dataDirectory),
    env: { ...(process.env as Record<string, string>) },
  });
  const electron = await Promise.race([launching, wait(longestLaunchMs, null, { ref: false })]);
  const page = await electron?.firstWindow({ timeout: longestLaunchMs }).catch(() => null);
  if (electron && page) return { electron, page };
  launching.catch(() => undefined);
  if (electron && hasEnded(electron.process())) throw new Error('The app ended before it had a window.');
  console.error('Playwright got no hold of the desktop app.');
  if (electron) await endProcess(electron.process(), 'SIGKILL');
  // Chromium's own lock of a profile names the process that holds it.
  else process.kill(Number(readlinkSync(join(dataDirectory, 'SingletonLock')).split('-').pop()), 'SIGKILL');
  return null;
}

async function startElectron(dataDirectory: string): Promise<RunningApp> {
  const app = (await launchElectron(dataDirectory)) ?? (await launchElectron(dataDirectory));
  if (app === null) throw new Error('Playwright got no hold of the desktop app, twice.');
  const { electron, page } = app;
  const stop = async (): Promise<void> => {
    await Promise.race([letGo(electron), wait(2000, null, { ref: false })]);
    await electron.close();
  };
  try {
    await page.emulateMedia({ reducedMotion });
    await waitForView(page);
    return { host: 'electron', page, dataDirectory, electron, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A start over databases that were not closed cleanly, those of a backup for one, looks at each of them before it answers. */
async function waitForView(page: Page): Promise<void> {
  await page.getByRole('main').waitFor({ timeout: 30_000 });
  await page
    .getByRole('main')
    .getByLabel('Loading', { exact: true })
    .first()
    .waitFor({ state: 'hidden', timeout: 30_000 });
}

/** Has the window go without a question about what a spec typed and left. */
async function letGo(app: ElectronApplication): Promise<void> {
  await app
    .evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
    })
    .catch(() => undefined);
}

/** The Chromium of a worker, by its program: each app has a context of its own in it, as if it were another profile. */
const browsers = new Map<string | undefined, Browser>();

async function openChromium(): Promise<Browser> {
  const executablePath = process.env['COUNTERSIGN_TEST_CHROMIUM'] || undefined;
  const running = browsers.get(executablePath);
  if (running?.isConnected()) return running;
  const args = [...(isRoot ? ['--no-sandbox'] : []), ...chromiumArgs];
  const browser = await chromium.launch({ executablePath, args });
  browsers.set(executablePath, browser);
  return browser;
}

async function startBrowser(dataDirectory: string): Promise<RunningApp> {
  const server = spawn(
    process.execPath,
    [
      join(projectRoot, 'out/cli/index.js'),
      'app',
      '--no-open',
      '--json',
      '--data',
      dataDirectory,
      '--port',
      '0',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let context: BrowserContext | null = null;
  const stop = async (): Promise<void> => {
    await context?.close();
    await endProcess(server);
  };
  try {
    const url = await readReadyUrl(server);
    const browser = await openChromium();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await page.goto(url);
    // The launch address sends on: what is evaluated before that is lost with its page.
    await waitForView(page);
    return { host: 'web', page, dataDirectory, electron: null, stop };
  } catch (error) {
    // Nobody else can: the fixture has no app yet to stop.
    await stop();
    throw error;
  }
}

function readReadyUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The app ended before it was ready (code ${code}).`)));
    createInterface({ input: server.stdout! }).on('line', (line) => {
      const event = JSON.parse(line) as { event: string; url: string };
      if (event.event === 'ready') resolve(event.url);
    });
  });
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Ends a process that this run started and waits until it is gone. */
export function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** Keeps a picture and the words of what a test that failed was shown: Playwright takes those of its own pages alone. */
async function keepWhatIsShown(page: Page, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus || page.isClosed()) return;
  const words = await page.locator('body').ariaSnapshot().catch(String);
  await info.attach('page', { body: words, contentType: 'text/plain' });
  const picture = await page.screenshot().catch(() => null);
  if (picture !== null) await info.attach('picture', { body: picture, contentType: 'image/png' });
}

/**
 * `app`: one running app for all tests of a worker. `freshApp`: one of its own for this test, which `isGreeted` by the welcome as
 * at a very first start where the test asks for it.
 */
export const test = base.extend<
  { page: Page; freshApp: RunningApp; isGreeted: boolean },
  { app: RunningApp; hostKind: 'web' | 'electron'; chromiumEnd: undefined }
>({
  hostKind: [
    // Playwright reads the names out of this pattern; it has to be there.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use, info) => use(info.project.metadata['host'] as 'web' | 'electron'),
    { scope: 'worker' },
  ],
  chromiumEnd: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await use(undefined);
      for (const browser of browsers.values()) await browser.close();
    },
    { scope: 'worker', auto: true },
  ],
  app: [
    async ({ hostKind }, use) => {
      const directory = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
      const app = await startApp(hostKind, directory);
      await use(app);
      await app.stop();
      rmSync(directory, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  page: async ({ app }, use, info) => {
    await use(app.page);
    await keepWhatIsShown(app.page, info);
  },
  isGreeted: [false, { option: true }],
  freshApp: async ({ hostKind, isGreeted }, use, info) => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
    const app = await startApp(hostKind, directory, { isGreeted });
    await use(app);
    await keepWhatIsShown(app.page, info);
    await app.stop();
    rmSync(directory, { recursive: true, force: true });
  },
});

/**
 * Of a test whose outcome the page alone decides: drawing, layout, what is worked out from text. The desktop window shows the
 * same page by the same engine, so the daily run asks in the browser, and a thorough one in both. docs/contributing.md has the rule.
 */
export const pageAlone = { tag: '@page' } as const;

export { expect } from '@playwright/test';
