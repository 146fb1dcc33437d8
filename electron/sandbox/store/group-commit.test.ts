import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../platform/database';
import { createGroupCommit } from './group-commit';
import { openSandboxStore } from './sandbox-store';
import { makeTemporaryFolder } from '../../../test/support/temporary';

function open(hooks: Partial<Parameters<typeof createGroupCommit>[2]> = {}) {
  const migrations = [{ id: 1, name: 'test', sql: 'CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT' }];
  const db = openDatabase({ file: ':memory:', migrations });
  const commit = createGroupCommit(db, null, {
    beforeCommit: () => undefined,
    onRollback: () => undefined,
    ...hooks,
  });
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const count = (): number => (db.prepare('SELECT count(*) AS n FROM t').get() as { n: number }).n;
  return { db, commit, insert, count };
}

const committed = (commit: ReturnType<typeof createGroupCommit>) =>
  new Promise<Error | null>((resolve) => commit.afterCommit(resolve));

test('writes of one turn share one commit, and are told of after it', async () => {
  const beforeCommit = vi.fn();
  const { db, commit, insert } = open({ beforeCommit });
  const told: Promise<Error | null>[] = [];
  for (let n = 1; n <= 3; n++) {
    commit.write(() => insert.run(n));
    told.push(committed(commit));
  }
  expect(db.inTransaction).toBe(true);
  expect(await Promise.all(told)).toEqual([null, null, null]);
  expect(db.inTransaction).toBe(false);
  expect(beforeCommit).toHaveBeenCalledTimes(1);
});

test('where nothing was written, nothing is waited for', () => {
  const { commit } = open();
  const run = vi.fn();
  commit.afterCommit(run);
  expect(run).toHaveBeenCalledWith(null);
});

test('a write that fails undoes its whole turn and tells everyone in it', async () => {
  const onRollback = vi.fn();
  const { commit, insert, count } = open({ onRollback });
  commit.write(() => insert.run(1));
  const first = committed(commit);
  expect(() => commit.write(() => insert.run(1))).toThrow();
  const second = committed(commit);
  expect(await first).toBeInstanceOf(Error);
  expect(await second).toBeInstanceOf(Error);
  expect(count()).toBe(0);
  expect(onRollback).toHaveBeenCalledTimes(1);
  commit.write(() => insert.run(2));
  expect(await committed(commit)).toBeNull();
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
  const commit = createGroupCommit(store.db, store.logFile, {
    beforeCommit: () => undefined,
    onRollback: () => undefined,
  });
  const insert = store.db.prepare('INSERT INTO meta VALUES (?, ?)');
  let told = 0;
  for (let n = 0; n < 50; n++) {
    commit.write(() => insert.run(`n${n}`, 'x'));
    commit.afterCommit((failure) => (told += failure === null ? 1 : 0));
    if (n % 7 === 0) await new Promise(setImmediate);
    // A reader that rests on what is not synced yet waits, too.
    commit.afterCommit(() => (told += 1));
  }
  commit.flush();
  await commit.whenIdle();
  expect(told).toBe(100);
  commit.write(() => insert.run('last', 'x'));
  commit.afterCommit(() => (told += 1));
  commit.flush();
  await commit.whenIdle();
  expect(told).toBe(101);
  store.close();
});
