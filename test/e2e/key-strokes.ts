import type { Page } from '@playwright/test';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Of the thread, not of the clock on the wall. */
  tdur?: number;
}

const PAUSE_MS = 60;

/**
 * Types digits and takes them back where the cursor stands.
 *
 * @returns of each stroke, what it cost the window's main thread until the frame after it was drawn, in milliseconds of that
 * thread: waiting for a busy machine's processor is not among them
 */
export async function measureKeyStrokes(page: Page, count: number): Promise<number[]> {
  await page.evaluate(() => {
    if ('areStrokesMarked' in window) return;
    Object.assign(window, { areStrokesMarked: true });
    window.addEventListener(
      'keydown',
      () => {
        performance.mark('stroke');
        // A message comes after the frame whose callback sent it.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => performance.mark('drawn');
          port2.postMessage(null);
        });
      },
      true,
    );
  });
  const browser = page.context().browser()!;
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata'],
  });
  for (let stroke = 0; stroke < count; stroke += 1) {
    await page.keyboard.press(stroke % 2 === 0 ? String(1 + (stroke % 9)) : 'Backspace');
    await page.waitForTimeout(PAUSE_MS);
  }
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return readStrokes(trace.traceEvents);
}

function readStrokes(events: readonly TraceEvent[]): number[] {
  const listMarks = (name: string) =>
    events.filter((event) => event.name === name).sort((a, b) => a.ts - b.ts);
  const strokes = listMarks('stroke');
  const drawn = listMarks('drawn');
  const tasks = events.filter(
    ({ name, pid, tid }) => name === 'RunTask' && pid === strokes[0]?.pid && tid === strokes[0].tid,
  );
  return strokes.map((stroke) => {
    const end = drawn.find(({ ts }) => ts > stroke.ts)?.ts ?? Infinity;
    const mine = tasks.filter(({ ts, dur = 0 }) => ts + dur > stroke.ts && ts < end);
    return mine.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
  });
}
