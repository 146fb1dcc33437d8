import { closeSync, openSync, statSync, type BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@shared/errors';

interface Kept {
  /** Held open: the system gives the number of a folder that was removed to the next one that is made. */
  readonly descriptor: number;
  readonly was: Pick<BigIntStats, 'dev' | 'ino'>;
  users: number;
}

/** Folders of this thread that must stay those that were opened, by path. */
const kept = new Map<string, Kept>();

/**
 * Has a folder of ours watched for as long as something of it is open: from the moment that it is moved, removed or
 * unmounted, {@link requireKept} refuses what would begin another one at its path, which nobody knows of.
 *
 * Not on Windows: it lets nobody take a folder away that holds open files, and tells numbers of a folder that change with the
 * way of asking and, on some disks, with time.
 * @returns lets go of it
 * @throws {AppError} `platform.folder_gone`
 */
export function keepFolder(directory: string): () => void {
  requireKept(directory);
  const entry = kept.get(directory) ?? openFolder(directory);
  if (entry === null) return () => undefined;
  entry.users += 1;
  kept.set(directory, entry);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    entry.users -= 1;
    if (entry.users > 0) return;
    kept.delete(directory);
    closeSync(entry.descriptor);
  };
}

/** Tells whether the folder in use that a path is, or lies in, is another one now, or none. */
export function isFolderGone(path: string): boolean {
  return findGone(path) !== null;
}

/** @throws {AppError} `platform.folder_gone` where {@link isFolderGone} */
export function requireKept(path: string): void {
  if (isFolderGone(path)) throw describeGone(path);
}

/** Says that the folder of a path has gone, and what to do. */
export function describeGone(path: string): AppError {
  const directory = findGone(path) ?? path;
  return new AppError(
    'platform.folder_gone',
    `${directory} was moved, removed or unmounted while Countersign uses it, and is not begun anew. ` +
      'Put it back, in the place of any other that stands there now, or end Countersign and start it with the folder where it is now (--data DIR).',
    { details: { directory }, retryable: true },
  );
}

function findGone(path: string): string | null {
  for (let at = path; ; at = dirname(at)) {
    const entry = kept.get(at);
    if (entry !== undefined) return isSame(at, entry) ? null : at;
    if (at === dirname(at)) return null;
  }
}

function isSame(directory: string, { was }: Kept): boolean {
  try {
    const now = statSync(directory, { bigint: true, throwIfNoEntry: false });
    return now !== undefined && now.dev === was.dev && now.ino === was.ino;
  } catch {
    // A disk that fails, or rights that were taken away: whoever writes there is told so.
    return true;
  }
}

function openFolder(directory: string): Kept | null {
  if (process.platform === 'win32') return null;
  try {
    const descriptor = openSync(directory, 'r');
    return { descriptor, was: statSync(directory, { bigint: true }), users: 0 };
  } catch {
    return null;
  }
}
