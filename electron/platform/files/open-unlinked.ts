import { constants, mkdirSync, openSync } from 'node:fs';
import { AppError } from '@shared/errors';
import { toFileError } from './files';

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
};

/** Opens a file of a folder that the call names (`--out`). @throws {AppError} `platform.unwritable`, `platform.disk_full` */
export function openUnlinked(file: string, way: keyof typeof ways, mode: number): number {
  return writeThere(file, () => openSync(file, ways[way], mode));
}

/** Makes the folder that the call names (`--out`). @throws {AppError} `platform.unwritable`, `platform.disk_full` */
export function makeOutFolder(folder: string): void {
  writeThere(folder, () => mkdirSync(folder, { recursive: true }));
}

function writeThere<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ''];
    if (fault === undefined) throw toFileError(error, path);
    throw new AppError('platform.unwritable', `${path} ${fault}, or name another folder with --out.`, {
      cause: error,
    });
  }
}
