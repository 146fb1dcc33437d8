import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lines that wait are written at the latest when they are so long together. */
const MOST_WAITING_CHARACTERS = 64 * 1024;

/** Writes lines to the two streams of a process in the order in which they were given. */
export interface LineWriter {
  out(line: string): void;
  err(line: string): void;
  /** Writes what waits; to be called where the process ends in this turn. */
  flush(): void;
  /** Writes as many lines as there are, and makes none while the reader has not taken the last: what is long never waits in memory. */
  each(made: AsyncIterable<string> | Iterable<string>): Promise<void>;
  /** Whether the reader of stdout has taken what was written. */
  isRead(): boolean;
}

/**
 * Makes a writer that writes the lines of one turn of the event loop at once: each write to a pipe is a call of the system,
 * and a burst of exchanges prints hundreds.
 */
export function createLineWriter(
  stdout: Pick<NodeJS.WriteStream, 'write' | 'writableNeedDrain' | 'once'>,
  stderr: Pick<NodeJS.WriteStream, 'write'>,
): LineWriter {
  let waiting = '';
  const flush = (): void => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    stdout.write(text);
  };
  const out = (line: string): void => {
    if (waiting === '') process.nextTick(flush);
    waiting += `${line}\n`;
    if (waiting.length > MOST_WAITING_CHARACTERS) flush();
  };
  return {
    out,
    err(line) {
      flush();
      stderr.write(`${line}\n`);
    },
    flush,
    isRead: () => !stdout.writableNeedDrain,
    async each(made) {
      for await (const line of made) {
        out(line);
        if (stdout.writableNeedDrain) await new Promise<void>((resolve) => stdout.once('drain', resolve));
        // A file takes all at once: without a turn between, what was written is never let go, and no signal is heard.
        else if (waiting === '') await nextTurn();
      }
    },
  };
}
