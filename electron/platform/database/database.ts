import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@shared/errors';
import { copyFile, renameFile, syncPath } from '../files/differing-disks';
import {
  freeName,
  makeDirectory,
  refuseCrowded,
  removeIfThere,
  syncDirectory,
  anotherDataFolder,
  toFileError,
} from '../files/files';
import { keepFolder } from '../files/kept-folder';
import { escapeName, removeLeftOfProcesses } from '../files/remove-leftovers';
import { loadLibsql } from './load-libsql';
import type { SqlDatabase } from '../ports';
import { hardenDatabase, NotANumber } from './harden-database';
import { refuseReadOnlyDatabase, refuseUnfitDatabase } from './refuse-unfit';
import { ensureSound, forgetClosed, keepLog, noteClosed, type Rescue } from './rescue-database';

let libsql: ReturnType<typeof loadLibsql> | null = null;

/** One step of a schema. Ids count up from 1 and are never reused; a step that was released is never edited. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

export interface DatabaseOptions {
  /** Path of the file, or `:memory:`. */
  file: string;
  migrations: readonly Migration[];
  /** Added to, or in place of, the standing ones. */
  pragmas?: Readonly<Record<string, string | number>>;
  /** For the one that writes: a file that was not closed cleanly is looked at first, and a damaged one is replaced by what can be saved. */
  rescue?: Rescue;
  /** Told as soon as a statement meets damage. */
  onDamage?(): void;
}

const IN_MEMORY = ':memory:';
const STANDING_PRAGMAS = { busy_timeout: 5000, journal_mode: 'WAL', synchronous: 'FULL', foreign_keys: 'ON' };
/** SQLite's result codes, by what they mean for the user. */
const DAMAGED_CODES = new Set([11, 26]);
const UNWRITABLE_CODES = new Set([3, 8, 14]);
const READ_ONLY_CODE = 8;
const FAILED_DISK_CODE = 10;
const FULL_CODE = 13;
/** SQLITE_IOERR_SHMSIZE: there is no room for the index of the log, which is a file of its own. */
const NO_ROOM_FOR_INDEX = 4874;
/** Two copies are compared by so much at a time. */
const COMPARED_BYTES = 1 << 20;
/** A statement that meets these has changed nothing, and the user can do something about it. */
const isRefusedWrite = (error: unknown): boolean =>
  isFull(error) || [READ_ONLY_CODE, FAILED_DISK_CODE].includes(readResult(error));

/**
 * Opens a database and brings its schema up to date.
 *
 * An existing database is copied to `<file>.before-<id>` before it is upgraded, `id` being the first step
 * that was missing; all missing steps run in one transaction. Several processes may open the same file at once.
 * @throws {AppError} `platform.database_newer`, `platform.database_damaged`, `platform.migration_failed`,
 *   `platform.unwritable`, `platform.disk_full`
 */
export function openDatabase({ file, migrations, pragmas, rescue, onDamage }: DatabaseOptions): SqlDatabase {
  if (rescue !== undefined && file !== IN_MEMORY) {
    ensureSound(file, rescue, (fresh) => openDatabase({ file: fresh, migrations }));
  }
  const database = connectDatabase(file);
  const stopKeeping = file === IN_MEMORY ? () => undefined : keepFolder(dirname(file));
  let isDamaged = false;
  const noteDamage = (): void => {
    isDamaged = true;
    // However it is closed: it is looked at before it is used next.
    forgetClosed(file);
    onDamage?.();
  };
  try {
    for (const [name, value] of Object.entries({ ...STANDING_PRAGMAS, ...pragmas })) {
      database.exec(`PRAGMA ${name} = ${value}`);
    }
    migrate(database, file, migrations);
    hardenDatabase(database, (error) => {
      if (isRefusedWrite(error)) return toDatabaseError(error, file);
      if (!isDamage(error)) return error;
      noteDamage();
      return describeDamage(error, file);
    });
    if (file !== IN_MEMORY) closeWhole(database, file, { isDamaged: () => isDamaged, stopKeeping });
    return database;
  } catch (error) {
    if (isDamage(error)) noteDamage();
    database.close();
    stopKeeping();
    throw toDatabaseError(error, file);
  }
}

