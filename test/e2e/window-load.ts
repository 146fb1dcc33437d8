import type { Page } from '@playwright/test';

/** What a click cost the window, in milliseconds of its main thread: waiting for a busy machine's processor is not among them. */
export interface WindowLoad {
  /** Its longest task. */
  longestMs: number;
  /** All of its tasks until the text was painted. */
  paintMs: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  /** Of the thread, not of the clock on the wall. */
  tdur?: number;
  args: { name?: string };
}

const categories = ['disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata'];
const LONGEST_WAIT_MS = 30_000;

/** Watches the window from a click until a text of more than `longerThan` characters stands in `label`, and is at rest. */
export async function measureWindow(
  page: Page,
  label: string,
  longerThan: number,
  click: () => Promise<void>,
): Promise<WindowLoad> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories });
  const painted = page.evaluate(
    ([name, least, longestMs]) =>
      new Promise<void>((done, fail) => {
        const readLength = (): number => {
          const view = document.querySelector(`[aria-label="${name}"]`);
          return Number(view?.getAttribute('data-text-length') ?? view?.textContent.length ?? 0);
        };
        // Told of changes, not asking at each frame: frames that are drawn for the asking alone would be counted, and the longer
        // a service takes to answer, the more of them.
        const look = (): void => {
          if (readLength() <= least) return;
          end();
          requestAnimationFrame(() =>
            requestAnimationFrame(() => (performance.mark('window-load-painted'), done())),
          );
        };
        const watcher = new MutationObserver(look);
        const timer = setTimeout(() => {
          end();
          fail(new Error(`"${name}" has ${readLength()} characters, not over ${least}.`));
        }, longestMs);
        const end = (): void => (watcher.disconnect(), clearTimeout(timer));
        performance.mark('window-load-start');
        watcher.observe(document, { subtree: true, childList: true, attributeFilter: ['data-text-length'] });
        look();
      }),
    [label, longerThan, LONGEST_WAIT_MS] as const,
  );
  await click();
  await painted;
  // Long texts are laid out after they are painted: that must not hold the window up either.
  await page.waitForTimeout(400);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return readLoad(trace.traceEvents);
}

/** The longest task of the window while something is done, in milliseconds of its main thread. */
export async function measureLongestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories });
  await page.evaluate(() => performance.mark('window-load-start'));
  await act();
  await page.evaluate(() => performance.mark('window-load-painted'));
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return readLoad(trace.traceEvents).longestMs;
}

function readLoad(events: readonly TraceEvent[]): WindowLoad {
  const start = events.find((event) => event.name === 'window-load-start')!;
  const painted = events.find((event) => event.name === 'window-load-painted')!;
  const tasks = events.filter(
    (event) => event.name === 'RunTask' && event.pid === start.pid && event.tid === start.tid,
  );
  const costs = tasks
    .filter((task) => task.ts >= start.ts)
    .map((task) => ({ isBeforePaint: task.ts <= painted.ts, ms: (task.tdur ?? 0) / 1000 }));
  return {
    longestMs: Math.max(...costs.map(({ ms }) => ms)),
    paintMs: costs.reduce((sum, { isBeforePaint, ms }) => sum + (isBeforePaint ? ms : 0), 0),
  };
}
