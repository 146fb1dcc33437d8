import type * as fs from 'node:fs';
import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { copyEntry } from './transfer-entry';

/** What somebody else does when a file was looked at, and is not copied yet. */
const afterLook = vi.hoisted(() => ({ act: (_path: string): void => undefined }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    lstatSync: (...given: Parameters<typeof real.lstatSync>) => {
      const stats = real.lstatSync(...given);
      afterLook.act(String(given[0]));
      return stats;
    },
  };
});
afterEach(() => (afterLook.act = () => undefined));

it.skipIf(process.platform === 'win32')(
  'copies nothing of outside, though a file becomes a link while its folder is copied',
  () => {
    const root = makeTemporaryFolder('copy-swapped');
    const secret = join(makeTemporaryFolder('elsewhere'), 'secret');
    writeFileSync(secret, 'outside');
    mkdirSync(join(root, 'folder'));
    const file = join(root, 'folder', 'a.http');
    writeFileSync(file, 'GET http://inside');
    afterLook.act = (path) => {
      if (path !== file) return;
      rmSync(file);
      symlinkSync(secret, file);
    };
    const path = copyEntry({ root, path: 'folder', toRoot: root, toFolder: '' });
    expect(readlinkSync(join(root, path, 'a.http'))).toBe(secret);
    afterLook.act = () => undefined;
    rmSync(secret);
    expect(() => readFileSync(join(root, path, 'a.http'))).toThrow(/ENOENT/);
  },
);

it.skipIf(process.platform === 'win32')('copies what a link within the collection leads to', () => {
  const root = makeTemporaryFolder('copy-link');
  writeFileSync(join(root, 'a.http'), 'GET http://a');
  symlinkSync('a.http', join(root, 'link.http'));
  const path = copyEntry({ root, path: 'link.http', toRoot: root, toFolder: '' });
  rmSync(join(root, 'a.http'));
  expect([path, readFileSync(join(root, path), 'utf8')]).toEqual(['link copy.http', 'GET http://a']);
});
