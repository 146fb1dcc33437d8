import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from './database';

/** What the disk has left; null: as it is. */
const room = vi.hoisted(() => ({ bytes: null as number | null }));
vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>();
  const statfsSync = (path: fs.PathLike) =>
    room.bytes === null ? real.statfsSync(path) : { bavail: room.bytes, bsize: 1 };
  return { ...real, statfsSync };
});

it('saves what can be read of a damaged file where there is room for all of it alone, and says how much that takes', () => {
  const file = join(makeTemporaryFolder('rescue-room'), 'x.db');
  const said: string[] = [];
  const open = () =>
    openDatabase({
      file,
      migrations: [{ id: 1, name: 'notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)' }],
      rescue: { counted: { table: 'notes', noun: 'notes' }, onRescued: (message) => said.push(message) },
    });
  const database = open();
  for (let id = 1; id <= 50; id++) database.exec(`INSERT INTO notes VALUES (${id}, '${'x'.repeat(900)}')`);
  database.close();
  const bytes = readFileSync(file).fill(0, 3 * 4096, 4 * 4096);
  writeFileSync(file, bytes);
  rmSync(`${file}.closed`);

  room.bytes = 3 * bytes.length - 1;
  expect(open).toThrow(
    `x.db is damaged, and what can be read of it is saved once its disk has room for that: 1 MB. Free some in ${dirname(file)}, and try again.`,
  );
  expect(readdirSync(dirname(file)).filter((name) => name.includes('damaged'))).toEqual([]);
  expect(readFileSync(file).equals(bytes)).toBe(true);

  room.bytes = null;
  open().close();
  expect(said).toEqual([expect.stringContaining(`${basename(file)} was damaged.`)]);
});
