import { setImmediate as giveWay } from 'node:timers/promises';
import { connectDatabase } from '../../platform/database/database';
import type { SqlDatabase } from '../../platform/ports';
import { describeSnapshot, snapshotColumns } from './snapshot';

/** So many rows are written before others have their turn. */
const ROWS_AT_ONCE = 200;

/**
 * Writes the state of a store as it is at one moment, as JSON.
 *
 * That of a file is read on a connection of its own, which goes on seeing that moment while others change the store; what is in memory
 * alone has one connection, and is written in one go.
 */
export async function writeSnapshot(store: SqlDatabase): Promise<string> {
  const { file } = store.prepare(`SELECT file FROM pragma_database_list WHERE name = 'main'`).get() as {
    file: string;
  };
  const db = file === '' ? store : connectDatabase(file);
  db.exec('BEGIN');
  try {
    const tables: string[] = [];
    for (const [table, columns] of Object.entries(snapshotColumns)) {
      const members = columns.map((column) => `'${column}', ${column}`).join(', ');
      // As bytes: the library cuts text at a NUL.
      const select = db.prepare(`SELECT CAST(json_object(${members}) AS BLOB) AS bytes FROM ${table}`);
      const [parts, rows]: [string[], string[]] = [[], []];
      for (const { bytes } of select.iterate() as Iterable<{ bytes: Uint8Array }>) {
        if (rows.push(Buffer.from(bytes).toString()) < ROWS_AT_ONCE) continue;
        parts.push(rows.splice(0).join(','));
        if (db !== store) await giveWay();
      }
      if (rows.length > 0) parts.push(rows.join(','));
      tables.push(`"${table}":[${parts.join(',')}]`);
    }
    const head = JSON.stringify(describeSnapshot(db));
    return `${head.slice(0, -1)},"tables":{${tables.join(',')}}}`;
  } finally {
    db.exec('COMMIT');
    if (db !== store) db.close();
  }
}
