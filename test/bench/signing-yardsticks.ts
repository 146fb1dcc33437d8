import { execFileSync } from 'node:child_process';

/** Rates that `openssl speed` measures, counted in processor time as ours are. */
export interface OpensslRsa {
  signsPerSecond: number;
  verifiesPerSecond: number;
}

function runSpeed(args: string[]): string {
  return execFileSync('openssl', ['speed', '-mr', '-seconds', '1', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Measures RSA 2048 for two seconds. */
export function measureOpensslRsa(): OpensslRsa {
  const line = /^\+F2:\d+:2048:([\d.]+):([\d.]+)/m.exec(runSpeed(['rsa2048']));
  // Two rates, or two durations: older versions print seconds an operation.
  const [first = 0, second = 0] = (line?.slice(1) ?? []).map(Number);
  const toRate = (figure: number): number => (figure < 1 ? 1 / figure : figure);
  return { signsPerSecond: toRate(first), verifiesPerSecond: toRate(second) };
}

/** Gives operations a second of processor time: on a busy machine the clock on the wall tells little. */
export function measureRate(work: () => void, forMs = 1000): number {
  const limitMicros = forMs * 1000;
  const used = (start: NodeJS.CpuUsage): number => {
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  let batch = 1;
  let count = 0;
  const start = process.cpuUsage();
  while (used(start) < limitMicros) {
    for (let run = 0; run < batch; run += 1) work();
    count += batch;
    if (batch < 1024) batch *= 2;
  }
  return (count * 1e6) / used(start);
}

/** Gives the middle of several figures. */
export function medianOf(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[figures.length >> 1] ?? 0;
}
