import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import { createGroupCommit } from './group-commit';
import { openSandboxStore } from './sandbox-store';
import { makeTemporaryFolder } from '../../../test/support/temporary';

/** What was asked of the disk, in order; a sync that is held is not done yet. */
const disk = vi.hoisted(() => ({ calls: [] as string[], isHeld: false, held: [] as (() => void)[] }));
vi.mock(import('node:fs'), async (importOriginal) => {
  const real = await importOriginal();
  const fdatasync = ((file: number, told: (error: Error | null) => void) => {
    disk.calls.push(`begin ${file}`);
    const sync = (): void =>
      real.fdatasync(file, (error) => {
        disk.calls.push(`synced ${file}`);
        told(error);
      });
    if (disk.isHeld) disk.held.push(sync);
    else sync();
  }) as typeof real.fdatasync;
  const fdatasyncSync = (file: number): void => {
    real.fdatasyncSync(file);
    disk.calls.push(`synced ${file}`);
  };
  return { ...real, fdatasync, fdatasyncSync };
});

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

test('nobody is told before the log itself was synced, however long that takes', async () => {
  const store = openSandboxStore(makeTemporaryFolder('commit'));
  const commit = createGroupCommit(store.db, store.logFile);
  const insert = store.db.prepare('INSERT INTO meta VALUES (?, ?)');
  disk.calls.length = 0;
  disk.isHeld = true;
  let told = 0;
  commit.write(() => insert.run('a', 'x'));
  void commit.afterCommit().then(() => (told += 1));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(disk.calls).toEqual([`begin ${store.logFile}`]);
  expect(told).toBe(0);
  disk.isHeld = false;
  disk.held.shift()!();
  await vi.waitUntil(() => told === 1);
  expect(disk.calls).toEqual([`begin ${store.logFile}`, `synced ${store.logFile}`]);
  commit.write(() => insert.run('b', 'x'));
  commit.flush();
  expect(disk.calls.slice(2)).toEqual([`begin ${store.logFile}`, `synced ${store.logFile}`]);
  store.close();
});

test('a sync that fails is told to everyone who waited for it', async () => {
  const store = openSandboxStore(makeTemporaryFolder('commit'));
  const commit = createGroupCommit(store.db, 99_999);
  commit.write(() => store.db.prepare('INSERT INTO meta VALUES (?, ?)').run('a', 'x'));
  expect(await commit.afterCommit()).toMatchObject({ code: 'EBADF' });
  store.close();
});