/** Looks at a database that nothing has open yet; see {@link DatabaseOptions.rescue}. */
export function rescueDatabase({
  file,
  migrations,
  rescue,
}: Required<Pick<DatabaseOptions, 'file' | 'migrations' | 'rescue'>>): void {
  ensureSound(file, rescue, (fresh) => openDatabase({ file: fresh, migrations }));
}

/** Lets a clean end leave everything in the one file, so that a copy of it is whole. */
function closeWhole(
  database: SqlDatabase,
  file: string,
  { isDamaged, stopKeeping }: { isDamaged(): boolean; stopKeeping(): void },
): void {
  const close = database.close.bind(database);
  database.close = () => {
    if (isDamaged()) return (close(), stopKeeping(), database);
    try {
      database.exec('PRAGMA busy_timeout = 200; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Another process is at it, or the disk is full: then the log stays beside the file, and is part of it.
    }
    close();
    noteClosed(file);
    stopKeeping();
    return database;
  };
}

/** Connects to a file as it is, made for this user alone when it is missing. @throws {AppError} `platform.unwritable` */
export function connectDatabase(file: string): SqlDatabase {
  if (file !== IN_MEMORY) {
    createPrivateFile(file);
    keepLog(file);
  }
  try {
    libsql ??= loadLibsql();
    return new libsql(file);
  } catch (error) {
    throw describeUnopened(error, file);
  }
}

function describeUnopened(error: unknown, file: string): AppError {
  try {
    refuseCrowded();
  } catch (crowded) {
    return toFileError(crowded, dirname(file), anotherDataFolder);
  }
  return toFileError(error, dirname(file), anotherDataFolder);
}

/** SQLite would make the file, and its journal after it, readable for everyone. */
function createPrivateFile(file: string): void {
  makeDirectory(dirname(file), anotherDataFolder);
  refuseUnfitDatabase(file);
  // Never opened when it exists: closing it again would drop the locks that this process holds on it.
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw toFileError(error, dirname(file), anotherDataFolder);
  }
}

