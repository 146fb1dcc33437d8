import { copyFileSync } from 'node:fs';
import type * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { copyDatabase, openDatabase } from './database';
import type * as Loading from './load-libsql';

const NO_ROOM_FOR_INDEX = 4874;
const IOERR_WRITE = 778;
const FULL = 13;
const READ_ONLY = 8;

/** What fails from here on, and with which of SQLite's codes. */
const failing = vi.hoisted(() => ({ statement: null as RegExp | null, rawCode: 0 }));
vi.mock('./load-libsql', async (load) => {
  const Library = (await load<typeof Loading>()).loadLibsql();
  class Failing extends Library {
    #needsIndex = true;

    override exec(sql: string): this {
      if (sql.includes('locking_mode = EXCLUSIVE')) this.#needsIndex = false;
      const isSpared = failing.rawCode === NO_ROOM_FOR_INDEX && !this.#needsIndex;
      if (failing.statement?.test(sql) === true && !isSpared)
        throw Object.assign(new Error('x'), { rawCode: failing.rawCode, code: 'SQLITE_X' });
      return super.exec(sql);
    }
  }
  return { loadLibsql: () => Failing };
});

/** A folder on a disk that takes nothing. */
const readOnly = vi.hoisted(() => ({ folder: '' }));
vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>();
  const accessSync: typeof fs.accessSync = (path, mode) => {
    if (path === readOnly.folder) throw Object.assign(new Error('read-only'), { code: 'EROFS' });
    real.accessSync(path, mode);
  };
  return { ...real, accessSync };
});

const migrations = [{ id: 1, name: 't', sql: 'CREATE TABLE t (a TEXT)' }];
let folder: string;
let file: string;
beforeEach(() => {
  failing.statement = null;
  folder = makeTemporaryFolder('full-disk');
  file = join(folder, 'x.db');
  const database = openDatabase({ file, migrations });
  database.exec("INSERT INTO t VALUES ('kept')");
  database.close();
});

function fail(statement: RegExp, rawCode: number): void {
  Object.assign(failing, { statement, rawCode });
}

it('says of a database whose log has no room for its index that the disk is full', () => {
  fail(/journal_mode/, NO_ROOM_FOR_INDEX);
  const message = `No space is left on the disk of ${folder}. Free some and try again.`;
  expect(() => openDatabase({ file, migrations })).toThrow(message);
  failing.statement = null;
  const database = openDatabase({ file, migrations });
  fail(/INSERT/, NO_ROOM_FOR_INDEX);
  expect(() => database.exec("INSERT INTO t VALUES ('x')")).toThrow(message);
  database.close();
});

it('sends nobody whose disk failed after other programs', () => {
  const message =
    /^x\.db could not be read or written: the disk failed, .* \(SQLITE_X\)\. See to that and try/;
  fail(/journal_mode/, IOERR_WRITE);
  expect(() => openDatabase({ file, migrations })).toThrow(message);
  failing.statement = null;
  const database = openDatabase({ file, migrations });
  fail(/INSERT/, IOERR_WRITE);
  expect(() => database.exec("INSERT INTO t VALUES ('x')")).toThrow(message);
  database.close();
});

it('copies a database from a full disk, and says of a full one that it goes to that it is full', () => {
  // The library may hold the one that was closed.
  const full = join(folder, 'full.db');
  copyFileSync(file, full);
  fail(/sqlite_schema|VACUUM/, NO_ROOM_FOR_INDEX);
  const copy = join(makeTemporaryFolder('full-disk-copy'), 'y.db');
  copyDatabase(full, copy);
  const copied = openDatabase({ file: copy, migrations });
  expect(copied.prepare('SELECT a FROM t').all()).toEqual([{ a: 'kept' }]);
  copied.close();
  fail(/VACUUM/, FULL);
  // Of the system: whoever asked names the folder of the copy.
  expect(() => copyDatabase(file, `${copy}.2`)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
});

it('says of a folder on a disk that is read-only that the disk is, and not that its permissions forbid it', () => {
  fail(/journal_mode/, READ_ONLY);
  readOnly.folder = folder;
  expect(() => openDatabase({ file, migrations })).toThrow(
    `Cannot write in ${folder}: its disk is read-only. Make that writable, or choose another with --data DIR.`,
  );
});
