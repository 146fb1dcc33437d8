import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as giveWay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type { SqlDatabase } from '../../platform/ports';
import { openSandboxStore } from './sandbox-store';
import { restoreSnapshot, takeSnapshot } from './snapshot';
import { writeSnapshot } from './write-snapshot';

const ROWS = 20_000;

function fill(db: SqlDatabase): void {
  const insert = db.prepare('INSERT INTO payments (reference, last_updated, detail) VALUES (?, ?, ?)');
  db.transaction(() => {
    for (let index = 0; index < ROWS; index++)
      insert.run(`r${index}`, index % 2 ? null : index, '["é\u0000"]');
    db.exec(`INSERT INTO webhook_attempts VALUES (1, 1, 5, 12.25, 200, NULL, 'a"b\u2028')`);
  })();
}

it.each([
  ['a folder', () => makeTemporaryFolder('write-snapshot')],
  ['memory', () => undefined],
])('writes what is taken of a store in %s', async (_where, makeFolder) => {
  const store = openSandboxStore(makeFolder());
  const { db, close } = store;
  fill(db);
  const { saved_at: _at, ...taken } = takeSnapshot(db);
  expect(JSON.parse(await writeSnapshot(store))).toMatchObject(taken);
  close();
});

it('leaves others their turns while it writes, and has none of what they change', async () => {
  const store = openSandboxStore(makeTemporaryFolder('write-snapshot'));
  const { db, close } = store;
  fill(db);
  let isDone = false;
  const writing = writeSnapshot(store).finally(() => (isDone = true));
  let turns = 0;
  for (; !isDone; turns++) {
    if (turns === 2)
      db.exec(`UPDATE payments SET reference = 'x' || reference; DELETE FROM webhook_attempts`);
    await giveWay();
  }
  const { tables } = JSON.parse(await writing) as ReturnType<typeof takeSnapshot>;
  expect(turns).toBeGreaterThan(20);
  expect(tables.payments.filter(({ reference }) => String(reference).startsWith('x'))).toEqual([]);
  expect([tables.payments.length, tables.webhook_attempts.length]).toEqual([ROWS, 1]);
  close();
});

it.skipIf(process.platform === 'win32')(
  'begins nothing where a folder that was given as a link was moved away',
  async () => {
    const directory = makeTemporaryFolder('write-snapshot');
    const [real, link] = [join(directory, 'real'), join(directory, 'link')];
    mkdirSync(real);
    symlinkSync(real, link);
    const store = openSandboxStore(link);
    renameSync(real, join(directory, 'moved'));
    await expect(writeSnapshot(store)).rejects.toMatchObject({ code: 'platform.folder_gone' });
    expect(existsSync(real)).toBe(false);
    store.close();
  },
);

it('is put back all or nothing, and a disk that is full is no fault of its rows', () => {
  const other = openSandboxStore(undefined);
  fill(other.db);
  const full = takeSnapshot(other.db);
  other.close();
  const { db, close } = openSandboxStore(makeTemporaryFolder('restore-snapshot'));
  const empty = takeSnapshot(db);
  const load = (snapshot: typeof full): void => db.transaction(() => restoreSnapshot(db, snapshot))();
  db.prepare('PRAGMA max_page_count = 40').all();
  expect(() => load(full)).toThrow(expect.objectContaining({ code: 'platform.disk_full' }));
  expect(takeSnapshot(db).tables).toEqual(empty.tables);
  const twice = [full.tables.payments[0]!, full.tables.payments[0]!];
  expect(() => load({ ...empty, tables: { ...empty.tables, payments: twice } })).toThrow(
    expect.objectContaining({ code: 'sandbox.bad_snapshot' }),
  );
  close();
});
