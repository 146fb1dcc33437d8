import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type CDPSession, type Page } from 'playwright';
import { callBackend } from '../e2e/backend';
import { rawRequest, runLoad } from '../support/load-generator';
import { skipWelcome } from '../support/skip-welcome';
import type { BenchResult } from './bench-result';
import { withApp } from './window.bench';

const WEBHOOKS = 100_000;
const FRAME_MS = 1000 / 60;
/** Reading one webhook in full may take more than a frame; moving through the list may not. */
const HELD_UP = 0.02;
/** Asks for every frame, so that they can be counted. */
const COUNT_FRAMES = '(function count() { window.benchFrame = requestAnimationFrame(count); })()';
const WHEEL_STEPS = 120;
const KEYS = 90;
const PAGES_DOWN = 60;

/** What one part of the walk cost the window's main thread, task by task. */
interface Walked {
  frames: number;
  /** Tasks that held a frame up. */
  slowTasks: number;
  longestMs: number;
}

/** Scrolls through an inbox of a hundred thousand, by wheel and by keys, while webhooks come in. */
export async function run(): Promise<BenchResult[]> {
  const data = mkdtempSync(join(tmpdir(), 'countersign-bench-scroll-'));
  skipWelcome(data);
  const browser = await chromium.launch({
    executablePath: process.env['COUNTERSIGN_TEST_CHROMIUM'] || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const results: BenchResult[] = [];
    await withApp(data, async (url) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(url);
      await page.getByRole('link', { name: /^Inbox/ }).click();
      const port = await readListenerPort(page);
      await runLoad({ port, requests: callbacks, connections: 50, total: WEBHOOKS });
      results.push(...(await walk(page, port)));
    });
    return results;
  } finally {
    await browser.close();
    rmSync(data, { recursive: true, force: true });
  }
}

const callbacks = Array.from({ length: 4000 }, (_, index) =>
  rawRequest(
    'POST',
    '/callbacks/payments',
    [['Content-Type', 'application/json']],
    JSON.stringify({ status: 'SUCCESS', amount: 1000 + index, client_reference: `order-${100_000 + index}` }),
  ),
);

async function readListenerPort(page: Page): Promise<number> {
  await page.getByRole('group', { name: 'Listener' }).waitFor();
  const { listener } = await callBackend(page, 'app.status', {});
  return Number(new URL(listener.url!).port);
}

async function walk(page: Page, port: number): Promise<BenchResult[]> {
  const session = await page.context().newCDPSession(page);
  const rows = page.getByRole('listbox', { name: 'Webhooks' });
  await rows.getByRole('option').first().click();
  const describe = (name: string, walked: Walked): BenchResult => ({
    name: `inbox of 100,000: ${name}, frames held up by a task of the window (share)`,
    ratio: walked.slowTasks / Math.max(1, walked.frames),
    budget: HELD_UP,
    higherIsBetter: false,
    figures: { ...walked },
  });
  await page.getByRole('region', { name: 'Webhooks' }).hover();
  const wheel = async (pixels: number): Promise<void> => {
    for (let step = 0; step < WHEEL_STEPS; step++) {
      await page.mouse.wheel(0, pixels);
      await page.waitForTimeout(8);
    }
  };
  const press = async (key: string, times: number, pauseMs = 30): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await page.keyboard.press(key);
      await page.waitForTimeout(pauseMs);
    }
  };
  const results = [
    describe('wheel near the top', await measure(session, () => wheel(200))),
    describe('J held down', await measure(session, () => press('j', KEYS))),
    describe('End, page after page', await measure(session, () => press('End', PAGES_DOWN, 60))),
  ];
  results.push(describe('wheel far down', await measure(session, () => wheel(-200))));
  results.push(describe('K held down far down', await measure(session, () => press('k', KEYS))));
  results.push(
    describe(
      'wheel while webhooks come in',
      await measure(session, async () => {
        const coming = runLoad({ port, requests: callbacks, connections: 1, total: 300 });
        await wheel(200);
        await coming;
      }),
    ),
  );
  return results;
}

/** Tasks of the window's main thread while something is done, by the time that they took of the processor. */
async function measure(session: CDPSession, act: () => Promise<void>): Promise<Walked> {
  const events: { name: string; tid: number; pid: number; tdur?: number; args: { name?: string } }[] = [];
  const take = (part: { value: unknown[] }): void => void events.push(...(part.value as typeof events));
  session.on('Tracing.dataCollected', take);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'],
    },
  });
  await session.send('Runtime.evaluate', { expression: COUNT_FRAMES });
  await act();
  await session.send('Runtime.evaluate', { expression: 'cancelAnimationFrame(window.benchFrame)' });
  const done = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await done;
  session.off('Tracing.dataCollected', take);
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ tid, pid }) => `${pid}:${tid}`),
  );
  const tasks = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid}:${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
    .sort((a, b) => b - a);
  return {
    frames: events.filter(({ name, pid, tid }) => name === 'FireAnimationFrame' && mains.has(`${pid}:${tid}`))
      .length,
    slowTasks: tasks.filter((ms) => ms > FRAME_MS).length,
    longestMs: tasks[0] ?? 0,
  };
}
