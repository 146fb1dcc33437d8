import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type { SqlDatabase } from '../ports';
import { openDatabase } from './database';
import { watchFiles, type FileWatch } from './file-identity';

const ends: { close(): void }[] = [];
afterEach(() => ends.splice(0).forEach((one) => one.close()));

function start(): { file: string; database: SqlDatabase; watch: FileWatch; write: (count: number) => void } {
  const file = join(makeTemporaryFolder('file-identity'), 'x.db');
  const database = openDatabase({ file, migrations: [{ id: 1, name: 'rows', sql: 'CREATE TABLE t (x)' }] });
  const watch = watchFiles(file);
  ends.push(watch, database);
  const insert = database.prepare('INSERT INTO t VALUES (randomblob(3000))');
  const write = (count: number): void => {
    for (let left = count; left > 0; left--) insert.run();
  };
  return { file, database, watch, write };
}

describe('watchFiles', () => {
  it('finds nothing while only SQLite writes, also where the log begins anew', () => {
    const { database, watch, write } = start();
    for (const mode of ['PASSIVE', 'RESTART', 'TRUNCATE']) {
      write(5);
      expect(watch.findChange()).toBeNull();
      database.exec(`PRAGMA wal_checkpoint(${mode})`);
      expect(watch.findChange()).toBeNull();
    }
    write(1);
    expect(watch.findChange()).toBeNull();
  });

  it('says of a log that was cut short that it was', () => {
    const { file, watch, write } = start();
    write(5);
    expect(watch.findChange()).toBeNull();
    truncateSync(`${file}-wal`, 9000);
    expect(watch.findChange()).toBe('lost the end of its log (-wal)');
  });

  it('says so where the log had begun anew before without becoming shorter', () => {
    const { file, database, watch, write } = start();
    write(5);
    expect(watch.findChange()).toBeNull();
    database.exec('PRAGMA wal_checkpoint(RESTART)');
    write(4);
    expect(watch.findChange()).toBeNull();
    truncateSync(`${file}-wal`, 9000);
    expect(watch.findChange()).toBe('lost the end of its log (-wal)');
  });

  it('says what else became of the files', () => {
    const { file, watch, write } = start();
    write(5);
    expect(watch.findChange()).toBeNull();
    writeFileSync(`${file}-wal`, Buffer.alloc(100_000, 1));
    expect(watch.findChange()).toBe('lost the beginning of its log (-wal)');
    truncateSync(file, 0);
    expect(watch.findChange()).toBe('was cut short');
  });
});
