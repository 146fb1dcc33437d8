import { setImmediate as giveWay } from 'node:timers/promises';
import { connectDatabase, toDatabaseError } from '../../platform/database/database';
import type { SandboxStore } from './sandbox-store';
import { describeSnapshot, snapshotColumns } from './snapshot';

/** So many rows are written before others have their turn. */
const ROWS_AT_ONCE = 200;

/**
 * Writes the state of a store as it is at one moment, as JSON.
 *
 * That of a file is read on a connection of its own, which goes on seeing that moment while others change the store; what is in memory
 * alone has one connection, and is written in one go.
 * @throws {AppError} `platform.*`
 */
export async function writeSnapshot({ db: own, file }: SandboxStore): Promise<string> {
  const db = file === null ? own : connectDatabase(file);
  try {
    db.exec('BEGIN');
    const head = JSON.stringify(describeSnapshot(db));
    const tables: string[] = [];
    for (const [table, columns] of Object.entries(snapshotColumns)) {
      const members = columns.map((column) => `'${column}', ${column}`).join(', ');
      // As bytes: the library cuts text at a NUL.
      const select = db.prepare(`SELECT CAST(json_object(${members}) AS BLOB) AS bytes FROM ${table}`);
      const [parts, rows]: [string[], string[]] = [[], []];
      for (const { bytes } of select.iterate() as Iterable<{ bytes: Uint8Array }>) {
        if (rows.push(Buffer.from(bytes).toString()) < ROWS_AT_ONCE) continue;
        parts.push(rows.splice(0).join(','));
        if (db !== own) await giveWay();
      }
      if (rows.length > 0) parts.push(rows.join(','));
      tables.push(`"${table}":[${parts.join(',')}]`);
    }
    return `${head.slice(0, -1)},"tables":{${tables.join(',')}}}`;
  } catch (error) {
    const isOfDatabase = file !== null && 'rawCode' in (error as object);
    throw isOfDatabase ? toDatabaseError(error, file) : error;
  } finally {
    if (db.inTransaction) db.exec('COMMIT');
    if (db !== own) db.close();
  }
}
