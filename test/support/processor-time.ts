import { readFileSync } from 'node:fs';

/** Code that is mutated counts each step of its own, and is several times slower: no limit says anything of it. */
const isMutating = process.env['MUTATING'] === '1';

/**
 * Starts to count this process's own processor time, and gives a reader of it in milliseconds.
 *
 * For limits on work: a clock on the wall also counts what the machine did for others.
 */
export function countProcessorMs(): () => number {
  if (isMutating) return () => 0;
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/**
 * As above, of the thread that asks alone: what somebody waits for who waits for it. What the garbage collector does beside it, on
 * threads of its own, holds nobody up. Where the system does not tell (only Linux does), the whole process is counted.
 */
export function countThreadMs(): () => number {
  if (isMutating) return () => 0;
  const before = readThreadNanos();
  if (before === null) return countProcessorMs();
  return () => (readThreadNanos()! - before) / 1e6;
}

const rest = new Int32Array(new SharedArrayBuffer(4));

function readThreadNanos(): number | null {
  // A thread that goes on is counted at the clock's next tick only, milliseconds later; one that rests is counted at once.
  Atomics.wait(rest, 0, 0, 0.05);
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);
  } catch {
    return null;
  }
}
