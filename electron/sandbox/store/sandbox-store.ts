import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Migration } from '../../platform/database/database';
import { requireKept } from '../../platform/files/kept-folder';
import type { SqlDatabase } from '../../platform/ports';
import type { SandboxOptions } from '../sandbox-options';
import { sandboxMigrations } from './sandbox-migrations';
import { webhookMigrations } from '../webhooks/webhook-store';

/** Pages (4 KiB) in the log before they are copied into the database, which holds everything up for a moment. */
const CHECKPOINT_PAGES = 4000;

/** File of a sandbox's store, in its folder. */
export const storeName = 'sandbox.db';

/** The store of a sandbox. */
export interface SandboxStore {
  readonly db: SqlDatabase;
  /** Its path as it was given; null in memory. */
  readonly file: string | null;
  /** Descriptor of the write-ahead log, for syncing it; null in memory. */
  readonly logFile: number | null;
  /** @throws {AppError} `platform.folder_gone` */
  requireFolder(): void;
  close(): void;
}

/** All steps of `sandbox.db`, in order. */
export function listMigrations(): Migration[] {
  return [...sandboxMigrations, ...webhookMigrations].sort((a, b) => a.id - b.id);
}

/**
 * Opens `sandbox.db` in a folder, or a store in memory.
 *
 * In a folder COMMIT does not wait for the disk: the group commit syncs the log before anything is answered. A
 * descriptor of the log holds no lock of SQLite, so that closing it releases none.
 * @throws {AppError} `platform.*`
 */
export function openSandboxStore(
  dataDirectory: string | undefined,
  { onRescued = () => undefined, onDamage }: Pick<SandboxOptions, 'onRescued' | 'onDamage'> = {},
): SandboxStore {
  const migrations = listMigrations();
  if (dataDirectory === undefined) {
    const db = openDatabase({ file: ':memory:', migrations });
    return { db, file: null, logFile: null, requireFolder: () => undefined, close: () => db.close() };
  }
  const file = join(dataDirectory, storeName);
  const db = openDatabase({
    file,
    migrations,
    rescue: { counted: { table: 'payments', noun: 'payments' }, onRescued },
    ...(onDamage && { onDamage }),
    pragmas: { synchronous: 'NORMAL', wal_autocheckpoint: CHECKPOINT_PAGES },
  });
  // The log exists once something was written.
  db.exec(`INSERT OR REPLACE INTO meta VALUES ('opened_at', '${Date.now()}')`);
  const logFile = openSync(`${file}-wal`, 'r+');
  return {
    db,
    file,
    logFile,
    requireFolder: () => requireKept(dataDirectory),
    close() {
      closeSync(logFile);
      db.close();
    },
  };
}
