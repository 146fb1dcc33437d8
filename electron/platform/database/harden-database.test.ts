import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from './database';

const migrations = [
  {
    id: 1,
    name: 'values',
    sql: 'CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB, number INTEGER, amount REAL) STRICT;',
  },
];

it('gives text with a NUL whole, and replaces what is not UTF-8 where the library would end the process', () => {
  const database = openDatabase({ file: ':memory:', migrations });
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?, ?, ?)');
  insert.run([1, 'abc\0def', Buffer.from([0, 255]), 7, 1.5]);
  database.exec("INSERT INTO t VALUES (2, CAST(x'61ff62' AS TEXT), NULL, NULL, NULL)");
  const read = database.prepare(
    'SELECT *, text || text AS twice, count(*) OVER () AS n FROM t WHERE id >= ?',
  );
  expect(read.get(1)).toEqual({
    id: 1,
    text: 'abc\0def',
    bytes: Buffer.from([0, 255]),
    number: 7,
    amount: 1.5,
    twice: 'abc\0defabc\0def',
    n: 2,
  });
  expect(read.all(2)).toEqual([
    { id: 2, text: 'a\ufffdb', bytes: null, number: null, amount: null, twice: 'a\ufffdba\ufffdb', n: 1 },
  ]);
  expect(read.get(3)).toBeUndefined();
  expect(read.all(3)).toEqual([]);
  database.close();
});

it('gives no row where there is none, whatever was asked before', () => {
  const database = openDatabase({ file: ':memory:', migrations });
  database.exec("INSERT INTO t (id, text) VALUES (1, 'x')");
  const read = database.prepare('SELECT text FROM t WHERE id = ?');
  expect(read.all(1)).toHaveLength(1);
  expect(read.get(9)).toBeUndefined();
  database.close();
});

it('keeps order, limits, joins and numbered values of the query it asks', () => {
  const database = openDatabase({ file: ':memory:', migrations });
  for (let id = 1; id <= 9; id++)
    database.prepare('INSERT INTO t (id, text) VALUES (?, ?)').run([id, `t${id}`]);
  const read = database.prepare(
    'SELECT a.id, b.text FROM t a CROSS JOIN t b ON b.id = a.id WHERE a.id < ?2 ORDER BY a.id DESC LIMIT ?1',
  );
  expect(read.all(2, 5)).toEqual([
    { id: 4, text: 't4' },
    { id: 3, text: 't3' },
  ]);
  database.close();
});

it('says of a transaction that found the disk full that it was full, and goes on once it is not', () => {
  const file = join(makeTemporaryFolder('full'), 'full.db');
  const database = openDatabase({ file, migrations });
  const insert = database.prepare('INSERT INTO t (bytes) VALUES (?)');
  const fill = database.transaction((count: number) => {
    for (let at = 0; at < count; at++) insert.run([Buffer.alloc(4000)]);
  });
  database.exec('PRAGMA max_page_count = 20');
  expect(() => fill(100)).toThrow(expect.objectContaining({ code: 'platform.disk_full' }));
  expect(database.inTransaction).toBe(false);
  fill(1);
  expect(database.prepare('SELECT count(*) AS count FROM t').get()).toEqual({ count: 1 });
  database.close();
});
