import type { SqlDatabase } from '../ports';

/**
 * Empties the log beside a database's file, which still has what was deleted.
 *
 * Where somebody reads just now, or the disk is full, it stays until it is begun anew: what was to be deleted is.
 */
export function emptyLog(database: SqlDatabase): void {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  database.exec('PRAGMA busy_timeout = 0');
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // As said above.
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}
