import { readFileSync, closeSync, openSync, statSync, writeSync } from 'node:fs';
import type Database from 'libsql';
import { copyFile } from '../files/differing-disks';
import { loadLibsql } from './load-libsql';
import { createRecord } from '@shared/own-value';

type Row = unknown[];
type Connection = Database.Database;

/** How many rows of each table were saved, and how many there were; null: not to be told. */
export type Salvage = Readonly<Record<string, { saved: number; of: number | null }>>;

/** Rows hold up to 64 MiB each. */
const PIECE = 16;
/** Ranges that are tried between damages, so that it ends soon. */
const MOST_TRIES = 500;
/** SQLITE_BUSY and SQLITE_LOCKED. */
const IN_USE = new Set([5, 6]);
const LARGEST_ROWID = Number.MAX_SAFE_INTEGER;

/**
 * Tells whether a database can be read whole: its pages, its indexes, and the tables that it must have.
 *
 * To be run in a process of its own: a damaged file may end it. One that another process has open counts as sound.
 * @param fresh - an empty database of the same schema
 * @param isApart - this process ends after it: only then is the file locked, since the library may hold on to the lock
 *   until its memory is collected
 */
export function isSound(file: string, fresh: string, isApart: boolean): boolean {
  try {
    return withConnection(file, (database) => {
      if (isApart) database.exec('PRAGMA locking_mode = EXCLUSIVE');
      const [verdict] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
      if (verdict?.integrity_check !== 'ok') return false;
      const expected = withConnection(fresh, describeSchema);
      const found = describeSchema(database);
      // An older one is brought up to date after this.
      return found.version !== expected.version || found.schema === expected.schema;
    });
  } catch (error) {
    const { rawCode } = error as { rawCode?: number };
    return typeof rawCode === 'number' && IN_USE.has(rawCode & 0xff);
  }
}

/**
 * Copies every row that can be read from a damaged database into an empty one of the same schema.
 *
 * Values go over as bytes, whatever they hold. Where not even the schema can be read, that of the empty one is taken
 * in its place, in a copy: tables lie where the same steps once put them.
 */
export function saveRows(file: string, fresh: string, scratch: string): Salvage {
  return withConnection(fresh, (target) => {
    target.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF');
    const saved = createRecord<{ saved: number; of: number | null }>();
    const tables = listTables(target);
    const from = (source: Connection): void => {
      for (const table of tables) {
        const before = countRows(target, table) ?? 0;
        copyTable(source, target, table);
        const now = countRows(target, table) ?? 0;
        const of = saved[table]?.of ?? countRows(source, table);
        saved[table] = { saved: (saved[table]?.saved ?? 0) + now - before, of };
      }
    };
    tryTo(() => withConnection(file, from));
    if (tables.some((table) => (saved[table]?.of ?? null) === null)) {
      copyFile(file, scratch);
      tryTo(() => {
        mendFirstPage(scratch, fresh);
        withConnection(scratch, from);
      });
    }
    return saved;
  });
}

