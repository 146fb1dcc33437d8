import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError, isCrowded } from '@shared/errors';
import { isNotKnown, permit, renameFile, syncPath } from './differing-disks';
import { requireKept } from './kept-folder';
import { removeLeftovers } from './remove-leftovers';
import { describeWriteFault, fullDisk } from './write-faults';

/**
 * Replaces a file so that a reader, or a crash at any moment, sees the old bytes or the new ones, never a mix.
 *
 * Writes a neighbour, syncs it, renames it over the file, syncs the folder. The neighbour is removed when
 * anything fails. A pipe or a device is no file: a rename would take it away.
 * @param options.mode - permissions of a new file, without what the umask takes; 0600 where left out
 * @param options.keepsMode - a file that is there keeps its own permissions, all of them: a team may write to it
 * @param options.lookAgain - throws where the file is not to be replaced after all: syncing takes its time, in which others write
 * @throws {AppError} `platform.unwritable`, `platform.disk_full`
 */
export function writeFileDurably(
  file: string,
  data: string | Uint8Array,
  {
    mode = 0o600,
    keepsMode = false,
    lookAgain = () => undefined,
  }: { mode?: number; keepsMode?: boolean; lookAgain?: () => void } = {},
): void {
  requireKept(file);
  const temporary = nameNeighbour(file);
  try {
    refuseOtherThanFile(file);
    const kept = keepsMode ? statSync(file, { throwIfNoEntry: false }) : undefined;
    writeSynced(temporary, data, mode, kept);
    lookAgain();
    renameFile(temporary, file);
  } catch (error) {
    removeIfThere(temporary);
    throw toFileError(error, dirname(file));
  }
  removeLeftovers(dirname(file), neighboursOf(file));
  syncDirectory(dirname(file));
}

/** A name has 255 bytes at most, and that of a neighbour 18 more than its file's: of a long one, so many letters stand in it as fit for sure. */
function cutName(file: string): string {
  const name = basename(file);
  return Buffer.byteLength(name) > 237 ? name.slice(0, 79).replace(/\p{Surrogate}$/u, '') : name;
}

/** Gives the path of a neighbour that a file, or a folder, is written through: nothing stands there. */
export const nameNeighbour = (file: string): string =>
  join(dirname(file), `.${cutName(file)}.${randomBytes(6).toString('hex')}.tmp`);

export const neighboursOf = (file: string): RegExp =>
  new RegExp(`^\\.${cutName(file).replace(/[^\w]/g, '\\$&')}\\.[0-9a-f]{12}\\.tmp$`);

/** Makes a folder and those above it; new ones are for this user alone where `mode` says nothing else. @throws {AppError} `platform.unwritable`, `platform.folder_gone` */
export function makeDirectory(directory: string, another?: string, mode = 0o700): void {
  requireKept(directory);
  try {
    makeMissing(directory, mode);
  } catch (error) {
    throw toFileError(error, directory, another);
  }
}

/** Tells whether a link stands at a path, wherever it leads; false where nobody can look. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The file that is written: what a link leads to, in its place, so that the link stays one. */
export function followLink(file: string): string {
  refuseDanglingLink(file);
  return isLink(file) ? realpathSync(file) : file;
}

/**
 * Refuses a link to nothing where a file of ours is to be made: making it would write wherever the link leads.
 *
 * @throws {AppError} `platform.unwritable` naming the link
 */
export function refuseDanglingLink(file: string): void {
  if (existsSync(file) || !isLink(file)) return;
  throw new AppError(
    'platform.unwritable',
    `${file} is a link to something that is not there. Remove the link, and try again.`,
    { details: { file } },
  );
}

/**
 * Looks at what stands at a path that somebody else chose; undefined: nothing that can be reached, whether it is not
 * there, a link in a circle, below a folder that may not be entered, or a name too long for any file.
 */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Refuses a folder or a device where a file of ours is to be. @throws {AppError} `platform.unwritable` naming it */
export function refuseOtherThanFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  throw new AppError(
    'platform.unwritable',
    `${file} is ${stats.isDirectory() ? 'a folder' : 'no ordinary file'}, where a file of Countersign belongs. ` +
      'Move it away, and try again.',
    { details: { file } },
  );
}

/**
 * Refuses a file of ours that is there and may not be read, as one that was made by root: to go on without it would lose
 * what it holds.
 *
 * @throws {AppError} `platform.unwritable` naming it
 */
export const refuseUnreadable = (file: string): void => refuseClosed(file, constants.R_OK, 'read');

/** Refuses a file of ours that is there and may not be written. @throws {AppError} `platform.unwritable` naming it */
export const refuseReadOnly = (file: string): void => refuseClosed(file, constants.W_OK, 'written');

