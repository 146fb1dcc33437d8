import type { Exchange } from '@shared/contract/sending';

export interface TimingBar {
  label: string;
  durationMs: number;
  startPercent: number;
  widthPercent: number;
  isLongest: boolean;
}

const leastPercent = 1.5;

/**
 * Lays phases out one after the other on a line of 100 percent; phases that did not happen are left out.
 *
 * @param isFailed - no whole answer came: what passed after the last phase that ended has a bar of its own
 */
export function layOutTimings(timings: NonNullable<Exchange['timings']>, isFailed = false): TimingBar[] {
  const phases = [
    ['Queue', timings.queueMs],
    ['DNS', timings.dnsMs],
    ['Connect', timings.connectMs],
    ['TLS', timings.tlsMs],
    ['First byte', timings.firstByteMs],
    ['Download', timings.downloadMs],
  ] as const;
  const known = phases.flatMap<{ label: string; durationMs: number }>(([label, durationMs]) =>
    durationMs === null ? [] : [{ label, durationMs }],
  );
  if (isFailed) {
    const ended = known.reduce((total, { durationMs }) => total + durationMs, 0);
    known.push({ label: 'To the end', durationMs: Math.max(0, timings.totalMs - ended) });
  }
  const sum = known.reduce((total, { durationMs }) => total + durationMs, 0) || 1;
  const longest = Math.max(...known.map(({ durationMs }) => durationMs));
  let passed = 0;
  return known.map(({ label, durationMs }) => {
    const widthPercent = Math.max(leastPercent, (durationMs / sum) * 100);
    const startPercent = Math.min((passed / sum) * 100, 100 - widthPercent);
    passed += durationMs;
    return { label, durationMs, startPercent, widthPercent, isLongest: durationMs === longest };
  });
}
