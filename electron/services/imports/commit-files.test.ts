import * as fs from 'node:fs';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { commitFiles } from './commit-files';

// A process can be killed between any two of these; what stands there then is what the user finds.
vi.mock('node:fs', async (importActual) => {
  const actual = await importActual<typeof fs>();
  return { ...actual, renameSync: vi.fn(actual.renameSync) };
});

const list = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('commitFiles', () => {
  it('makes a folder that is new with all that belongs into it', () => {
    const root = join(makeTemporaryFolder('commit'), 'a', 'b');
    commitFiles(root, false, [{ path: 'x/y.http', content: 'GET /' }]);
    expect(list(root)).toEqual(['x', join('x', 'y.http')]);
    expect(list(join(root, '..'))).toEqual(['b', join('b', 'x'), join('b', 'x', 'y.http')]);
  });

  it('leaves what another import has made at its place meanwhile', () => {
    const root = join(makeTemporaryFolder('commit'), 'b');
    mkdirSync(root);
    writeFileSync(join(root, 'x.http'), 'theirs');
    expect(() => commitFiles(root, false, [{ path: 'x.http', content: 'GET /' }])).toThrow(
      `${root} was made by something else meanwhile. Nothing was imported: try again.`,
    );
    expect(list(join(root, '..'))).toEqual(['b', join('b', 'x.http')]);
    expect(readFileSync(join(root, 'x.http'), 'utf8')).toBe('theirs');
  });

  // Elsewhere nothing of it takes room on the disk.
  it.skipIf(process.platform === 'win32')(
    'says of a file that has become too large to read that it was changed',
    () => {
      const root = makeTemporaryFolder('commit');
      writeFileSync(join(root, 'x.http'), '');
      truncateSync(join(root, 'x.http'), 3 * 1024 ** 3);
      expect(() => commitFiles(root, true, [{ path: 'x.http', content: 'GET /', before: 'other' }])).toThrow(
        `${join(root, 'x.http')} was changed by something else meanwhile. Nothing was imported: try again.`,
      );
    },
  );

  it('takes everything back where a step in the middle fails', () => {
    const root = makeTemporaryFolder('commit');
    writeFileSync(join(root, 'one.http'), 'old');
    writeFileSync(join(root, 'blocked'), 'a file');
    const changes = ['one.http', 'new/two.http', 'blocked/three.http'].map((path) => ({
      path,
      content: 'new',
    }));
    expect(() => commitFiles(root, true, changes)).toThrow(
      expect.objectContaining({ code: 'platform.unwritable' }),
    );
    expect(list(root)).toEqual(['blocked', 'one.http']);
    expect(readFileSync(join(root, 'one.http'), 'utf8')).toBe('old');
  });

  it('replaces files in a folder that is there, and leaves no trace of how', () => {
    const root = makeTemporaryFolder('commit');
    mkdirSync(join(root, 'in'));
    writeFileSync(join(root, 'in', 'one.http'), 'old');
    commitFiles(root, true, [
      { path: 'in/one.http', content: 'new' },
      { path: 'in/deep/two.http', content: new Uint8Array([0, 255]) },
    ]);
    expect(list(root)).toEqual([
      'in',
      join('in', 'deep'),
      join('in', 'deep', 'two.http'),
      join('in', 'one.http'),
    ]);
    expect(readFileSync(join(root, 'in', 'one.http'), 'utf8')).toBe('new');
  });

  it('has each file that it replaces in its place at every moment, with the mode that it had', async () => {
    const root = makeTemporaryFolder('commit');
    const names = ['collection.json', 'http-client.env.json'];
    for (const name of names) writeFileSync(join(root, name), 'old');
    chmodSync(join(root, names[1]!), 0o600);
    const { renameSync } = await vi.importActual<typeof fs>('node:fs');
    const missing: string[] = [];
    const look = (): void => void missing.push(...names.filter((name) => !existsSync(join(root, name))));
    vi.mocked(fs.renameSync).mockImplementation((from, to) => {
      look();
      renameSync(from, to);
      look();
    });
    commitFiles(
      root,
      true,
      names.map((path) => ({ path, content: 'new' })),
    );
    vi.mocked(fs.renameSync).mockImplementation(renameSync);
    expect(missing).toEqual([]);
    expect(names.map((name) => readFileSync(join(root, name), 'utf8'))).toEqual(['new', 'new']);
    if (process.platform !== 'win32') expect(statSync(join(root, names[1]!)).mode & 0o777).toBe(0o600);
  });

  it('loses no folder that stands where a file is to be', () => {
    const root = makeTemporaryFolder('commit');
    mkdirSync(join(root, 'one.http'));
    writeFileSync(join(root, 'one.http', 'kept.txt'), 'mine');
    expect(() => commitFiles(root, true, [{ path: 'one.http', content: 'new' }])).toThrow(
      expect.objectContaining({ code: 'platform.unwritable' }),
    );
    expect(list(root)).toEqual(['one.http', join('one.http', 'kept.txt')]);
  });
});
