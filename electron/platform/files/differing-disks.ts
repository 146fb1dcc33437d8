import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
  type CopySyncOptions,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';

/** What disks say that know no such thing, as those that a virtual machine shares with its host. */
const notKnown: ReadonlySet<string> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

export const isNotKnown = (error: unknown): boolean => notKnown.has(codeOf(error));

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** A disk that gives every file to one owner, as FAT and shared folders may, lets nobody else change permissions, of what he has just made either. */
const takesNoPermissions = (error: unknown): boolean => codeOf(error) === 'EPERM' || isNotKnown(error);

/** Gives a file of ours, open or by its path, permissions; those of its disk stay where that takes none. */
export function permit(file: number | string, mode: number): void {
  try {
    if (typeof file === 'number') fchmodSync(file, mode);
    else chmodSync(file, mode);
  } catch (error) {
    if (!takesNoPermissions(error)) throw error;
  }
}

/** Copies a file; where the disk takes no permissions, which the system's own copy wants to give, without them. */
export function copyFile(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (!takesNoPermissions(error)) throw error;
    copyBytes(from, to);
  }
}

/** A database may be larger than memory. */
function copyBytes(from: string, to: string): void {
  const piece = Buffer.alloc(1 << 20);
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'w', lstatSync(from).mode & 0o777);
    try {
      for (let read = 1; read > 0;) {
        read = readSync(source, piece);
        for (let at = 0; at < read;) at += writeSync(target, piece, at, read - at);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/**
 * Copies a file or folder to where nothing stands: links stay links. On a disk that takes no permissions it goes without them.
 *
 * @param wish - what comes along, everything where it is left out; whether times do
 */
export function copyTree(
  from: string,
  to: string,
  wish: Pick<CopySyncOptions, 'filter' | 'preserveTimestamps'>,
): void {
  const options = { ...wish, recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false };
  try {
    cpSync(from, to, options);
  } catch (error) {
    if (!takesNoPermissions(error)) throw error;
    rmSync(to, { recursive: true, force: true });
    copyBare(from, to, options);
  }
}

function copyBare(from: string, to: string, options: CopySyncOptions): void {
  if (options.filter?.(from, to) === false) return;
  const stats = lstatSync(from);
  if (stats.isDirectory()) {
    mkdirSync(to, (stats.mode & 0o777) | 0o700);
    for (const name of readdirSync(from)) copyBare(join(from, name), join(to, name), options);
  } else if (stats.isFile()) copyBytes(from, to);
  // Links have no permissions; of pipes and devices it says what they are.
  else cpSync(from, to, options);
  if (options.preserveTimestamps && !stats.isSymbolicLink()) keepTimes(to, stats);
}

/** Whom nothing there belongs to may not set these either. */
function keepTimes(path: string, { atime, mtime }: Stats): void {
  try {
    utimesSync(path, atime, mtime);
  } catch (error) {
    if (!takesNoPermissions(error)) throw error;
  }
}

/** Longer than a virus scanner, an index or a sync client looks at a file. */
const mostWaits = 12;
const waitMs = 100;
const inUse: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Renames a file or folder; on Windows, which refuses that while others have it open, it is tried again for a second. */
export function renameFile(from: string, to: string): void {
  for (let waits = 0; ; waits++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (process.platform !== 'win32' || waits === mostWaits || !inUse.has(codeOf(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

/** Forces the content of a file that something else wrote to disk; Windows does so for who may write it alone. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
