import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { connectDatabase } from '../database/database';
import { removeIfThere } from './files';

const RETRY_MS = 15;

/**
 * Runs a function while no other process (or other caller here) that uses the same lock file does.
 *
 * The lock is SQLite's own on an empty database: the system lets go of it when its holder dies, however that
 * happens, so nothing stale is ever left behind.
 * @param options.timeoutMs - how long to wait for the lock
 * @throws {AppError} `platform.busy` when it was not free in time; what the function throws
 */
export async function withProcessLock<T>(
  file: string,
  run: () => Promise<T>,
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): Promise<T> {
  const database = connectDatabase(file);
  try {
    const giveUpAt = performance.now() + timeoutMs;
    while (!tryLock(() => database.exec('BEGIN EXCLUSIVE'))) {
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
  release(): void;
}

/**
 * Takes a folder for one use (`sandbox`, `app`), for as long as this process runs.
 *
 * The lock is the same as that of {@link withProcessLock}: a process that is killed holds nothing.
 * @returns what was taken, or what the process says that has it (empty where it says nothing yet)
 */
export function holdFolder(
  directory: string,
  use: string,
): { held: HeldFolder } | { held: null; holder: HolderFacts } {
  const factsFile = join(directory, `${use}.holder.json`);
  const database = connectDatabase(join(directory, `${use}.lock`));
  if (!tryLock(() => database.exec('BEGIN EXCLUSIVE'))) {
    database.close();
    return { held: null, holder: readFacts(factsFile) };
  }
  removeIfThere(factsFile);
  return {
    held: {
      tell: (facts) => writeFileSync(factsFile, JSON.stringify(facts), { mode: 0o600 }),
      release() {
        if (!database.open) return;
        removeIfThere(factsFile);
        database.close();
      },
    },
  };
}

function readFacts(file: string): HolderFacts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as HolderFacts;
  } catch {
    // Not written yet, or being removed.
    return {};
  }
}

/**
 * Runs a function that does not wait while no other process that uses the same lock file does.
 *
 * @throws {AppError} `platform.busy` when it was not free in ten seconds; what the function throws
 */
export function withProcessLockSync<T>(file: string, run: () => T): T {
  const database = connectDatabase(file);
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    if (!tryLock(() => database.exec('BEGIN EXCLUSIVE'))) throw busy(file);
    try {
      return run();
    } finally {
      database.exec('ROLLBACK');
    }
  } finally {
    database.close();
  }
}

function tryLock(lock: () => void): boolean {
  try {
    lock();
    return true;
  } catch (error) {
    const { rawCode } = error as { rawCode?: number };
    // SQLITE_BUSY and SQLITE_LOCKED, extended forms included.
    if (typeof rawCode === 'number' && [5, 6].includes(rawCode & 0xff)) return false;
    throw error;
  }
}

function busy(file: string): AppError {
  return new AppError(
    'platform.busy',
    'Another Countersign process is changing the same data. Wait a moment and try again.',
    { details: { file }, retryable: true },
  );
}
