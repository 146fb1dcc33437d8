import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type * as fs from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { writeFileDurably } from './files';

/** What was done to the disk, in order, with the names of the files. */
const done = vi.hoisted(() => ({ steps: [] as string[], names: new Map<number, string>() }));
/** What the disk says to syncing a folder of that name; null: it does. */
const folderFault = vi.hoisted(() => ({ name: '', code: null as string | null }));
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const nameOf = (path: fs.PathLike): string => String(path).split('/').at(-1)!;
  return {
    ...real,
    openSync: (path: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode) => {
      const file = real.openSync(path, flags, mode);
      done.names.set(file, nameOf(path));
      return file;
    },
    writeSync: (file: number, ...rest: [Uint8Array]) => {
      done.steps.push(`write ${done.names.get(file)}`);
      return real.writeSync(file, ...rest);
    },
    fsyncSync: (file: number) => {
      done.steps.push(`sync ${done.names.get(file)}`);
      const { name, code } = folderFault;
      if (code !== null && done.names.get(file) === name) throw Object.assign(new Error(code), { code });
      real.fsyncSync(file);
    },
    renameSync: (from: fs.PathLike, to: fs.PathLike) => {
      done.steps.push(`rename ${nameOf(from)} ${nameOf(to)}`);
      real.renameSync(from, to);
    },
  };
});

beforeEach(() => {
  done.steps.length = 0;
  folderFault.code = null;
});

it('writes a neighbour, syncs it, renames it over the file and syncs the folder: never the file itself', () => {
  const file = join(makeTemporaryFolder('durable'), 'settings.json');
  writeFileDurably(file, '{"a":1}');
  const [first = ''] = done.steps;
  const neighbour = first.replace('write ', '');
  expect(neighbour).toMatch(/^\.settings\.json\.[0-9a-f]{12}\.tmp$/);
  expect(done.steps).toEqual([
    `write ${neighbour}`,
    `sync ${neighbour}`,
    `rename ${neighbour} settings.json`,
    ...(process.platform === 'win32' ? [] : [`sync ${basename(dirname(file))}`]),
  ]);
});

it.runIf(process.platform !== 'win32')(
  'goes on where the disk knows no syncing of folders, and with no other fault',
  () => {
    const file = join(makeTemporaryFolder('durable'), 'a.http');
    Object.assign(folderFault, { name: basename(dirname(file)), code: 'EINVAL' });
    writeFileDurably(file, 'GET http://a');
    expect(readFileSync(file, 'utf8')).toBe('GET http://a');
    folderFault.code = 'EIO';
    expect(() => writeFileDurably(file, 'b')).toThrow('EIO');
  },
);

it('takes another neighbour each time, so that two writers never share one', () => {
  const file = join(makeTemporaryFolder('durable'), 'settings.json');
  writeFileDurably(file, 'a');
  writeFileDurably(file, 'b');
  const neighbours = done.steps.filter((step) => step.startsWith('rename'));
  expect(new Set(neighbours).size).toBe(2);
});

it('replaces a file whose name is as long as a name may be, and what a killed write of it left', () => {
  const folder = makeTemporaryFolder('durable');
  for (const name of ['L'.repeat(255), 'ö'.repeat(127), `a${'😀'.repeat(63)}`]) {
    const file = join(folder, name);
    writeFileDurably(file, 'GET /a');
    const left = join(folder, done.steps.at(-2)!.split(' ')[1]!);
    writeFileSync(left, '');
    utimesSync(left, 0, 0);
    writeFileDurably(file, 'GET /b', { keepsMode: true });
    expect(readFileSync(file, 'utf8')).toBe('GET /b');
  }
  expect(readdirSync(folder)).toHaveLength(3);
});

it('removes what a killed write of the same file left, and nothing else', () => {
  const folder = makeTemporaryFolder('durable');
  const hour = Date.now() / 1000 - 3600;
  const old = ['.A.http.0123456789ab.tmp', '.B.http.0123456789ab.tmp', '.A.http.notes.tmp'];
  for (const name of [...old, '.A.http.ba9876543210.tmp']) writeFileSync(join(folder, name), '');
  for (const name of old) utimesSync(join(folder, name), hour, hour);
  writeFileDurably(join(folder, 'A.http'), 'GET /');
  expect(readdirSync(folder).sort()).toEqual([
    '.A.http.ba9876543210.tmp',
    '.A.http.notes.tmp',
    '.B.http.0123456789ab.tmp',
    'A.http',
  ]);
});

const ownGroup = process.getgid?.();
const otherGroup = process.getuid?.() === 0 ? 1 : process.getgroups?.().find((group) => group !== ownGroup);

it.skipIf(otherGroup === undefined)(
  'leaves a file to the group that it is of, and what that may do with it',
  () => {
    const file = join(makeTemporaryFolder('durable'), 'A.http');
    writeFileSync(file, 'GET /a');
    chownSync(file, -1, otherGroup!);
    chmodSync(file, 0o664);
    writeFileDurably(file, 'GET /b', { keepsMode: true });
    const { gid, mode } = statSync(file);
    expect([gid, mode & 0o777]).toEqual([otherGroup, 0o664]);
  },
);
