import type * as fs from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createGroupCommit, type GroupCommit } from './group-commit';
import { openSandboxStore, type SandboxStore } from './sandbox-store';

/** The disk: what it was asked to bring home, and when it says that it has. */
const disk = vi.hoisted(() => ({
  asked: [] as { file: number; done: (error: Error | null) => void }[],
  syncedNow: [] as number[],
  failure: null as Error | null,
}));
vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof fs>()),
  fdatasync: (file: number, done: (error: Error | null) => void) => void disk.asked.push({ file, done }),
  fdatasyncSync: (file: number) => {
    disk.syncedNow.push(file);
    if (disk.failure !== null) throw disk.failure;
  },
}));

let store: SandboxStore;
let commit: GroupCommit;
let keys = 0;
beforeEach(() => {
  Object.assign(disk, { asked: [], syncedNow: [], failure: null });
  store = openSandboxStore(makeTemporaryFolder('sync'));
  commit = createGroupCommit(store.db, store.logFile);
});
afterEach(() => store.close());

const write = () =>
  commit.write(() => store.db.prepare('INSERT INTO meta VALUES (?, ?)').run(`key ${++keys}`, 'x'));
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

test('who wrote is told when the log is on the disk, and not a turn before', async () => {
  const told = vi.fn();
  write();
  void commit.afterCommit().then(told);
  await turns(5);
  expect(disk.asked.map(({ file }) => file)).toEqual([store.logFile]);
  expect(told).not.toHaveBeenCalled();
  disk.asked[0]!.done(null);
  await turns(1);
  expect(told).toHaveBeenCalledExactlyOnceWith(null);
});

test('what is committed while a sync runs waits for the next one; it may have missed the first', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  write();
  void commit.afterCommit().then(first);
  await turns(2);
  write();
  void commit.afterCommit().then(second);
  await turns(2);
  expect(disk.asked).toHaveLength(1);
  disk.asked[0]!.done(null);
  await turns(1);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0]);
  expect(disk.asked).toHaveLength(2);
  disk.asked[1]!.done(null);
  await turns(1);
  expect(second).toHaveBeenCalledExactlyOnceWith(null);
});

test('who reads what is on its way to the disk waits for it, too', async () => {
  const told = vi.fn();
  write();
  await turns(2);
  void commit.afterCommit().then(told);
  await turns(3);
  expect(told).not.toHaveBeenCalled();
  disk.asked[0]!.done(null);
  await turns(1);
  expect(told).toHaveBeenCalledOnce();
});

test('a disk that refuses is no success to anyone', async () => {
  write();
  const failed = commit.afterCommit();
  await turns(2);
  disk.asked[0]!.done(new Error('EIO'));
  expect(await failed).toMatchObject({ message: 'EIO' });
});

test('a flush syncs before it returns, and throws what the disk says', () => {
  write();
  commit.flush();
  expect(disk.syncedNow).toEqual([store.logFile]);
  disk.failure = new Error('ENOSPC');
  write();
  expect(() => commit.flush()).toThrow('ENOSPC');
});

test('what SQLite itself takes from the log into the file is synced, too', () => {
  const NORMAL = 1;
  expect(store.db.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: NORMAL });
});
