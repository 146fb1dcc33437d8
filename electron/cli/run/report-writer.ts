import {
  closeSync,
  createReadStream,
  fstatSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Report } from '@shared/run/reports/report';
import { AppError } from '@shared/errors';
import type { RequestResult, RunSummary } from '@shared/run/run-result';
import { copyFile, permit, renameFile } from '../../platform/files/differing-disks';
import { findStats, isLink, removeIfThere, syncDirectory, toFileError } from '../../platform/files/files';
import { openUnlinked } from '../../platform/files/open-unlinked';

/** Writes one report: parts as they come, the rest at the end. */
export interface ReportWriter {
  add(result: RequestResult): void;
  finish(summary: RunSummary, exitCode: number): Promise<void>;
}

export interface ReportTarget {
  write(text: string): void;
  /** Resolves when a slow reader may be given more. */
  drain(): Promise<void>;
  close(): void;
}

/**
 * A file that takes its name once it is whole: who collects files never finds half of one, nor misses the one before.
 *
 * Until then it stands beside that name; what a killed run left there makes way. A pipe or a device is written to as it stands.
 * @throws {AppError} `platform.unwritable`, `platform.disk_full`
 */
export function openFileTarget(folder: string, name: string): ReportTarget {
  const file = join(folder, name);
  const part = join(folder, `.${name}.part`);
  // What may not be replaced is refused before anything is sent.
  const old = findStats(file) === undefined && !isLink(file) ? null : openUnlinked(file, 'append', 0o644);
  const stats = old === null ? null : fstatSync(old);
  const write = (descriptor: number) => (text: string) =>
    writeThere(() => writeFileSync(descriptor, text), file);
  const drain = (): Promise<void> => Promise.resolve();
  if (old !== null) {
    if (stats?.isFile() === false) return { write: write(old), drain, close: () => closeSync(old) };
    closeSync(old);
  }
  removeIfThere(part);
  const descriptor = openUnlinked(part, 'anew', 0o644);
  if (stats !== null) permit(descriptor, stats.mode & 0o777);
  const discard = (): void => removeIfThere(part);
  process.once('exit', discard);
  return {
    write: write(descriptor),
    drain,
    close() {
      writeThere(() => fsyncSync(descriptor), file);
      closeSync(descriptor);
      process.off('exit', discard);
      giveName(part, file);
    },
  };
}

/** One that is mounted by itself, as into a container, has no other put in its place: it is written over. */
function giveName(part: string, file: string): void {
  try {
    try {
      renameFile(part, file);
    } catch {
      copyFile(part, file);
      rmSync(part);
    }
    syncDirectory(dirname(file));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? '';
    throw new AppError(
      'platform.unwritable',
      `${file} cannot be replaced (${reason}): the whole report stands in ${part}. Take it from there.`,
      { cause: error },
    );
  }
}

/** Standard output. */
export function openStdoutTarget(): ReportTarget {
  let isFull = false;
  // A reader that left takes no more; the run goes on.
  const gone = new Promise((resolve) => process.stdout.once('error', resolve));
  return {
    write: (text) => void (isFull = !process.stdout.write(text)),
    drain: async () => {
      if (isFull) await Promise.race([gone, new Promise((resolve) => process.stdout.once('drain', resolve))]);
    },
    close: () => undefined,
  };
}

/**
 * Writes a report to a target.
 *
 * One whose head tells the totals keeps its parts in a temporary file until they are known.
 */
export function createReportWriter(report: Report, target: ReportTarget): ReportWriter {
  const spool = report.start === undefined ? openSpool() : null;
  let index = 0;
  let fault: AppError | null = null;
  if (report.start !== undefined) target.write(report.start);
  return {
    add(result) {
      const part = report.part(result, index++);
      if (part === '' || fault !== null) return;
      try {
        (spool ?? target).write(part);
      } catch (error) {
        // The run goes on: a report that finds no room is told at its end.
        if (!(error instanceof AppError)) throw error;
        fault = error;
      }
    },
    async finish(summary, exitCode) {
      if (fault !== null) throw fault;
      const { head, tail } = report.finish(summary, exitCode);
      target.write(head);
      for await (const chunk of spool?.read() ?? []) {
        target.write(chunk);
        await target.drain();
      }
      target.write(tail);
      await target.drain();
      target.close();
    },
  };
}

function writeThere(write: () => void, path: string, what = path): void {
  try {
    write();
  } catch (error) {
    const { code, message } = toFileError(error, path);
    throw new AppError(
      code,
      `${what} could not be written to its end, what was sent stands above. ${message}`,
    );
  }
}

const anotherTemporaryFolder = 'another with TMPDIR';

/**
 * A temporary file that is gone with the process, whatever ends it; Windows removes none that is open.
 *
 * @throws {AppError} `platform.unwritable`, `platform.disk_full`
 */
function openSpool() {
  const place = tmpdir();
  const { folder, file, descriptor } = makeTemporaryFile(place);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (process.platform !== 'win32') remove();
  return {
    write: (text: string): void => writeThere(() => writeFileSync(descriptor, text), place, 'The report'),
    async *read(): AsyncGenerator<string> {
      const parts = createReadStream(file, { fd: descriptor, start: 0, encoding: 'utf8' });
      try {
        for await (const chunk of parts) yield String(chunk);
      } finally {
        remove();
      }
    },
  };
}

function makeTemporaryFile(place: string): { folder: string; file: string; descriptor: number } {
  try {
    const folder = mkdtempSync(join(place, 'countersign-run-'));
    const file = join(folder, 'parts');
    return { folder, file, descriptor: openSync(file, 'w+', 0o600) };
  } catch (error) {
    throw toFileError(error, place, anotherTemporaryFolder);
  }
}
