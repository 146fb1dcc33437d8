import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type Page } from 'playwright';
import { desktopEnvironment } from '../../electron/web/start-desktop';
import { skipWelcome } from '../support/skip-welcome';
import type { BenchResult } from './bench-result';
import { readReadyLine } from '../support/run-cli';

const ROUNDS = 3;
const TABS = 8;
/** The app has done all it does by itself. */
const IDLE_MS = 25_000;
const BUDGET_MS = 1200;
const BUDGET_MB = 350;

/** Measures what a user waits for: the first view in a browser and on the desktop, and what the desktop app holds at rest. */
export async function run(): Promise<BenchResult[]> {
  const data = mkdtempSync(join(tmpdir(), 'countersign-bench-window-'));
  skipWelcome(data);
  const browser = await chromium.launch({
    executablePath: process.env['COUNTERSIGN_TEST_CHROMIUM'] || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const cold = await measureBrowser(browser, data);
    await withApp(data, async (url) => openTabs(await openPage(browser, url)));
    const restored = await measureBrowser(browser, data);
    return [
      describeView('window: first view in a new browser (ms)', cold),
      describeView(`window: first view with ${TABS} tabs restored (ms)`, restored),
      ...(await measureDesktop(data)),
    ];
  } finally {
    await browser.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** What a window said of itself, milliseconds after it began to load. */
interface View {
  shellMs: number;
  viewMs: number;
}

function describeView(name: string, views: readonly View[]): BenchResult {
  return {
    name,
    ratio: middle(views.map(({ viewMs }) => viewMs)),
    budget: BUDGET_MS,
    higherIsBetter: false,
    figures: { rounds: views.length, shellMs: middle(views.map(({ shellMs }) => shellMs)) },
  };
}

/** The app and its browser profile are new in each round; the data directory is not. */
async function measureBrowser(browser: Browser, data: string): Promise<View[]> {
  const views: View[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await withApp(data, async (url) => {
      const page = await openPage(browser, url);
      views.push(await readView(page));
      await page.context().close();
    });
  }
  return views;
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Waits for the tree, and tabs with the request on top: by then there is something to work with. */
async function readView(page: Page): Promise<View> {
  await page.locator('[role="treegrid"] [role="row"]').first().waitFor();
  await page.locator('nav[aria-label="Open requests"] [aria-current="true"]').waitFor();
  return page.evaluate(() => ({
    shellMs: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    viewMs: performance.now(),
  }));
}

async function openTabs(page: Page): Promise<void> {
  await readView(page);
  const rows = page.locator('[role="treegrid"] [role="row"]').filter({ hasText: /^(?:POST|GET)/ });
  for (let index = 0; index < TABS; index += 1) {
    await rows.nth(index).click();
    await page.waitForTimeout(250);
  }
  // Tabs are kept a moment after they change.
  await page.waitForTimeout(3000);
  await page.context().close();
}

export async function withApp(data: string, use: (url: string) => Promise<void>): Promise<void> {
  const args = [resolve('out/cli/index.js'), 'app', '--no-open', '--json', '--port', '0', '--data', data];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await use((await readReadyLine<{ url: string }>(child.stdout)).url);
  } finally {
    await end(child);
  }
}

/** The desktop app, where there is an Electron and something to show its window on. */
async function measureDesktop(data: string): Promise<BenchResult[]> {
  const command = process.env['COUNTERSIGN_BENCH_DESKTOP'];
  if (!command) return [];
  const [program, ...args] = JSON.parse(command) as [string, ...string[]];
  const executable = args.at(-1) ?? program;
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const startedAt = performance.now();
  const child = spawn(
    program,
    [...args, ...flags, '--disable-gpu', '--remote-debugging-port=0', resolve('.'), '--data', data],
    // A group of its own: the program may be a wrapper that brings a display.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: desktopEnvironment() },
  );
  try {
    const debugAddress = readDebugAddress(child);
    await readReadyLine(child.stdout!);
    const startMs = performance.now() - startedAt;
    const browser = await chromium.connectOverCDP(await debugAddress);
    const view = await readView(browser.contexts()[0]!.pages()[0]!);
    await browser.close();
    await new Promise((done) => setTimeout(done, IDLE_MS));
    const processes = listProcesses(dirname(executable), child.pid!);
    return [
      {
        ...describeView(`desktop: first view with ${TABS} tabs restored (ms)`, [view]),
        figures: { startMs, shellMs: view.shellMs },
      },
      {
        name: 'desktop: memory at rest, all processes, shared pages by share (MB)',
        ratio: processes.reduce((sum, { pssMb }) => sum + pssMb, 0),
        budget: BUDGET_MB,
        higherIsBetter: false,
        figures: Object.fromEntries(processes.map(({ kind, pssMb }, index) => [`${kind}${index}`, pssMb])),
      },
    ];
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'exit');
  }
}

async function readDebugAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr! })) {
    const [address] = /ws:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The desktop app gave no address for its developer tools.');
}

/** The processes of a group that run what lies in a folder, with the memory that each answers for. */
function listProcesses(folder: string, group: number): { kind: string; pssMb: number }[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || dirname(readlinkSync(`/proc/${pid}/exe`)) !== folder) return [];
      const [, , ownGroup] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      if (Number(ownGroup) !== group) return [];
      const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
      const kind = /--type=([a-z]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? 'main';
      return [{ kind, pssMb: Number(kilobytes) / 1024 }];
    } catch {
      // A process that has just ended.
      return [];
    }
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
