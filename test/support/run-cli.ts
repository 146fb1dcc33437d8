import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export const projectRoot = join(import.meta.dirname, '..', '..');
export const cliEntry = join(projectRoot, 'out', 'cli', 'index.js');

/** A started command and the JSON lines that it has printed so far. */
export interface RunningCommand {
  child: ChildProcess;
  lines: Record<string, unknown>[];
  /** Everything on stdout and stderr so far. */
  readOutput(): string;
  /** What came on stderr alone. */
  readErrors(): string;
  /** Told of each JSON line from now on. */
  onLine(take: (line: Record<string, unknown>) => void): void;
  /** Waits for the next line that fits, or one that came already. */
  waitForLine(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Ends what a test that failed left behind: it would go on writing, and load the machine, for ever. `end-with-file.ts` calls it. */
export function endStarted(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Ends a process with the tests of the file, unless it has ended by then. */
export function endWithTests<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** The first line that a program prints, read as JSON. Rejects where the output ends without one: no later line would end the wait. */
export function readReadyLine<T>(stdout: Readable): Promise<T> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout });
    lines.once('line', (line) => resolve(JSON.parse(line) as T));
    lines.once('close', () => reject(new Error('The program ended before it said that it is ready.')));
  });
}

/** Starts the built command line. `nodeArgs` stand before the entry. */
export function startCli(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; nodeArgs?: readonly string[]; hasInput?: boolean } = {},
): RunningCommand {
  const child = endWithTests(
    spawn(process.execPath, [...(options.nodeArgs ?? []), cliEntry, ...args], {
      stdio: [options.hasInput === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    }),
  );
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  const takers: ((line: Record<string, unknown>) => void)[] = [];
  let output = '';
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
    errors += chunk.toString('utf8');
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    output += `${line}\n`;
    try {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    } catch {
      return;
    }
    for (const take of takers) take(lines.at(-1)!);
    for (const look of waiting) look();
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    lines,
    readOutput: () => output,
    readErrors: () => errors,
    onLine: (take) => void takers.push(take),
    waitForLine(fits) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void exited.then(() => {
          look();
          reject(new Error(`The command ended before it printed that line. It said:\n${output}`));
        });
      });
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}
