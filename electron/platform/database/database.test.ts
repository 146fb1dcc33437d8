import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { openDatabase, type Migration } from './database';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const first: Migration = {
  id: 1,
  name: 'notes',
  sql: 'CREATE TABLE notes (text TEXT); CREATE TABLE tags (name TEXT);',
};
const second: Migration = {
  id: 2,
  name: 'pins',
  sql: 'ALTER TABLE notes ADD COLUMN pinned INTEGER DEFAULT 0;',
};
const broken: Migration = { id: 3, name: 'slip', sql: 'CREATE TABLE more (a); CREATE TABEL less (b);' };

let directory: string;
let file: string;

beforeEach(() => {
  directory = makeTemporaryFolder('database');
  file = join(directory, 'data', 'x.db');
});

function seed(migrations: readonly Migration[]): void {
  const database = openDatabase({ file, migrations });
  database.exec("INSERT INTO notes (text) VALUES ('kept')");
  database.close();
}

const listCopies = (): string[] =>
  readdirSync(join(directory, 'data')).filter((name) => name.includes('before'));

function readTexts(from: string, migrations: readonly Migration[]): unknown[] {
  const database = openDatabase({ file: from, migrations });
  const rows = database.prepare('SELECT text FROM notes').all() as { text: string }[];
  database.close();
  return rows.map(({ text }) => text);
}

function catchError(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('openDatabase', () => {
  it('makes a new database for this user alone, in write-ahead mode, with foreign keys on', () => {
    const database = openDatabase({ file, migrations: [first] });
    expect(database.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA foreign_keys').get()).toMatchObject({ foreign_keys: 1 });
    expect(database.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2 });
    if (process.platform !== 'win32') {
      for (const name of readdirSync(join(directory, 'data'))) {
        expect(statSync(join(directory, 'data', name)).mode & 0o077, name).toBe(0);
      }
    }
    database.close();
  });

  it('runs missing steps and keeps a copy from before the upgrade', () => {
    seed([first]);
    expect(readTexts(file, [first, second])).toEqual(['kept']);
    expect(readTexts(`${file}.before-2`, [first])).toEqual(['kept']);
  });

  it('makes no copy of a new database, or of one that is up to date', () => {
    seed([first, second]);
    readTexts(file, [first, second]);
    expect(readdirSync(join(directory, 'data')).filter((name) => name.includes('before'))).toEqual([]);
  });

  it('never overwrites an earlier copy', () => {
    seed([first]);
    writeFileSync(`${file}.before-2`, 'precious');
    readTexts(file, [first, second]);
    expect(readFileSync(`${file}.before-2`, 'utf8')).toBe('precious');
    expect(existsSync(`${file}.before-2.2`)).toBe(true);
  });

  it('removes what upgrades left that were killed, also where their number is in use again, and nothing else', () => {
    seed([first]);
    const left = [
      `${file}.before-2.tmp-4194999`,
      `${file}.before-2.2.tmp-4194999-journal`,
      `${file}.before-1.tmp-1`,
    ];
    const kept = [
      `${file}.before-2.tmp-${process.ppid}`,
      `${file}.before-1`,
      `${file}x.before-2.tmp-4194999`,
    ];
    for (const one of [...left, ...kept]) writeFileSync(one, 'x');
    const longAgo = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(left[2]!, longAgo, longAgo);
    expect(readTexts(file, [first, second])).toEqual(['kept']);
    expect(left.filter((one) => existsSync(one))).toEqual([]);
    expect(kept.filter((one) => !existsSync(one))).toEqual([]);
  });

  it('keeps one copy however often an upgrade was killed right before its end', () => {
    seed([first]);
    const before = readFileSync(file);
    readTexts(file, [first, second]);
    for (const again of [1, 2, 3]) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      // As it stands again where the commit did not come any more.
      writeFileSync(file, before);
      expect([again, readTexts(file, [first, second])]).toEqual([again, ['kept']]);
    }
    expect(listCopies()).toEqual(['x.db.before-2']);
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, before);
    const database = openDatabase({ file, migrations: [first] });
    database.exec("INSERT INTO notes (text) VALUES ('later')");
    database.close();
    readTexts(file, [first, second]);
    expect(listCopies()).toEqual(['x.db.before-2', 'x.db.before-2.2']);
    expect(readTexts(`${file}.before-2.2`, [first])).toEqual(['kept', 'later']);
  });

  it('gives a copy its name once all steps are done, and has none where one fails beside an earlier one', () => {
    seed([first]);
    const names: string[][] = [];
    const spied = {
      ...second,
      get sql() {
        names.push(listCopies());
        return second.sql;
      },
    };
    catchError(() => openDatabase({ file, migrations: [first, spied, broken] }));
    expect(names[0]).toEqual([`x.db.before-tmp-${process.pid}`]);
    expect(listCopies()).toEqual([]);
    writeFileSync(`${file}.before-2`, 'precious');
    catchError(() => openDatabase({ file, migrations: [first, second, broken] }));
    expect(listCopies()).toEqual(['x.db.before-2']);
  });

  it('leaves the database as it was when a step fails', () => {
    seed([first]);
    const error = catchError(() => openDatabase({ file, migrations: [first, second, broken] }));
    expect(error.code).toBe('platform.migration_failed');
    expect(error.message).toContain('slip');
    expect(readTexts(file, [first])).toEqual(['kept']);
    expect(readdirSync(join(directory, 'data')).filter((name) => name.includes('before'))).toEqual([]);
  });

  it('refuses a database from a newer version and leaves it as it is', () => {
    seed([first, second]);
    expect(catchError(() => openDatabase({ file, migrations: [first] })).code).toBe(
      'platform.database_newer',
    );
    expect(readTexts(file, [first, second])).toEqual(['kept']);
  });

  it('says that a damaged file is damaged and leaves its bytes alone', () => {
    seed([first]);
    // A journal that is still there would heal the file.
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    const garbage = Buffer.alloc(8192, 'not a database ');
    writeFileSync(file, garbage);
    expect(catchError(() => openDatabase({ file, migrations: [first] })).code).toBe(
      'platform.database_damaged',
    );
    expect(readFileSync(file).equals(garbage)).toBe(true);
  });

  it('names the folder that cannot be written to', () => {
    writeFileSync(join(directory, 'data'), 'a file where the folder should be');
    const error = catchError(() => openDatabase({ file, migrations: [first] }));
    expect(error.code).toBe('platform.unwritable');
    expect(error.message).toContain(join(directory, 'data'));
    expect(error.message).toContain('--data');
  });

  it('opens a database in memory', () => {
    const database = openDatabase({ file: ':memory:', migrations: [first, second] });
    database.exec("INSERT INTO notes (text) VALUES ('a')");
    expect(database.prepare('SELECT count(*) AS count FROM notes').get()).toMatchObject({ count: 1 });
    database.close();
  });

  it('lets pragmas be chosen', () => {
    const database = openDatabase({ file, migrations: [first], pragmas: { synchronous: 'NORMAL' } });
    expect(database.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 1 });
    database.close();
  });
});