function migrate(database: SqlDatabase, file: string, migrations: readonly Migration[]): void {
  const latest = migrations.at(-1)?.id ?? 0;
  const before = readVersion(database);
  if (before === latest) return;
  refuseNewer(before, latest, file);
  const copy = before > 0 && file !== IN_MEMORY ? copyBefore(database, file) : null;
  database.exec('BEGIN IMMEDIATE');
  let current: Migration | undefined;
  let kept: string | null = null;
  try {
    // Read again: another process may have upgraded the file while this one waited for the lock.
    const version = readVersion(database);
    const missing = migrations.filter(({ id }) => id > version);
    for (current of missing) database.exec(current.sql);
    database.exec(`PRAGMA user_version = ${Math.max(latest, version)}`);
    // A name that is kept comes last: an upgrade that is killed before has left what the next one removes.
    if (copy !== null && missing.length > 0) kept = keepCopy(copy, `${file}.before-${before + 1}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    if (kept !== null) removeIfThere(kept);
    throw toMigrationError(error, file, current);
  } finally {
    if (copy !== null) removeIfThere(copy);
  }
}

function readVersion(database: SqlDatabase): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** Copies what an open database still reads, however its file fares. @returns the copy's name; null: it could not */
export function saveOpenDatabase(database: SqlDatabase, file: string): string | null {
  const target = freeName(`${file}.saved`);
  try {
    createPrivateFile(target);
    database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
    syncPath(target);
    return target;
  } catch {
    removeIfThere(target);
    return null;
  }
}

/** `EXCLUSIVE`: needs no room for the index of the log. Nobody else has it open then: who has, has made that room. */
type Locking = 'NORMAL' | 'EXCLUSIVE';

/**
 * Copies a database as it stands between two commits, log included, while others write to it.
 *
 * @param target - a file that is not there yet
 * @throws {AppError} `platform.database_damaged`, `platform.database_failed`; what the system says of the target
 */
export function copyDatabase(file: string, target: string, locking: Locking = 'NORMAL'): void {
  try {
    copyOpened(file, target, locking);
  } catch (error) {
    if (!(error instanceof AppError) && readResult(error) < 0) throw error;
    if (locking === 'NORMAL' && hasNoRoomForIndex(error)) return copyDatabase(file, target, 'EXCLUSIVE');
    const known = toDatabaseError(error, file);
    if (known.code !== 'platform.unwritable' || mayWriteIn(dirname(file))) throw known;
    copyUnopened(file, target);
  }
}

function copyOpened(file: string, target: string, locking: Locking = 'NORMAL'): void {
  const database = connectDatabase(file);
  try {
    createPrivateFile(target);
    database.exec(`PRAGMA busy_timeout = 10000; PRAGMA locking_mode = ${locking}`);
    // VACUUM by itself does not tell that there is no room for the index.
    database.exec('SELECT 1 FROM sqlite_schema');
    try {
      database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
    } catch (error) {
      // Nothing but the target is written.
      throw readResult(error) === FULL_CODE ? makeFullError(error) : error;
    }
    syncPath(target);
  } finally {
    database.close();
  }
}

/** Where nothing can be written, SQLite does not even open what has a log of its own: the bytes are copied, and opened there. */
function copyUnopened(file: string, target: string): void {
  const bytes = `${target}.bytes`;
  removeIfThere(target);
  try {
    for (const suffix of ['', '-wal']) {
      if (!existsSync(file + suffix)) continue;
      createPrivateFile(bytes + suffix);
      copyFile(file + suffix, bytes + suffix);
    }
    copyOpened(bytes, target);
  } catch (error) {
    throw readResult(error) < 0 ? error : toDatabaseError(error, file);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) removeIfThere(bytes + suffix);
  }
}

function mayWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Copies a database that is to be upgraded, under a name that marks it as unfinished. */
function copyBefore(database: SqlDatabase, file: string): string {
  // An upgrade that was killed is begun again by whoever opens the file next: what it left is removed here.
  const copies = String.raw`^${escapeName(basename(file))}\.before-[\d.]*\.?tmp-(\d{1,10})(?:-journal|-wal|-shm)?$`;
  removeLeftOfProcesses(dirname(file), new RegExp(copies));
  const temporary = `${file}.before-tmp-${process.pid}`;
  removeIfThere(temporary);
  createPrivateFile(temporary);
  try {
    database.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
    // VACUUM INTO leaves its output in the system's cache.
    syncPath(temporary);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  return temporary;
}

/**
 * Gives a copy the name that it keeps; none where an upgrade that was killed right before its end has left the same.
 *
 * @returns the name; null: the same is there already
 */
function keepCopy(copy: string, wanted: string): string | null {
  const target = freeName(wanted);
  const [folder, name] = [dirname(wanted), escapeName(basename(wanted))];
  const earlier = readdirSync(folder).filter((one) => new RegExp(String.raw`^${name}(?:\.\d+)?$`).test(one));
  if (earlier.some((one) => hasSameBytes(copy, join(folder, one)))) return null;
  renameFile(copy, target);
  syncDirectory(folder);
  return target;
}

/** Tells whether two files have the same bytes; they are read in pieces, since a database may be large. */
function hasSameBytes(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false;
  const files = [openSync(one, 'r'), openSync(other, 'r')] as const;
  const [here, there] = [Buffer.alloc(COMPARED_BYTES), Buffer.alloc(COMPARED_BYTES)];
  try {
    for (;;) {
      const [count, same] = [readSync(files[0], here), readSync(files[1], there)];
      if (count !== same || !here.subarray(0, count).equals(there.subarray(0, same))) return false;
      if (count === 0) return true;
    }
  } finally {
    files.forEach((file) => closeSync(file));
  }
}

/**
 * Refuses a file that a newer version wrote, and changes nothing in it; what else is wrong with it is said by whoever opens it.
 *
 * @throws {AppError} `platform.database_newer`
 */
export function refuseNewerDatabase(file: string, migrations: readonly Migration[]): void {
  if (existsSync(file)) refuseNewer(readFileVersion(file), migrations.at(-1)?.id ?? 0, file);
}

function readFileVersion(file: string): number {
  let database: SqlDatabase | null = null;
  try {
    database = connectDatabase(file);
    return readVersion(database);
  } catch {
    return 0;
  } finally {
    database?.close();
  }
}

function refuseNewer(version: number, latest: number, file: string): void {
  if (version <= latest) return;
  throw new AppError(
    'platform.database_newer',
    `${basename(file)} was written by a newer Countersign (schema ${version}, this one knows ${latest}). ` +
      'It was left as it is: install the newer version, or choose another folder with --data.',
    { details: { file, version, latest } },
  );
}

function toMigrationError(error: unknown, file: string, migration: Migration | undefined): AppError {
  const known = toDatabaseError(error, file);
  if (known.code !== 'platform.database_failed') return known;
  return new AppError(
    'platform.migration_failed',
    `${basename(file)} could not be brought up to date (step '${migration?.name ?? 'commit'}'). ` +
      'Nothing in it was changed: go back to the version you had, and report this.',
    { details: { file, migration: migration?.id ?? null }, cause: error },
  );
}

/** Says what is wrong with a database, and what to do. */
export function toDatabaseError(error: unknown, file: string): AppError {
  if (error instanceof AppError) return error;
  const primary = readResult(error);
  if (isDamage(error)) return describeDamage(error, file);
  if (isFull(error)) return toFileError(makeFullError(error), dirname(file));
  if (UNWRITABLE_CODES.has(primary)) return describeUnwritable(file);
  const what =
    primary === FAILED_DISK_CODE
      ? `read or written: the disk failed, or a quota or the limit of a file's size (ulimit -f) is reached (${(error as { code?: string }).code ?? 'I/O error'}). See to that`
      : 'opened. Close other programs that use it';
  return new AppError('platform.database_failed', `${basename(file)} could not be ${what} and try again.`, {
    details: { file },
    retryable: true,
    cause: error,
  });
}

const makeFullError = (cause: unknown): Error =>
  Object.assign(new Error('full', { cause }), { code: 'ENOSPC' });

const hasNoRoomForIndex = (error: unknown): boolean =>
  (error as { rawCode?: number }).rawCode === NO_ROOM_FOR_INDEX;

const isFull = (error: unknown): boolean => readResult(error) === FULL_CODE || hasNoRoomForIndex(error);

/** Names the file where it is one that may not be written, else its folder, and why. */
function describeUnwritable(file: string): AppError {
  const folder = dirname(file);
  try {
    refuseCrowded();
    accessSync(folder, constants.W_OK);
    refuseReadOnlyDatabase(file);
  } catch (error) {
    return toFileError(error, folder, anotherDataFolder);
  }
  return toFileError(Object.assign(new Error('read-only'), { code: 'EACCES' }), folder, anotherDataFolder);
}

/** SQLite's primary result code; -1: it is no error of SQLite. */
function readResult(error: unknown): number {
  const { rawCode } = error as { rawCode?: number };
  return typeof rawCode === 'number' ? rawCode & 0xff : -1;
}

function isDamage(error: unknown): boolean {
  return error instanceof NotANumber || DAMAGED_CODES.has(readResult(error));
}

function describeDamage(cause: unknown, file: string): AppError {
  const sizeBytes = existsSync(file) ? statSync(file).size : 0;
  return new AppError(
    'platform.database_damaged',
    `${file} is damaged or not a database. It was left as it is: try again, or end Countersign and start it again, which saves what can ` +
      'be read into a new one, or put a copy of it back in its place.',
    { details: { file, sizeBytes }, cause },
  );
}
