import type * as fs from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readSnapshotFile } from '../../sandbox/store/snapshot-file';
import { readSource } from './read-source';
import { toErrorReply } from '@shared/errors';
import { toDatabaseError } from '../../platform/database/database';
import { toFileError } from '../../platform/files/files';
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

it.each([
  ['the system', Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' })],
  ['the library of databases', new Error('Too many open files (os error 24)')],
])('says it wherever %s says it, in the place of what nobody foresaw', (_who, error) => {
  expect(toErrorReply(error)).toMatchObject({ code: 'app.crowded', retryable: true });
  expect(toErrorReply(error).message).toMatch(/^Too many files are open.*ulimit -n/);
  expect(toFileError(error, '/data').message).toMatch(/too many files are open.*ulimit -n/);
});

it('tells it from a database that may not be written: SQLite says the same of both', () => {
  const file = join(makeTemporaryFolder('crowded-database'), 'a.db');
  writeFileSync(file, '');
  limit.code = 'EMFILE';
  const cannotOpen = Object.assign(new Error('unable to open database file'), { rawCode: 14 });
  expect(toDatabaseError(cannotOpen, file).message).toMatch(/too many files are open/);
});