function refuseClosed(file: string, mode: number, what: string): void {
  try {
    accessSync(file, mode);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason !== 'EACCES' && reason !== 'EPERM') return;
    throw new AppError(
      'platform.unwritable',
      `${file} may not be ${what} by you, and was left as it is. ${
        process.platform === 'win32'
          ? 'Take its write protection away, and give yourself the rights to it (in its Properties)'
          : 'Make it yours (chown), and open to you (chmod u+rwX)'
      }, and try again.`,
      { details: { file, reason }, cause: error },
    );
  }
}

/** Reads a file of ours: a pipe in its place would be waited for, without an end. @throws {AppError} as {@link refuseOtherThanFile}, and as the system does */
export function readOwnFile(file: string): Buffer {
  refuseOtherThanFile(file);
  return readFileSync(file);
}

/** Writes a note of ours, which nobody misses when it is cut short. @throws {AppError} where a link to nothing, a folder or a pipe is in its place; and as the system does */
export function writeOwnFile(file: string, text: string): void {
  requireKept(file);
  refuseDanglingLink(file);
  refuseOtherThanFile(file);
  refuseReadOnly(file);
  writeFileSync(file, text, { mode: 0o600 });
}

/** Tells whether a file of ours is there. @throws {AppError} as {@link refuseDanglingLink}: what it leads to may come back */
export function isFileThere(file: string): boolean {
  refuseDanglingLink(file);
  return existsSync(file);
}

/** Removes a file of ours that may be there; failing to is no failure. */
export function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A leftover does no harm, and what made this necessary is what the caller reports.
  }
}

/** One folder at a time: Node's own recursive call never returns where a parent exists but takes no folders (/proc). */
function makeMissing(directory: string, mode: number): void {
  if (findStats(directory)?.isDirectory()) return;
  const parent = dirname(directory);
  if (parent !== directory) makeMissing(parent, mode);
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    // Somebody else made it meanwhile; a file of that name is in the way.
    if (!findStats(directory)?.isDirectory()) throw error;
  }
}

/** Tells whether two paths lead to one file, however they are written: over a linked folder, in other letters, by another name of it. */
export function isOneFile(one: string, other: string): boolean {
  const [here, there] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  if (here !== undefined && there !== undefined) return here.dev === there.dev && here.ino === there.ino;
  const placeOf = (path: string): string => {
    const folder = dirname(resolve(path));
    return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
  };
  return placeOf(one) === placeOf(other);
}

/** Of a database: itself, its log, the log's index, and one for now. */
const OPENED_AT_ONCE = 4;

/**
 * Fails as the system does where it opens no more files: SQLite says of one that it cannot open nothing more.
 *
 * No file of ours is opened for it: to close a database anywhere drops the locks that this process holds on it.
 */
export function refuseCrowded(): void {
  const opened: number[] = [];
  try {
    while (opened.length < OPENED_AT_ONCE) opened.push(openSync(devNull, 'r'));
  } finally {
    opened.forEach((one) => closeSync(one));
  }
}

/** Gives a name that is free: the one wanted, or with a number. */
export function freeName(wanted: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}.${count}`;
    if (!existsSync(name)) return name;
  }
}

/** Forces a folder's entries (a rename, a new file) to disk, where that can be asked for: Windows cannot open folders. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  try {
    syncPath(directory);
  } catch (error) {
    if (!isNotKnown(error)) throw error;
  }
}

/** What may be taken in the place of a data folder. */
export const anotherDataFolder = 'another with --data DIR';

/**
 * Says what a failed file operation means for the user; anything unexpected stays the cause.
 *
 * @param another - what may be taken in its place
 */
export function toFileError(error: unknown, directory: string, another = 'another folder'): AppError {
  if (error instanceof AppError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? 'unknown';
  const reason = code !== 'ENFILE' && isCrowded(error) ? 'EMFILE' : code;
  if (fullDisk.has(reason)) {
    return new AppError(
      'platform.disk_full',
      `No space is left on the disk of ${directory}. Free some and try again.`,
      {
        details: { directory, reason },
        retryable: true,
        cause: error,
      },
    );
  }
  const { why, what } = describeWriteFault(reason);
  return new AppError(
    'platform.unwritable',
    `Cannot write in ${directory}: ${why}. ${what}, or choose ${another}.`,
    { details: { directory, reason }, cause: error },
  );
}

/** The group first: a change of it takes permissions away. Who is not in it cannot give it, and writes all the same. */
function keepPermissions(descriptor: number, { mode, gid }: Stats): void {
  try {
    if (fstatSync(descriptor).gid !== gid) fchownSync(descriptor, -1, gid);
  } catch {
    // As said above.
  }
  permit(descriptor, mode & 0o777);
}

function writeSynced(file: string, data: string | Uint8Array, mode: number, kept: Stats | undefined): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openSync(file, flags, mode);
  try {
    if (kept !== undefined) keepPermissions(descriptor, kept);
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
