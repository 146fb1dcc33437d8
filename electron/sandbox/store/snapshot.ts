import { AppError } from '@shared/errors';
import type { SqlDatabase } from '../../platform/ports';
import { readKeys, storeKeys } from '../admission/public-keys';
import { readPublicKey } from '../admission/read-public-key';

/** Name and version of the form; a newer version is not read. */
export const SNAPSHOT_FORMAT = 'countersign-sandbox-snapshot';
export const SNAPSHOT_VERSION = 1;

/** What is kept, each table with its columns; secrets stand in none of them. */
export const snapshotColumns = {
  wallets: ['product', 'currency', 'actual_minor', 'held_minor', 'alert_minor', 'status'],
  payments: ['payment_uuid', 'reference', 'state', 'due_at', 'last_updated', 'detail'],
  checkouts: ['id', 'payment_uuid'],
  public_keys: ['fingerprint', 'position', 'pem'],
  webhook_deliveries: [
    'seq',
    'id',
    'callback_url',
    'body',
    'transaction_reference',
    'state',
    'attempts',
    'step',
    'copies',
    'next_attempt_at',
  ],
  webhook_attempts: ['seq', 'attempt', 'at', 'duration_ms', 'http_status', 'error', 'response_body'],
} as const;

type SnapshotTable = keyof typeof snapshotColumns;
type SnapshotRow = Readonly<Record<string, string | number | null>>;
const snapshotTables = Object.keys(snapshotColumns) as SnapshotTable[];

/** The whole state of a sandbox, but for its secrets: credentials and tokens stay those of its folder. */
export interface SandboxSnapshot {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly version: typeof SNAPSHOT_VERSION;
  readonly saved_at: string;
  readonly clock_offset_ms: number;
  readonly tables: Readonly<Record<SnapshotTable, readonly SnapshotRow[]>>;
}

/** Reads the state of a store, as it is at one moment. */
export function takeSnapshot(db: SqlDatabase): SandboxSnapshot {
  return db.transaction((): SandboxSnapshot => {
    const tables = {} as Record<SnapshotTable, SnapshotRow[]>;
    for (const table of snapshotTables) {
      const select = `SELECT ${snapshotColumns[table].join(', ')} FROM ${table}`;
      tables[table] = db.prepare(select).all() as SnapshotRow[];
    }
    return { ...describeSnapshot(db), tables };
  })();
}

/** What stands above the tables. */
export function describeSnapshot(db: SqlDatabase): Omit<SandboxSnapshot, 'tables'> {
  return {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    saved_at: new Date().toISOString(),
    clock_offset_ms: readOffset(db),
  };
}

/**
 * Puts a snapshot in the place of all that a store has, inside the caller's transaction. What is registered there stays
 * registered beside the snapshot's keys, as its credentials stay: whoever loads a teammate's state goes on sending.
 *
 * @throws {AppError} `sandbox.bad_snapshot`, `platform.*`
 */
export function restoreSnapshot(db: SqlDatabase, snapshot: SandboxSnapshot): void {
  const own = readKeys(db);
  const theirs = snapshot.tables.public_keys.map(({ pem }) => readPublicKey(String(pem)));
  try {
    for (const table of snapshotTables) {
      db.exec(`DELETE FROM ${table}`);
      const columns = snapshotColumns[table];
      const places = columns.map(() => '?').join(', ');
      const insert = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
      for (const row of snapshot.tables[table]) {
        insert.run(columns.map((column) => row[column]));
      }
    }
    storeKeys(db, [...theirs, ...own]);
    db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(
      'clock_offset_ms',
      String(snapshot.clock_offset_ms),
    );
  } catch (cause) {
    if (!(cause instanceof AppError)) throw refuseSnapshot('Its rows contradict each other.', cause);
    // The disk is full, or the store damaged: that is no fault of the snapshot.
    if (cause.code !== 'keys.too_many') throw cause;
    throw refuseSnapshot(
      'With its keys and those registered here there would be too many: take away some of these first.',
      cause,
    );
  }
}

export function readOffset(db: SqlDatabase): number {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'clock_offset_ms'").get();
  return Number((row as { value: string } | undefined)?.value ?? 0);
}

/** Says why a snapshot is not taken. */
export function refuseSnapshot(why: string, cause?: unknown): AppError {
  return new AppError('sandbox.bad_snapshot', `The snapshot is not taken, and nothing was changed. ${why}`, {
    cause,
  });
}
