import { refuseDanglingLink, refuseOtherThanFile } from '../files/files';

/**
 * Refuses a link to nothing, a folder or a pipe in the place of a database or of what SQLite keeps beside it.
 *
 * SQLite follows links, makes what is missing, and waits for a pipe.
 * @throws {AppError} `platform.unwritable` naming it
 */
export function refuseUnfitDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    refuseDanglingLink(file + suffix);
    refuseOtherThanFile(file + suffix);
  }
}
