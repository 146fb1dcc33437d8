import type * as fs from 'node:fs';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { copyFile, copyTree, permit, renameFile, syncPath } from './differing-disks';
import { refuseReadOnly, writeFileDurably } from './files';

const disk = vi.hoisted(() => ({
  permissions: '',
  times: '',
  renames: [] as string[],
  opened: [] as unknown[],
  isProtected: false,
}));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const refuse = (code: string | undefined): void => {
    if (code) throw Object.assign(new Error(code), { code });
  };
  return {
    ...real,
    chmodSync: (...given: Parameters<typeof fs.chmodSync>) => {
      refuse(disk.permissions);
      real.chmodSync(...given);
    },
    fchmodSync: (...given: Parameters<typeof fs.fchmodSync>) => {
      refuse(disk.permissions);
      real.fchmodSync(...given);
    },
    copyFileSync: (...given: Parameters<typeof fs.copyFileSync>) => {
      refuse(disk.permissions);
      real.copyFileSync(...given);
    },
    cpSync: (...given: Parameters<typeof fs.cpSync>) => {
      if (!real.lstatSync(given[0]).isSymbolicLink()) refuse(disk.permissions);
      real.cpSync(...given);
    },
    utimesSync: (...given: Parameters<typeof fs.utimesSync>) => {
      refuse(disk.times);
      real.utimesSync(...given);
    },
    renameSync: (...given: Parameters<typeof fs.renameSync>) => {
      refuse(disk.renames.shift());
      real.renameSync(...given);
    },
    accessSync: (...given: Parameters<typeof fs.accessSync>) => {
      refuse(disk.isProtected ? 'EPERM' : '');
      real.accessSync(...given);
    },
    openSync: (...given: Parameters<typeof fs.openSync>) => {
      disk.opened.push(given[1]);
      return real.openSync(...given);
    },
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Object.assign(disk, { permissions: '', times: '', renames: [], opened: [], isProtected: false });
});

const folder = makeTemporaryFolder('disks');
const at = (name: string): string => join(folder, name);
/** @returns how long it has waited */
const becomeWindows = (): (() => number) => {
  vi.stubGlobal('process', { ...process, platform: 'win32' });
  const waits = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  return () => waits.mock.calls.reduce((sum, [, , , ms]) => sum + Number(ms), 0);
};

it.each(['EPERM', 'ENOTSUP'])('writes and copies on a disk that answers permissions with %s', (code) => {
  writeFileSync(at('a.http'), 'GET /a');
  disk.permissions = code;
  writeFileDurably(at('a.http'), 'GET /b', { keepsMode: true });
  permit(at('a.http'), 0o600);
  copyFile(at('a.http'), at(`copy-${code}`));
  expect(readFileSync(at(`copy-${code}`), 'utf8')).toBe('GET /b');
});

it.each(['', 'EPERM'])(
  'copies a folder, its links and times, on a disk that takes no permissions (%s)',
  (code) => {
    const [from, to] = [at(`from-${code}`), at(`to-${code}`)];
    mkdirSync(join(from, 'in'), { recursive: true });
    const bytes = Buffer.alloc(3_000_001, 'ab');
    writeFileSync(join(from, 'in', 'a'), bytes, { mode: 0o640 });
    writeFileSync(join(from, 'hidden'), '');
    symlinkSync('in/a', join(from, 'link'));
    utimesSync(join(from, 'in', 'a'), 1000, 1000);
    disk.permissions = code;
    copyTree(from, to, { preserveTimestamps: true, filter: (path) => !path.endsWith('hidden') });
    expect(readdirSync(to).sort()).toEqual(['in', 'link']);
    expect(readlinkSync(join(to, 'link'))).toBe('in/a');
    expect(readFileSync(join(to, 'in', 'a')).equals(bytes)).toBe(true);
    expect(statSync(join(to, 'in', 'a'))).toMatchObject({ mtimeMs: 1_000_000, mode: 0o100640 });
    disk.times = code;
    copyTree(from, `${to}-2`, { preserveTimestamps: true });
    expect(existsSync(join(`${to}-2`, 'hidden'))).toBe(true);
  },
);

it('passes on whatever else a disk says to permissions and copies', () => {
  writeFileSync(at('b'), '');
  disk.permissions = 'EIO';
  expect(() => permit(at('b'), 0o600)).toThrow('EIO');
  expect(() => copyFile(at('b'), at('c'))).toThrow('EIO');
  expect(() => copyTree(at('b'), at('c'), {})).toThrow('EIO');
  expect(existsSync(at('c'))).toBe(false);
  disk.permissions = '';
  permit(at('b'), 0o640);
  expect(statSync(at('b')).mode & 0o777).toBe(0o640);
});

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'replaces a file on Windows once nobody has it open (%s), and elsewhere at once or not',
  (code) => {
    writeFileSync(at('d'), 'old');
    disk.renames = [code];
    expect(() => writeFileDurably(at('d'), 'new')).toThrow(
      expect.objectContaining({ code: expect.any(String) }),
    );
    expect(readFileSync(at('d'), 'utf8')).toBe('old');
    becomeWindows();
    disk.renames = [code, code];
    writeFileDurably(at('d'), 'new');
    expect(readFileSync(at('d'), 'utf8')).toBe('new');
  },
);

it('gives up on Windows in a second, and on another fault at once', () => {
  const waitedMs = becomeWindows();
  writeFileSync(at('e'), '');
  disk.renames = Array.from({ length: 30 }, () => 'EBUSY');
  expect(() => renameFile(at('e'), at('f'))).toThrow('EBUSY');
  expect(waitedMs()).toBe(1200);
  expect(() => writeFileDurably(at('e'), '')).toThrow(/in another program, .*Close it there/);
  disk.renames = Array.from({ length: 30 }, () => 'EPERM');
  expect(() => writeFileDurably(at('e'), '')).toThrow(/another program has it open\. Allow it, or close/);
  disk.renames = ['ENOSPC'];
  expect(() => renameFile(at('e'), at('f'))).toThrow('ENOSPC');
});

it('names on Windows no command of another system for a file that is protected', () => {
  writeFileSync(at('h'), '');
  disk.isProtected = true;
  expect(() => refuseReadOnly(at('h'))).toThrow(/chmod/);
  becomeWindows();
  expect(() => refuseReadOnly(at('h'))).toThrow(/may not be written by you.*Properties/);
});

it('opens what it syncs for writing on Windows, which refuses to sync what is open for reading alone', () => {
  writeFileSync(at('g'), 'kept');
  syncPath(at('g'));
  becomeWindows();
  syncPath(at('g'));
  expect(disk.opened).toEqual(['r', 'r+']);
  expect(readFileSync(at('g'), 'utf8')).toBe('kept');
});
