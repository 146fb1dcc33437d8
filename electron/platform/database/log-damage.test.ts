import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from './database';
import { isLogDamaged } from './log-damage';

vi.mock('node:fs', async (load) => ({ ...(await load<typeof fs>()) }));

it('takes no log for damaged into which somebody writes while it is read', () => {
  const file = join(makeTemporaryFolder('log-damage'), 'x.db');
  const log = `${file}-wal`;
  const sql = 'CREATE TABLE notes (text TEXT) STRICT';
  const database = openDatabase({ file, migrations: [{ id: 1, name: 'notes', sql }] });
  for (const text of ['one', 'two', 'three']) database.prepare('INSERT INTO notes VALUES (?)').run([text]);
  const whole = fs.readFileSync(log);
  const before = Buffer.from(whole).fill(0xa5, whole.length - 6000, whole.length - 5000);
  const read = vi.spyOn(fs, 'readFileSync').mockReturnValueOnce(before);
  expect(isLogDamaged(log, whole.length)).toBe(false);
  expect(read).toHaveBeenCalledTimes(1);
  read.mockRestore();
  fs.writeFileSync(log, before);
  expect(isLogDamaged(log, whole.length)).toBe(true);
  fs.writeFileSync(log, whole);
  database.close();
});
