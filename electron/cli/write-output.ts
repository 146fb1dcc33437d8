import { readFileSync, readlinkSync } from 'node:fs';
import { constants, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { findStats, writeFileDurably } from '../platform/files/files';
import { makeStepByStep } from '../platform/files/open-unlinked';
import { readRegularFile } from '../platform/files/regular-file';
import { describeWriteFault } from '../platform/files/write-faults';

/**
 * Writes a new file; one that exists is kept unless `isForced`. A pipe or a device such as /dev/null takes what is written, and
 * stays what it is.
 *
 * @param mode - permissions: 0600 for private keys
 * @throws {AppError} `cli.file_exists`, `cli.unwritable_file`
 */
export async function writeOutput(
  file: string,
  data: string | Uint8Array,
  options: { flag: string; mode: number; isForced: boolean },
): Promise<void> {
  try {
    if (isStream(file)) await writeInto(file, data);
    else if (options.isForced) {
      writeFileDurably(file, data, { mode: options.mode });
    } else await writeNew(file, data, options.mode);
  } catch (error) {
    if (findStats(file)?.isDirectory() === true) {
      throw new AppError('cli.unwritable_file', `${options.flag}: ${file} is a folder. Name a file in it.`, {
        cause: error,
      });
    }
    const code = readReason(error);
    if (code === 'EEXIST') {
      throw new AppError(
        'cli.file_exists',
        `${options.flag}: ${file} exists. Add --force to replace it, or name another file.`,
      );
    }
    throw unwritable(`${options.flag}: cannot write ${file}`, file, code, error);
  }
}

/**
 * Refuses to make what standard output alone would hold where that is closed.
 *
 * Node has put `/dev/null` in its place before anything of ours runs, open for both ways, as no shell opens it. Only Linux
 * tells how a file is open.
 * @throws {AppError} `cli.unwritable_file`
 */
export function requireOutput(what: string): void {
  try {
    if (readlinkSync('/proc/self/fd/1') !== '/dev/null') return;
    const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? [];
    if ((parseInt(flags, 8) & constants.O_RDWR) === 0) return;
  } catch {
    return;
  }
  throw new AppError(
    'cli.unwritable_file',
    `Standard output is closed, and ${what} would be lost. Name a file with --out.`,
  );
}

/** In which a file says of what kind it is. */
const HEAD_BYTES = 200;

/**
 * Writes a file that is written time and again: an earlier one of its kind is replaced, anything else only with `isForced`.
 *
 * @param options.kind - what each file of the kind has in its first 200 bytes
 * @throws {AppError} `cli.file_exists`, `cli.unwritable_file`
 */
export async function writeAgain(
  file: string,
  data: string,
  { kind, isForced }: { kind: string; isForced: boolean },
): Promise<void> {
  const path = resolve(file);
  const { bytes } = readRegularFile(path, { root: dirname(path), maxBytes: HEAD_BYTES, isHeadEnough: true });
  const mayReplace = isForced || findStats(path) === undefined || bytes?.includes(kind) === true;
  await writeOutput(path, data, { flag: 'FILE', mode: 0o600, isForced: mayReplace });
}

function isStream(file: string): boolean {
  const stats = findStats(file);
  return stats?.isFIFO() === true || stats?.isCharacterDevice() === true;
}

/** Without making a file where a pipe was taken away meanwhile. */
async function writeInto(file: string, data: string | Uint8Array): Promise<void> {
  const opened = await open(file, constants.O_WRONLY);
  try {
    await opened.writeFile(data);
  } finally {
    await opened.close();
  }
}

/** What is not whole is taken away again: a disk that fills up would leave half of a key. */
async function writeNew(file: string, data: string | Uint8Array, mode: number): Promise<void> {
  const opened = await open(file, 'wx', mode);
  try {
    await opened.writeFile(data);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await opened.close();
  }
}

/** Makes the folder that files are to be written into. @throws {AppError} `cli.unwritable_file` */
export function makeOutputFolder(folder: string, flag: string): void {
  try {
    makeStepByStep(folder);
  } catch (error) {
    throw unwritable(`${flag}: cannot make the folder ${folder}`, folder, readReason(error), error);
  }
}

function readReason(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
}

function unwritable(what: string, path: string, reason: string, cause: unknown): AppError {
  const folder = dirname(resolve(path));
  const fault = describeWriteFault(reason);
  const own: Readonly<Record<string, string>> = {
    ENOSPC: `no space is left on the disk of ${folder}. Free some`,
    EDQUOT: `your share of the disk of ${folder} is used up. Free some`,
    ENOENT: findStats(folder)?.isDirectory()
      ? `${folder} takes no new files. See what it is`
      : `there is no folder ${folder}. Make it`,
    EACCES: `you may not write in ${folder}. ${fault.what}`,
    EPERM: `you may not write in ${folder}. ${fault.what}`,
  };
  const said = own[reason] ?? `${fault.why}. ${fault.what}`;
  return new AppError('cli.unwritable_file', `${what}: ${said}, or name another place.`, { cause });
}
