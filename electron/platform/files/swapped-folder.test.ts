import type * as fs from 'node:fs';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readRegularFile } from './regular-file';

/** What somebody else does at the worst moment: when the path was followed, and is not opened yet. */
const meanwhile = vi.hoisted(() => ({ act: (): void => undefined, hasProc: true }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    openSync: (...given: Parameters<typeof real.openSync>) => {
      meanwhile.act();
      return real.openSync(...given);
    },
    readlinkSync: (path: string) => {
      if (meanwhile.hasProc) return real.readlinkSync(path);
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    },
  };
});
afterEach(() => {
  meanwhile.act = () => undefined;
  meanwhile.hasProc = true;
});

describe.skipIf(process.platform === 'win32')(
  'a folder that becomes a link while a file of it is read',
  () => {
    it.each([true, false])(
      'leads out of its folder no more than one that was a link before: /proc %s',
      (hasProc) => {
        const base = makeTemporaryFolder('swapped');
        const root = join(base, 'root');
        mkdirSync(join(root, 'sub'), { recursive: true });
        mkdirSync(join(base, 'outside'));
        writeFileSync(join(root, 'sub', 'a'), 'inside');
        writeFileSync(join(base, 'outside', 'a'), 'outside');
        const read = () => readRegularFile(join(root, 'sub', 'a'), { root, maxBytes: 100 });
        meanwhile.hasProc = hasProc;
        expect(read().bytes?.toString()).toBe('inside');
        meanwhile.act = () => {
          meanwhile.act = () => undefined;
          renameSync(join(root, 'sub'), join(root, 'was'));
          symlinkSync(join(base, 'outside'), join(root, 'sub'));
        };
        expect(read()).toEqual({ bytes: null, fault: 'outside' });
      },
    );

    it('is read though it was replaced by another one meanwhile', () => {
      const root = makeTemporaryFolder('swapped');
      writeFileSync(join(root, 'a'), 'old');
      writeFileSync(join(root, 'b'), 'new');
      meanwhile.act = () => renameSync(join(root, 'b'), join(root, 'a'));
      expect(readRegularFile(join(root, 'a'), { root, maxBytes: 100 }).bytes?.toString()).toBe('new');
    });
  },
);
