import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeIfThere, toFileError } from './files';
import { nameUserLock, openLock, takeLock, tryLock } from './process-lock';

/** A folder that no other process of this user takes for the same use until it is let go of, or we end. */
export interface HeldOutFolder {
  release(): void;
}

/**
 * Takes a folder that the call names (`--out`) for one use, and leaves nothing in it.
 *
 * The lock stands where this user's processes meet, under the number that the system gave the folder: the folder's files
 * are the user's, and links in it may be anybody's. Where there is no such place, nothing is held.
 * @throws {AppError} `platform.disk_full`, `platform.unwritable` where no lock can be written there: two of one run would pay twice
 * @returns what was taken, or the number of the process that has it (null: it has not said so yet)
 */
export function holdOutFolder(
  directory: string,
  use: string,
): { held: HeldOutFolder } | { held: null; pid: string | null } {
  const file = nameUserLock(directory, use);
  if (file === null) return { held: { release: () => undefined } };
  const holder = `${file}.pid`;
  const lock = openLock(file);
  try {
    if (!tryLock(() => takeLock(lock, file))) {
      lock.close();
      return { held: null, pid: readPid(holder) };
    }
    writeFileSync(holder, String(process.pid), { mode: 0o600 });
  } catch (error) {
    lock.close();
    throw toFileError(error, dirname(file));
  }
  return {
    held: {
      release() {
        if (!lock.open) return;
        removeIfThere(holder);
        removeIfThere(file);
        lock.close();
      },
    },
  };
}

function readPid(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
