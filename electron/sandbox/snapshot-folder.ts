import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@shared/errors';
import { openDatabase } from '../platform/database/database';
import { holdFolder, type HolderFacts } from '../platform/files/process-lock';
import { restoreSnapshot, takeSnapshot, type SandboxSnapshot } from './store/snapshot';
import { listMigrations, openSandboxStore, storeName } from './store/sandbox-store';

/** Takes the state of a folder's sandbox, also while it runs. @throws {AppError} `sandbox.stopped` where there is none */
export function saveFolder(directory: string): SandboxSnapshot {
  const file = join(directory, storeName);
  if (!existsSync(file)) {
    throw new AppError(
      'sandbox.stopped',
      `No sandbox keeps its state in ${directory}. Name its folder with --data DIR.`,
    );
  }
  const db = openDatabase({ file, migrations: listMigrations(), pragmas: { synchronous: 'NORMAL' } });
  try {
    return takeSnapshot(db);
  } finally {
    db.close();
  }
}

/**
 * Puts a snapshot in the place of what the sandbox of a folder has, all or nothing.
 *
 * @returns null; or, where the sandbox runs and nothing was done, what it says of itself
 */
export function loadFolder(directory: string, snapshot: SandboxSnapshot): HolderFacts | null {
  const taken = holdFolder(directory, 'sandbox', storeName);
  if (taken.held === null) return taken.holder;
  try {
    const store = openSandboxStore(directory);
    try {
      store.db.exec('PRAGMA synchronous = FULL');
      store.db.transaction(() => restoreSnapshot(store.db, snapshot))();
    } finally {
      store.close();
    }
  } finally {
    taken.held.release();
  }
  return null;
}
