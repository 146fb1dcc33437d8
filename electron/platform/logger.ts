import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, refuseDanglingLink, refuseOtherThanFile, toFileError } from './files/files';
import type { Clock, Logger, LogLevel } from './ports';
import { redactValue } from './redact';

const MAX_LINE_CHARACTERS = 20_000;
const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface FileLoggerOptions {
  dataDirectory: string;
  clock: Clock;
  /** Lower levels are dropped; `info` where left out. */
  level?: LogLevel;
  /** A file that grew past this is put aside as `.1`. */
  maxBytes?: number;
  /** How many files are kept aside. */
  keep?: number;
}

/**
 * Logs JSON lines to `<data>/logs/countersign.log`, rotated by size, secrets cut.
 *
 * Opened at the first line, so that a start without anything to say costs nothing. Appends whole lines, so that
 * several processes may share the file. A log that cannot be written stops nothing: it says so once on stderr.
 */
export function createFileLogger(options: FileLoggerOptions): Logger {
  const { dataDirectory, clock, level = 'info', maxBytes = 2 * 1024 * 1024, keep = 3 } = options;
  const directory = join(dataDirectory, 'logs');
  const file = join(directory, 'countersign.log');
  const lowest = LEVELS.indexOf(level);
  let descriptor: number | null = null;
  let hasComplained = false;

  const write = (line: string): void => {
    if (descriptor === null) {
      makeDirectory(directory);
      refuseDanglingLink(file);
      refuseOtherThanFile(file);
      descriptor = openSync(file, 'a', 0o600);
    }
    writeSync(descriptor, line);
    if (fstatSync(descriptor).size < maxBytes) return;
    closeSync(descriptor);
    descriptor = null;
    rotate(file, keep);
  };
  return {
    log(entryLevel, event, fields) {
      if (LEVELS.indexOf(entryLevel) < lowest) return;
      try {
        write(formatLine(clock.now(), entryLevel, event, fields));
      } catch (error) {
        descriptor = null;
        if (!hasComplained)
          process.stderr.write(`The log is not written. ${toFileError(error, directory).message}\n`);
        hasComplained = true;
      }
    },
  };
}

function formatLine(
  now: number,
  level: LogLevel,
  event: string,
  fields: Record<string, unknown> | undefined,
): string {
  const entry = redactValue({ ...fields, at: new Date(now).toISOString(), level, event });
  const line = JSON.stringify(entry);
  if (line.length <= MAX_LINE_CHARACTERS) return `${line}\n`;
  const head = { at: new Date(now).toISOString(), level, event, cut: line.slice(0, MAX_LINE_CHARACTERS) };
  return `${JSON.stringify(head)}\n`;
}

function rotate(file: string, keep: number): void {
  for (let age = keep; age >= 1; age--) {
    const from = age === 1 ? file : `${file}.${age - 1}`;
    try {
      renameSync(from, `${file}.${age}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
