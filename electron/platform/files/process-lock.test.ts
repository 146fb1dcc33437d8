import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type * as Database from '../database/database';
import { holdOutFolder } from './hold-out-folder';
import { holdFolder, nameUserLock, withProcessLock, withProcessLockSync } from './process-lock';

/** SQLite's code that locks of this folder end in; 0: none does. */
const failing = vi.hoisted(() => ({ rawCode: 0, folder: '' }));
vi.mock('../database/database', async (load) => {
  const database = await load<typeof Database>();
  const connectDatabase: typeof database.connectDatabase = (file) => {
    const opened = database.connectDatabase(file);
    const exec = opened.exec.bind(opened);
    opened.exec = (sql) => {
      if (failing.rawCode === 0 || !sql.startsWith('BEGIN') || !file.startsWith(failing.folder))
        return exec(sql);
      throw Object.assign(new Error('database or disk is full'), { rawCode: failing.rawCode });
    };
    return opened;
  };
  return { ...database, connectDatabase };
});

const folder = makeTemporaryFolder('lock');

/** Each way to a lock, and the error that it ends in. */
async function fail(file: string): Promise<unknown[]> {
  const run = vi.fn();
  const catchSync = (take: () => unknown): unknown => {
    try {
      return take();
    } catch (error) {
      return error;
    }
  };
  const found = [
    catchSync(() => withProcessLockSync(join(folder, file), run)),
    await withProcessLock(join(folder, file), async () => run()).catch((error: unknown) => error),
    catchSync(() => holdFolder(folder, file.replace('.lock', ''))),
  ];
  expect(run).not.toHaveBeenCalled();
  return found;
}

describe('a lock that cannot be written', () => {
  it.each([
    ['on a full disk', 13, 'platform.disk_full', /^No space is left on the disk of /],
    ['on one that takes no writes', 8, 'platform.unwritable', /./],
  ])('says so, and runs nothing: %s', async (_what, rawCode, code, message) => {
    failing.rawCode = rawCode;
    for (const error of await fail('a.lock'))
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
    failing.rawCode = 0;
    expect(withProcessLockSync(join(folder, 'a.lock'), () => 'ran')).toBe('ran');
  });

  it('is done without where the folder itself has one, and stands in the place for temporary files', () => {
    const full = nameUserLock(folder, 'e')!;
    Object.assign(failing, { rawCode: 13, folder: dirname(full) });
    const { held } = holdFolder(folder, 'e');
    expect(holdFolder(folder, 'e').held).toBeNull();
    held?.release();
    expect(() => holdOutFolder(folder, 'run')).toThrow(`No space is left on the disk of ${dirname(full)}.`);
    Object.assign(failing, { rawCode: 0, folder: '' });
    const out = holdOutFolder(folder, 'run').held;
    expect(holdOutFolder(folder, 'run').held).toBeNull();
    out?.release();
  });

  it('says what stands in its place', async () => {
    writeFileSync(
      join(folder, 'b.lock'),
      'a text of somebody else, as long as a page of it has to be\n'.repeat(20),
    );
    for (const error of await fail('b.lock')) {
      expect(error).toMatchObject({
        code: 'platform.unwritable',
        message: `${join(folder, 'b.lock')} should be an empty file that Countersign locks, and holds something else. Remove it, and try again.`,
      });
    }
    mkdirSync(join(folder, 'd.holder.json'));
    expect(() => holdFolder(folder, 'd')).toThrow(expect.objectContaining({ code: 'platform.unwritable' }));
    mkdirSync(join(folder, 'c.lock'));
    for (const error of await fail('c.lock'))
      expect(error).toMatchObject({ code: expect.stringMatching(/^platform\./) as string });
    expect(existsSync(join(folder, 'b.lock'))).toBe(true);
  });
});

it.runIf(process.platform !== 'win32')(
  'names what is in the place of the note of who holds a folder, and does not wait for a pipe',
  () => {
    const directory = makeTemporaryFolder('holder');
    const note = join(directory, 'app.holder.json');
    execFileSync('mkfifo', [note]);
    expect(() => holdFolder(directory, 'app')).toThrow(`${note} is no ordinary file`);
    rmSync(note);
    symlinkSync(join(directory, 'nowhere'), note);
    expect(() => holdFolder(directory, 'app')).toThrow(`${note} is a link to something that is not there`);
  },
);

it('writes what a holder says once, however often it says it: who reads while it is written finds nothing', () => {
  const directory = join(folder, 'said');
  mkdirSync(directory);
  const { held } = holdFolder(directory, 'app');
  held!.tell({ state: 'ending' });
  const file = join(directory, 'app.holder.json');
  writeFileSync(file, 'as it was');
  held!.release({ state: 'ending' });
  expect(readFileSync(file, 'utf8')).toBe('as it was');
  const again = holdFolder(directory, 'app').held!;
  again.release({ state: 'ended' });
  expect(readFileSync(file, 'utf8')).toContain('ended');
});
