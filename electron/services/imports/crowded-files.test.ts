import type * as fs from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readSnapshotFile } from '../../sandbox/store/snapshot-file';
import { readSource } from './read-source';
import { describeReadFault } from '../../platform/files/read-faults';
import { readRegularFile } from '../../platform/files/regular-file';

/** As where a process has as many files open as it may. */
const limit = vi.hoisted(() => ({ code: '' }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const openSync: typeof fs.openSync = (...given) => {
    if (limit.code === '') return real.openSync(...given);
    throw Object.assign(new Error(limit.code), { code: limit.code });
  };
  return { ...real, openSync };
});
afterEach(() => void (limit.code = ''));

it.each(['EMFILE', 'ENFILE'])('tells too many open files from a disk that fails: %s', (code) => {
  const root = makeTemporaryFolder('crowded');
  const file = join(root, 'a.json');
  writeFileSync(file, '{}');
  limit.code = code;
  expect(readRegularFile(file, { root, maxBytes: 10 }).fault).toBe('crowded');
  expect(() => readSnapshotFile(file)).toThrow(/too many files.*ulimit -n/i);
  expect(() => readSource({ kind: 'path', path: file })).toThrow(/too many files.*ulimit -n/i);
  expect(describeReadFault(code)).toMatch(/^too many files are open/);
});
