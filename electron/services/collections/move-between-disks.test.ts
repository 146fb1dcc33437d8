import { readdirSync, writeFileSync } from 'node:fs';
import type * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { moveOnDisk } from './transfer-entry';

/** What the disks say, by what is asked of them: they are two. */
const says = vi.hoisted(() => ({ codes: {} as Record<string, string> }));
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const fail = (what: string): void => {
    const code = says.codes[what];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return {
    ...real,
    renameSync: (from: fs.PathLike, to: fs.PathLike) => {
      if (!String(from).endsWith('.tmp')) fail('rename');
      real.renameSync(from, to);
    },
    accessSync: () => fail('access'),
    cpSync: (from: string, to: string, options: fs.CopySyncOptions) => {
      fail('copy');
      real.cpSync(from, to, options);
    },
  };
});

let [from, to] = ['', ''];
beforeEach(() => {
  says.codes = { rename: 'EXDEV' };
  [from, to] = [makeTemporaryFolder('from'), makeTemporaryFolder('to')];
  writeFileSync(join(from, 'a.http'), 'GET http://a');
});
const move = (): void => moveOnDisk(join(from, 'a.http'), join(to, 'a.http'));

it('moves a file to another disk', () => {
  move();
  expect([readdirSync(from), readdirSync(to)]).toEqual([[], ['a.http']]);
});

it('leaves no copy of one that cannot go, and says which disk is in the way', () => {
  says.codes['access'] = 'EROFS';
  expect(move).toThrow(`Cannot write in ${from}: its disk is read-only.`);
  says.codes = { rename: 'EXDEV', copy: 'ENOSPC' };
  expect(move).toThrow(`No space is left on the disk of ${to}.`);
  expect([readdirSync(from), readdirSync(to)]).toEqual([['a.http'], []]);
});
