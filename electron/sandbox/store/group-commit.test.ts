import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../platform/database';
import { createGroupCommit } from './group-commit';
import { openSandboxStore } from './sandbox-store';
import { makeTemporaryFolder } from '../../../test/support/temporary';

function open() {
  const migrations = [{ id: 1, name: 'test', sql: 'CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT' }];
  const db = openDatabase({ file: ':memory:', migrations });
  const commit = createGroupCommit(db, null);
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const count = (): number => (db.prepare('SELECT count(*) AS n FROM t').get() as { n: number }).n;
  return { db, commit, insert, count };
}

test('writes of one turn share one commit, and are told of after it', async () => {
  const { db, commit, insert } = open();
  const told: Promise<Error | null>[] = [];
  for (let n = 1; n <= 3; n++) {
    commit.write(() => insert.run(n));
    told.push(commit.afterCommit());
  }
  expect(db.inTransaction).toBe(true);
  expect(await Promise.all(told)).toEqual([null, null, null]);
  expect(db.inTransaction).toBe(false);
});

test('where nothing was written, nothing is waited for', async () => {
  const { commit } = open();
  const turn = vi.fn();
  setImmediate(turn);
  expect(await commit.afterCommit()).toBeNull();
  expect(turn).not.toHaveBeenCalled();
});

test('a write that fails undoes its whole turn and tells everyone in it', async () => {
  const { commit, insert, count } = open();
  commit.write(() => insert.run(1));
  const first = commit.afterCommit();
  expect(() => commit.write(() => insert.run(1))).toThrow();
  const second = commit.afterCommit();
  expect(await first).toBeInstanceOf(Error);
  expect(await second).toBeInstanceOf(Error);
  expect(count()).toBe(0);
  commit.write(() => insert.run(2));
  expect(await commit.afterCommit()).toBeNull();
  expect(count()).toBe(1);
});

test('a flush commits at once, and throws what went wrong', () => {
  const { db, commit, insert, count } = open();
  commit.write(() => insert.run(1));
  commit.flush();
  expect(db.inTransaction).toBe(false);
  commit.write(() => insert.run(2));
  expect(() => commit.write(() => insert.run(1))).toThrow();
  expect(() => commit.flush()).toThrow();
  expect(count()).toBe(1);
});

test('on a disk nobody is told before the log was synced, and every one of them is', async () => {
  const directory = makeTemporaryFolder('commit');
  const store = openSandboxStore(directory);
  const commit = createGroupCommit(store.db, store.logFile);
  const insert = store.db.prepare('INSERT INTO meta VALUES (?, ?)');
  let told = 0;
  for (let n = 0; n < 50; n++) {
    commit.write(() => insert.run(`n${n}`, 'x'));
    void commit.afterCommit().then((failure) => (told += failure === null ? 1 : 0));
    if (n % 7 === 0) await new Promise(setImmediate);
    // A reader that rests on what is not synced yet waits, too.
    void commit.afterCommit().then(() => (told += 1));
  }
  commit.flush();
  await commit.afterCommit();
  expect(told).toBe(100);
  commit.write(() => insert.run('last', 'x'));
  void commit.afterCommit().then(() => (told += 1));
  commit.flush();
  await commit.afterCommit();
  expect(told).toBe(101);
  store.close();
});
