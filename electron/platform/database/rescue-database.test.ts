import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { beforeEach, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { openDatabase, refuseNewerDatabase } from './database';
import { ensureSound, readRescueNotice } from './rescue-database';
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

it.each(['-wal', '-shm', ''])(
  'refuses a pipe, a folder and a link to nothing in the place of x.db%s',
  (end) => {
    fill(3);
    rmSync(`${file}${end}`, { force: true });
    const unfit = `${file}${end}`;
    mkdirSync(unfit);
    expect(open).toThrow(`${unfit} is a folder`);
    rmSync(unfit, { recursive: true });
    symlinkSync(`${file}.nowhere`, unfit);
    expect(open).toThrow(`${unfit} is a link to something that is not there`);
    rmSync(unfit);
    symlinkSync(unfit, unfit);
    expect(open).toThrow(`${unfit} is a link to something that is not there`);
    rmSync(unfit);
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [unfit]);
    expect(open).toThrow(`${unfit} is no ordinary file`);
  },
);

it.runIf(process.platform !== 'win32')('does not wait for a pipe in the place of its notes', () => {
  fill(3);
  for (const end of ['.closed', '.rescued']) {
    rmSync(`${file}${end}`, { force: true });
    execFileSync('mkfifo', [`${file}${end}`]);
  }
  expect(readAll()).toHaveLength(3);
  expect(readRescueNotice(file)).toBeNull();
});

it('says of a file that was emptied since it was closed that what it held is lost', () => {
  fill(3);
  replace('');
  expect(readAll()).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/^x\.db was emptied by something else: it held \d+ bytes/)]);
  expect(readRescueNotice(file)).toContain(said[0]);
  expect(readAll()).toEqual([]);
  expect(said).toHaveLength(1);
});

/** As a process leaves it that was killed: three notes, each a commit of its own, stand in the log alone. */
function leaveLog(change: (log: Buffer) => Buffer): void {
  const database = open();
  for (const id of [1, 2, 3]) database.prepare('INSERT INTO notes VALUES (?, ?)').run([id, `note ${id}`]);
  const [main, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  database.close();
  replace(main);
  rmSync(`${file}-shm`, { force: true });
  rmSync(`${file}.closed`, { force: true });
  writeFileSync(`${file}-wal`, change(log));
}

it.each([
  ['whose beginning is', 0],
  ['whose middle is', -(PAGE + 24) * 1.5],
])('keeps a log %s overwritten, and says that what came last may be lost', (_what, at) => {
  let written = Buffer.alloc(0);
  leaveLog((log) => {
    const place = at < 0 ? log.length + at : at;
    written = Buffer.from(log);
    written.fill(0xa5, place, place + 16);
    return written;
  });
  readAll();
  expect(said).toEqual([
    'The log of x.db was damaged: notes that came last may be lost. It is kept as x.db-wal.damaged.',
  ]);
  expect(readFileSync(`${file}-wal.damaged`).equals(written)).toBe(true);
});

it('says so once, and keeps the log, where others opened the file before the one that writes', () => {
  let written = Buffer.alloc(0);
  leaveLog((log) => {
    const place = log.length - (PAGE + 24) * 1.5;
    return (written = Buffer.from(log).fill(0xa5, place, place + 16));
  });
  refuseNewerDatabase(file, migrations);
  openDatabase({ file, migrations }).close();
  expect(said).toEqual([]);
  readAll();
  readAll();
  expect(said).toEqual([expect.stringContaining('The log of x.db was damaged')]);
  expect(readFileSync(`${file}-wal.damaged`).equals(written)).toBe(true);
  expect(existsSync(`${file}-wal.untold`)).toBe(false);
});

it('reads the log of a file that was emptied, whoever opens it first', () => {
  leaveLog((log) => log);
  writeFileSync(file, '');
  openDatabase({ file, migrations }).close();
  expect(readAll()).toHaveLength(3);
});

it('says nothing of a log that is whole, cut off in its last write, or followed by what is older', () => {
  for (const cut of [0, 100]) {
    leaveLog((log) => log.subarray(0, log.length - cut));
    expect(readAll().length).toBeGreaterThanOrEqual(2);
    rmSync(file);
  }
  leaveLog((log) => {
    const older = Buffer.from(log.subarray(log.length - PAGE - 24));
    older.fill(7, 8, 16);
    return Buffer.concat([log, older]);
  });
  expect(readAll()).toHaveLength(3);
  expect(said).toEqual([]);
});
