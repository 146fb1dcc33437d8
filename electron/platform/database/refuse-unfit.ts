import { refuseDanglingLink, refuseOtherThanFile, refuseReadOnly, refuseUnreadable } from '../files/files';

/**
 * Refuses a link to nothing, a folder, a pipe or a file that may not be read in the place of a database or of what SQLite keeps beside it.
 *
 * SQLite follows links, makes what is missing, and waits for a pipe; of what it may not read it does not say which file that is.
 * @throws {AppError} `platform.unwritable` naming it
 */
export function refuseUnfitDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    refuseDanglingLink(file + suffix);
    refuseOtherThanFile(file + suffix);
    refuseUnreadable(file + suffix);
  }
}

/**
 * Refuses a database, or what SQLite keeps beside it, that may not be written where it is to be: SQLite opens it, and
 * refuses the first change without a word of which file it is.
 *
 * @throws {AppError} `platform.unwritable` naming it
 */
export function refuseReadOnlyDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseReadOnly(file + suffix);
}