function withConnection<T>(file: string, use: (database: Connection) => T): T {
  const database = new (loadLibsql())(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Tables with their columns, and indexes, as text to compare. */
function describeSchema(database: Connection): { version: number; schema: string } {
  const read = (sql: string): unknown[] => (database.prepare(sql).raw(true) as Database.Statement).all();
  const tables = read(
    `SELECT t.name, c.name, c.type, c."notnull", c.pk FROM pragma_table_list t, pragma_table_info(t.name) c
     WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1, 2`,
  );
  const indexes = read("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY 1");
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return { version: user_version, schema: JSON.stringify([tables, indexes]) };
}

/** Ordinary tables: what a search index is made of is made again. */
function listTables(database: Connection): string[] {
  const rows = database.prepare('PRAGMA table_list').all() as {
    schema: string;
    name: string;
    type: string;
  }[];
  return rows
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => name);
}

function hasNoRowid(database: Connection, table: string): boolean {
  try {
    database.prepare(`SELECT rowid FROM "${table}"`);
    return false;
  } catch {
    return true;
  }
}

function countRows(database: Connection, table: string): number | null {
  try {
    return (database.prepare(`SELECT count(*) AS n FROM "${table}"`).get() as { n: number }).n;
  } catch {
    return null;
  }
}

function copyTable(source: Connection, target: Connection, table: string): void {
  const columns = target.prepare(`PRAGMA table_info("${table}")`).all() as { name: string; type: string }[];
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ type }) => (type === 'TEXT' ? 'CAST(? AS TEXT)' : '?')).join(', ');
  const insert = target.prepare(`INSERT OR REPLACE INTO "${table}" (${names}) VALUES (${values})`);
  const read = columns.map(
    ({ name }) => `CASE typeof("${name}") WHEN 'text' THEN CAST("${name}" AS BLOB) ELSE "${name}" END`,
  );
  const keep = (rows: readonly Row[]): void => {
    target.exec('BEGIN');
    for (const row of rows) {
      // A row that breaks the schema's own rules is part of the damage.
      tryTo(() =>
        insert.run(row.slice(1).map((value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value))),
      );
    }
    target.exec('COMMIT');
  };
  if (hasNoRowid(target, table)) {
    tryTo(() => {
      const rows = source
        .prepare(`SELECT 0, ${read.join(', ')} FROM "${table}"`)
        .raw(true) as Database.Statement;
      for (const row of rows.iterate()) keep([row as Row]);
    });
    return;
  }
  tryTo(() => {
    const piece = (order: 'ASC' | 'DESC') =>
      source
        .prepare(
          `SELECT rowid, ${read.join(', ')} FROM "${table}" WHERE rowid BETWEEN ? AND ? ORDER BY rowid ${order} LIMIT ?`,
        )
        .raw(true) as Database.Statement<unknown[]>;
    copyRange({ up: piece('ASC'), down: piece('DESC'), keep });
  });
}

interface Ends {
  up: Database.Statement<unknown[]>;
  down: Database.Statement<unknown[]>;
  keep(rows: readonly Row[]): void;
}

/** Copies from both ends up to where reading fails, then each half of what is left between, the widest first. */
function copyRange(ends: Ends): void {
  const open: [from: number, to: number][] = [[-LARGEST_ROWID, LARGEST_ROWID]];
  for (let tries = 0; open.length > 0 && tries < MOST_TRIES; tries++) {
    const [from, to] = open.shift()!;
    const low = copyUp(ends, from, to);
    if (low > to) continue;
    const high = copyDown(ends, low, to);
    const middle = Math.floor((low + high) / 2);
    if (high - low >= 2) open.push([low, middle], [middle + 1, high]);
  }
}

/** @returns the first rowid that is not copied; above `to` where all is */
function copyUp({ up, keep }: Ends, from: number, to: number): number {
  let next = from;
  for (let count = PIECE; ;) {
    try {
      const rows = up.all(next, to, count) as Row[];
      keep(rows);
      if (rows.length < count) return to + 1;
      const after = (rows.at(-1)![0] as number) + 1;
      // A damaged tree may lead back to where it began, without end.
      if (after <= next) return next;
      next = after;
    } catch {
      if (count === 1) return next;
      count = 1;
    }
  }
}

/** @returns the last rowid that is not copied */
function copyDown({ down, keep }: Ends, from: number, to: number): number {
  let next = to;
  for (let count = PIECE; ;) {
    try {
      const rows = down.all(from, next, count) as Row[];
      keep(rows);
      if (rows.length < count) return from;
      const before = (rows.at(-1)![0] as number) - 1;
      if (before >= next) return next;
      next = before;
    } catch {
      if (count === 1) return next;
      count = 1;
    }
  }
}

/** Puts the first page of an empty database of the same schema in the place of a damaged one. @source SQLite file format 1.3 */
function mendFirstPage(file: string, fresh: string): void {
  const page = Buffer.from(readFileSync(fresh).subarray(0, 4096));
  const pages = Math.floor(statSync(file).size / page.readUInt16BE(16));
  page.writeUInt32BE(pages, 28);
  // No free pages, and the size above counts.
  page.writeUInt32BE(0, 32);
  page.writeUInt32BE(0, 36);
  page.writeUInt32BE(page.readUInt32BE(24), 92);
  const descriptor = openSync(file, 'r+');
  try {
    writeSync(descriptor, page, 0, page.length, 0);
  } finally {
    closeSync(descriptor);
  }
}

function tryTo(act: () => unknown): void {
  try {
    act();
  } catch {
    // What cannot be read is what the report counts as lost.
  }
}
