import { createHash } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { connectDatabase, toDatabaseError } from '../database/database';
import { isFolderGone, keepFolder } from './kept-folder';
import { makeDirectory, readOwnFile, removeIfThere, toFileError, writeOwnFile } from './files';

const RETRY_MS = 15;
/** A reader of the same folder (`report`) is done sooner. */
const READER_MS = 2000;

/**
 * Runs a function while no other process (or other caller here) that uses the same lock file does.
 *
 * The lock is SQLite's own on an empty database: the system lets go of it when its holder dies, however that
 * happens, so nothing stale is ever left behind.
 * @param options.timeoutMs - how long to wait for the lock
 * @throws {AppError} `platform.busy` when it was not free in time, `platform.disk_full` or `.unwritable` where no lock can be
 *   written; what the function throws
 */
export async function withProcessLock<T>(
  file: string,
  run: () => Promise<T>,
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): Promise<T> {
  const database = openLock(file);
  try {
    const giveUpAt = performance.now() + timeoutMs;
    while (!tryLock(() => takeLock(database, file))) {
      if (performance.now() > giveUpAt) throw busy(file);
      await delay(RETRY_MS);
    }
    try {
      return await run();
    } finally {
      database.exec('ROLLBACK');
    }
  } finally {
    database.close();
  }
}

/** What a holder tells those who come after it: an address, the number of its process. */
export type HolderFacts = Readonly<Record<string, string>>;

/** A folder that is ours until we let go of it, or end. */
export interface HeldFolder {
  /** Says what those who come after are to know. */
  tell(facts: HolderFacts): void;
  /** @param last - what stays said until the next holder comes */
  release(last?: HolderFacts): void;
}

/**
 * Takes a folder for one use (`sandbox`, `app`), for as long as this process runs.
 *
 * The lock is the same as that of {@link withProcessLock}: a process that is killed holds nothing. Its file can be
 * removed by hand, though, and one made anew is another lock: so it is taken a second time, in a place of this user
 * where nobody tidies a data folder, under the number that the system gave the folder.
 * @param store - name of the database that the use keeps open: where somebody has it, the folder is not free, whatever
 *   became of the locks; who loses a database loses all, and none is removed by hand
 * @returns what was taken, or what the process says that has it (empty where it says nothing yet)
 */
export function holdFolder(
  directory: string,
  use: string,
  store?: string,
): { held: HeldFolder } | { held: null; holder: HolderFacts } {
  const factsFile = nameFacts(directory, use);
  const second = nameSecondLock(directory, use);
  const files = [join(directory, `${use}.lock`), ...second];
  // The folder's own lock counts; the place for temporary files may be full, or read-only.
  const asMayBe = <T>(index: number, otherwise: T, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (index === 0) throw error;
      return otherwise;
    }
  };
  const locks = files.flatMap((file, index) => asMayBe(index, [], () => [openLock(file)]));
  const stopKeeping = keepFolder(directory);
  const letGo = (): void => {
    locks.forEach((lock) => lock.close());
    stopKeeping();
  };
  let told = '';
  const tell = (facts: HolderFacts): void => {
    const text = JSON.stringify({ ...facts, pid: String(process.pid) });
    // For a moment a file that is written holds nothing: whoever waits while it says the same would see that end.
    if (text === told) return;
    told = '';
    try {
      writeOwnFile(factsFile, text);
      told = text;
    } catch (error) {
      throw toFileError(error, directory);
    }
  };
  try {
    const isTaken =
      !locks.every((lock, index) =>
        asMayBe(index, true, () => tryLock(() => takeLock(lock, files[index]!))),
      ) ||
      (store !== undefined && !wasHeldHere(directory, use) && isDatabaseOpen(join(directory, store)));
    if (isTaken) {
      letGo();
      return { held: null, holder: readHolder(directory, use) };
    }
    tell({});
  } catch (error) {
    letGo();
    throw error;
  }
  return {
    held: {
      tell,
      release(last = {}) {
        if (!locks[0]!.open) return;
        if (!isFolderGone(directory)) tell(last);
        // Not the lock of the folder itself: whoever has opened it would hold one that nobody else finds.
        second.forEach(removeIfThere);
        letGo();
      },
    },
  };
}

/** Where this user's processes meet, whatever the folder; nothing where that place is not this user's alone. */
function nameSecondLock(directory: string, use: string): string[] {
  // Windows removes no file that is open.
  if (process.getuid === undefined) return [];
  return [nameUserLock(directory, use)].filter((file) => file !== null);
}

/**
 * Takes the place of a folder for as long as this process runs, whichever folder stands there: where the one in use was moved or
 * unmounted, another must not be begun in it.
 *
 * @returns lets go of it; null: another has it, or had its folder there
 */
