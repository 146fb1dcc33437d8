import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { commitFiles } from './commit-files';

const list = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('commitFiles', () => {
  it('makes a folder that is new with all that belongs into it', () => {
    const root = join(makeTemporaryFolder('commit'), 'a', 'b');
    commitFiles(root, false, [{ path: 'x/y.http', content: 'GET /' }]);
    expect(list(root)).toEqual(['x', join('x', 'y.http')]);
    expect(list(join(root, '..'))).toEqual(['b', join('b', 'x'), join('b', 'x', 'y.http')]);
  });

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
});
