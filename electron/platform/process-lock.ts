import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { connectDatabase } from './database';

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
