import {
  chmodSync,
  closeSync,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';

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

/** Copies a small file; where the disk takes no permissions, which the system's own copy wants to give, without them. */
export function copySmallFile(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (!takesNoPermissions(error)) throw error;
    writeFileSync(to, readFileSync(from));
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
