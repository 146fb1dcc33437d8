import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { openDatabase } from './database';
import { ensureSound } from './rescue-database';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const migrations = [
  {
    id: 1,
    name: 'notes',
    sql: `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
      CREATE TABLE names (name TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID;`,
  },
];
const PAGE = 4096;
let file: string;
let said: string[];

beforeEach(() => {
  file = join(makeTemporaryFolder('rescue'), 'x.db');
  said = [];
});
const open = () =>
  openDatabase({
    file,
    migrations,
    rescue: { counted: { table: 'notes', noun: 'notes' }, onRescued: (message) => said.push(message) },
  });
const readAll = () => {
  const database = open();
  const rows = database.prepare('SELECT id, text FROM notes ORDER BY id').all() as {
    id: number;
    text: string;
  }[];
  database.close();
  return rows;
};
function fill(count: number): void {
  const database = open();
  const insert = database.prepare('INSERT INTO notes VALUES (?, ?)');
  database.exec("BEGIN; INSERT INTO names VALUES ('a', 'b')");
  for (let id = 1; id <= count; id++) insert.run([id * 1000, `note ${id} `.repeat(20)]);
  database.exec('COMMIT');
  database.close();
}
/** As another file: the library lets go of one that it closed only when its memory is collected. */
function replace(bytes: Buffer | string): void {
  renameSync(file, `${file}.was`);
  writeFileSync(file, bytes);
}
function zero(page: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0, page * PAGE, (page + 1) * PAGE);
  replace(bytes);
}

it('leaves everything in one file at a clean end, so that a copy of it is whole', () => {
  fill(50);
  expect(existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0).toBe(false);
  const copy = `${file}.copy`;
  copyFileSync(file, copy);
  const database = openDatabase({ file: copy, migrations });
  expect(database.prepare('SELECT count(*) AS n FROM notes').get()).toEqual({ n: 50 });
  database.close();
});

it('opens a sound file without a word, closed cleanly or not', () => {
  fill(50);
  expect(readAll()).toHaveLength(50);
  rmSync(`${file}.closed`);
  expect(readAll()).toHaveLength(50);
  expect(said).toEqual([]);
  expect(readdirSync(join(file, '..')).filter((name) => /damaged|new/.test(name))).toEqual([]);
});

it('removes what looks left that were killed, and leaves what another process is at', () => {
  fill(5);
  rmSync(`${file}.closed`);
  const left = ['', '-wal', '-shm', '.closed', '.scratch', '.scratch-journal'].map(
    (end) => `${file}.new-4194999${end}`,
  );
  const kept = [
    `${file}.new-${process.ppid}`,
    `${file}.new-4194999.mine`,
    `${file}x.new-4194999`,
    `${file}.newer`,
  ];
  for (const one of [...left, ...kept]) writeFileSync(one, 'x');
  expect(readAll()).toHaveLength(5);
  expect(left.filter((one) => existsSync(one))).toEqual([]);
  expect(kept.filter((one) => !existsSync(one))).toEqual([]);
  for (const one of kept) rmSync(one);
  zero(2);
  readAll();
  expect(readdirSync(join(file, '..')).filter((name) => name.includes('.new-'))).toEqual([]);
});

it('saves what can be read around a page that is gone, keeps the damaged file, and says what is lost', () => {
  fill(2000);
  const pages = statSync(file).size / PAGE;
  zero(Math.floor(pages / 2));
  const damaged = readFileSync(file);
  const rows = readAll();
  expect(rows.length).toBeGreaterThan(1900);
  expect(rows.length).toBeLessThan(2000);
  expect(rows.every(({ id, text }) => text === `note ${id / 1000} `.repeat(20))).toBe(true);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^x\.db was damaged\. \d+ notes were saved .*kept as x\.db\.damaged\.$/);
  expect(readFileSync(`${file}.damaged`).equals(damaged)).toBe(true);
  expect(readAll()).toHaveLength(rows.length);
  expect(said).toHaveLength(1);
});

it('ends where a damaged tree leads back to rows that came before, without end', () => {
  fill(600);
  const bytes = readFileSync(file);
  // Leaves of the tree: each holds rows of its own.
  const leaves = Array.from({ length: bytes.length / PAGE }, (_, page) => page).filter(
    (page) => bytes[page * PAGE] === 0x0d && bytes.includes('note ', page * PAGE) && page > 3,
  );
  const at = (index: number): number => leaves[index]! * PAGE;
  bytes.copy(bytes, at(12), at(4), at(4) + PAGE);
  replace(bytes);
  expect(readAll().length).toBeGreaterThan(550);
  expect(said).toEqual([expect.stringMatching(/5\d\d notes were saved/)]);
});

it('saves the rows even where the first page is gone', () => {
  fill(500);
  zero(0);
  expect(readAll()).toHaveLength(500);
  expect(said[0]).toContain('500 notes were saved');
});

it('starts an empty one where nothing can be saved', () => {
  fill(10);
  replace('not a database at all '.repeat(1000));
  expect(readAll()).toEqual([]);
  expect(said[0]).toContain('0 notes were saved');
});

it('sees a change of the schema that leaves the pages in order', () => {
  fill(10);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('notes (id INTEGER');
  bytes[at] = 'N'.charCodeAt(0) ^ 1;
  replace(bytes);
  expect(readAll()).toHaveLength(10);
  expect(said).toHaveLength(1);
});

it.each(['emptied', 'removed'])('reads the log of a file that was %s, and says so', (how) => {
  const database = open();
  database.exec("INSERT INTO notes VALUES (1, 'kept')");
  const crashed = `${file}.copy`;
  copyFileSync(`${file}-wal`, `${crashed}-wal`);
  if (how === 'emptied') writeFileSync(crashed, '');
  database.close();
  file = crashed;
  expect(readAll()).toEqual([{ id: 1, text: 'kept' }]);
  expect(said[0]).toContain('1 notes were saved');
  expect(existsSync(`${file}.damaged-wal`)).toBe(true);
});

// What stands in a log says how long a page is: gigabytes, where it is none.
it.each([
  ['no log', Buffer.alloc(5000, 0xa7)],
  [
    'a log of pages that nothing has',
    Buffer.concat([Buffer.from('377f0682002de218ffffffff', 'hex'), Buffer.alloc(99)]),
  ],
  ['a piece of one', Buffer.from('377f0682', 'hex')],
])('begins anew where a file is empty and beside it lies %s', (_what, log) => {
  writeFileSync(file, '');
  writeFileSync(`${file}-wal`, log);
  expect(readAll()).toEqual([]);
  fill(3);
  expect(readAll()).toHaveLength(3);
});

it('names a folder that stands where the file belongs', () => {
  mkdirSync(file);
  expect(open).toThrow(`${file} is a folder`);
});

it('lets a file be read while the disk is full, and looks at it once there is room', () => {
  fill(50);
  rmSync(`${file}.closed`);
  const rescue = { counted: { table: 'notes', noun: 'notes' }, onRescued: (text: string) => said.push(text) };
  const refuse = (code: 'platform.disk_full' | 'platform.unwritable') => () => {
    throw new AppError(code, 'No.');
  };
  ensureSound(file, rescue, refuse('platform.disk_full'));
  expect(existsSync(`${file}.closed`)).toBe(false);
  expect(() => ensureSound(file, rescue, refuse('platform.unwritable'))).toThrow('No.');
  zero(1);
  readAll();
  expect(said).toHaveLength(1);
});
