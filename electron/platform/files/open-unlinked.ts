import { constants, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@shared/errors';
import { toFileError, findStats } from './files';
import { fullDisk } from './write-faults';

/** Ways to open a file for writing that follow no link: one in a folder that came from elsewhere would lead over another file. */
const ways = {
  anew: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
} as const;

const faults: Readonly<Record<string, string>> = {
  ELOOP: 'is a link. Remove it',
  EISDIR: 'is a folder, where a file is to be written. Move it away',
  EEXIST: 'is a file, where a folder is to be. Move it away',
  ENOTDIR: 'leads through a file. Move that away',
  EACCES: 'may not be written. Make it writable for you',
  EPERM: 'may not be written. Make it writable for you',
  EROFS: 'lies on a disk that is read-only. Make it writable',
};

/** Opens a file of a folder that the call names (`--out`). @throws {AppError} `platform.unwritable`, `platform.disk_full` */
export function openUnlinked(file: string, way: keyof typeof ways, mode: number): number {
  return writeThere(file, () => openSync(file, ways[way], mode));
}

/** Makes the folder that the call names (`--out`). @throws {AppError} `platform.unwritable`, `platform.disk_full` */
export function makeOutFolder(folder: string): void {
  writeThere(folder, () => makeStepByStep(folder));
}

/**
 * Makes a folder, and those above it that are missing.
 *
 * Not `recursive`: that never ends where a system says of a folder in one that is there that nothing is there (`/proc`), and says
 * of a disk that is read-only that there is no such folder.
 */
export function makeStepByStep(folder: string): void {
  if (findStats(folder)?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder && findStats(above) === undefined) makeStepByStep(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process made it meanwhile.
    if (!findStats(folder)?.isDirectory()) throw error;
  }
}

function writeThere<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? '';
    if (fullDisk.has(reason)) throw toFileError(error, path);
    const fault =
      faults[reason] ?? `cannot be written (${reason}). See that its folder is there and writable`;
    throw new AppError('platform.unwritable', `${path} ${fault}, or name another folder with --out.`, {
      cause: error,
    });
  }
}