export function holdPlace(directory: string, use: string): (() => void) | null {
  const file = process.getuid === undefined ? null : nameUserLock(directory, use, 'place');
  if (file === null) return () => undefined;
  try {
    const lock = openLock(file);
    if (tryLock(() => takeLock(lock, file)))
      return () => {
        if (!lock.open) return;
        removeIfThere(file);
        lock.close();
      };
    lock.close();
    return null;
  } catch {
    // As with the second lock of a folder: its own counts.
    return () => undefined;
  }
}

/** Names a lock on a folder, or on its place, where this user's processes meet; null: they meet nowhere that is this user's alone. */
export function nameUserLock(
  directory: string,
  use: string,
  on: 'folder' | 'place' = 'folder',
): string | null {
  // Elsewhere the place for temporary files is a user's own.
  const user = process.getuid?.() ?? null;
  const place = join(tmpdir(), user === null ? 'countersign' : `countersign-${user}`);
  try {
    makeDirectory(place);
    const { uid, mode } = lstatSync(place);
    const isOthers = user !== null && (uid !== user || (mode & 0o077) !== 0);
    if (isOthers || lstatSync(place).isSymbolicLink()) return null;
    if (on === 'place') {
      const path = createHash('sha256').update(realpathSync(directory)).digest('hex');
      return join(place, `${use}-at-${path.slice(0, 32)}.lock`);
    }
    const { dev, ino } = statSync(directory, { bigint: true });
    return join(place, `${use}-${dev}-${ino}.lock`);
  } catch {
    return null;
  }
}

/** The library keeps a database open, and locked, that was closed while one of its statements lives, in any thread. */
const wasHeldHere = (directory: string, use: string): boolean =>
  readHolder(directory, use)['pid'] === String(process.pid);

/** Tells whether any process has a database open: each connection to one with a log holds a lock on the file itself. */
export function isDatabaseOpen(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = connectDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${READER_MS}; PRAGMA locking_mode = EXCLUSIVE`);
    return !tryLock(() => database.exec('SELECT 1 FROM sqlite_schema'));
  } catch {
    // Damaged, or none at all: who opens it says so.
    return false;
  } finally {
    database.close();
  }
}

/** What the process says that has a folder, or had it when it was killed. */
export function readHolder(directory: string, use: string): HolderFacts {
  try {
    return JSON.parse(readOwnFile(nameFacts(directory, use)).toString('utf8')) as HolderFacts;
  } catch {
    // Not written yet.
    return {};
  }
}

const nameFacts = (directory: string, use: string): string => join(directory, `${use}.holder.json`);

/**
 * Runs a function that does not wait while no other process that uses the same lock file does.
 *
 * @throws {AppError} `platform.busy` when it was not free in ten seconds, `platform.disk_full` or `.unwritable` where no lock can
 *   be written; what the function throws
 */
export function withProcessLockSync<T>(file: string, run: () => T): T {
  const database = openLock(file);
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    if (!tryLock(() => takeLock(database, file))) throw busy(file);
    try {
      return run();
    } finally {
      database.exec('ROLLBACK');
    }
  } finally {
    database.close();
  }
}

/** Tells whether a lock was got; another process has it otherwise. */
export function tryLock(lock: () => void): boolean {
  try {
    lock();
    return true;
  } catch (error) {
    if (isHeld(error)) return false;
    throw error;
  }
}

function isHeld(error: unknown): boolean {
  const { rawCode } = error as { rawCode?: number };
  // SQLITE_BUSY and SQLITE_LOCKED, extended forms included.
  return typeof rawCode === 'number' && [5, 6].includes(rawCode & 0xff);
}

/** @throws {AppError} `platform.disk_full`, `platform.unwritable` */
export function openLock(file: string): ReturnType<typeof connectDatabase> {
  try {
    return connectDatabase(file);
  } catch (error) {
    throw toLockError(error, file);
  }
}

/** To be called within {@link tryLock}. @throws {AppError} `platform.disk_full`, `platform.unwritable` */
export function takeLock(database: ReturnType<typeof connectDatabase>, file: string): void {
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    throw isHeld(error) ? error : toLockError(error, file);
  }
}

/** A lock takes a block of the disk, and whatever stands in its place may be anything. */
function toLockError(error: unknown, file: string): AppError {
  const known = toDatabaseError(error, file);
  if (known.code !== 'platform.database_damaged') return known;
  return new AppError(
    'platform.unwritable',
    `${file} should be an empty file that Countersign locks, and holds something else. Remove it, and try again.`,
    { details: { file }, cause: error },
  );
}

function busy(file: string): AppError {
  return new AppError(
    'platform.busy',
    'Another Countersign process is changing the same data. Wait a moment and try again.',
    { details: { file }, retryable: true },
  );
}
