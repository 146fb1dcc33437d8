/** So soon where nobody tells when nothing is going on: Safari does not. */
const soonMs = 200;

/** Runs something while nothing else is going on, `latestMs` from now at the latest. */
export function whenIdle(run: () => void, latestMs: number): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => run(), { timeout: latestMs });
  else setTimeout(run, Math.min(soonMs, latestMs));
}
