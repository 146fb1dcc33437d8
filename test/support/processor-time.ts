import { readFileSync } from 'node:fs';

/** Code that is mutated counts each step of its own, and is several times slower: no limit says anything of it. */
const isMutating = process.env['MUTATING'] === '1';

/**
 * Starts to count this process's own processor time, and gives a reader of it in milliseconds.
 *
 * For limits on work: a clock on the wall also counts what the machine did for others. On a machine that is slower than the one that
 * limits were set on, or for a while is, as where others share its cores, fewer are counted: as many as that one would have taken.
 */
export function countProcessorMs(): () => number {
  if (isMutating) return () => 0;
  return countAsUsual(() => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  });
}

/**
 * As above, of the thread that asks alone: what somebody waits for who waits for it. What the garbage collector does beside it, on
 * threads of its own, holds nobody up. Where the system does not tell (only Linux does), the whole process is counted.
 */
export function countThreadMs(): () => number {
  if (isMutating) return () => 0;
  if (readThreadNanos() === null) return countProcessorMs();
  return countAsUsual(() => readThreadNanos()! / 1e6);
}

function countAsUsual(readMs: () => number): () => number {
  const slownessBefore = recallSlowness();
  const before = readMs();
  return () => {
    const spent = readMs() - before;
    // No limit is as low as that; of a thousand short pieces of work, measuring the machine took ten times as long.
    if (spent < negligibleMs) return spent;
    return spent / ((slownessBefore + readSlowness()) / 2);
  };
}

const negligibleMs = 10;

/** Machines change their speed from second to second, no faster. */
const validForMs = 250;
let lastRead = { at: Number.NEGATIVE_INFINITY, slowness: 1 };

function recallSlowness(): number {
  if (performance.now() - lastRead.at > validForMs) readSlowness();
  return lastRead.slowness;
}

/** What the piece of work below takes on the machine that limits were set on, once it is compiled. */
const usualMs = 4;
let isCompiled = false;

/** Whoever takes longer for a moment was held up by something else. */
const slowest = 3;

/** How many times as long as the machine that limits were set on this one takes just now, up to three times; 1 where it is faster. */
export function readSlowness(): number {
  // Compiled after some turns, by the engine's own count.
  if (!isCompiled) for (let turn = 0; turn < 8; turn += 1) workABit();
  isCompiled = true;
  const spent = [0, 1, 2].map(() => {
    const { user, system } = process.cpuUsage();
    workABit();
    const after = process.cpuUsage();
    return (after.user - user + after.system - system) / 1000;
  });
  const median = spent.toSorted((a, b) => a - b)[1]!;
  lastRead = { at: performance.now(), slowness: Math.min(slowest, Math.max(1, median / usualMs)) };
  return lastRead.slowness;
}

/** Some of what the product does most: expressions over texts, maps, JSON, characters one by one. */
function workABit(): number {
  const text = Array.from(
    { length: 4000 },
    (_, at) => `name${at % 97}=${(at * 31) % 997}&x\\u00${(at % 90) + 10}`,
  ).join('\n');
  let kept = [...text.matchAll(/(\w+)=(\d+)(?:&|$)/g)].length;
  kept += text.replace(/\\u00(\d\d)/g, (_all, code) => String.fromCharCode(Number(code))).length;
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line.slice(0, 7), (counts.get(line.slice(0, 7)) ?? 0) + 1);
  kept += (JSON.parse(JSON.stringify([...counts])) as unknown[]).length;
  for (let at = 0; at < text.length; at += 1) kept = Math.trunc(kept + text.charCodeAt(at));
  return kept;
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
