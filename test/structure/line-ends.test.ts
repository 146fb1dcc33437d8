import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';

const root = join(import.meta.dirname, '..', '..');
const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' });

it('checks files out byte for byte where git is told to write CR LF, as it is on Windows', ({ skip }) => {
  skip(git('-C', root, 'rev-parse', 'HEAD').status !== 0, 'this is no clone');
  const clone = makeTemporaryFolder('line-ends');
  const { status, stderr } = git('-c', 'core.autocrlf=true', 'clone', '--quiet', '--shared', root, clone);
  expect(status, stderr).toBe(0);
  // `i/lf w/crlf attr/… path`: how lines end in the index, and in the folder.
  const listed = git('-C', clone, 'ls-files', '--eol').stdout.trim().split('\n');
  expect(listed.length).toBeGreaterThan(1000);
  expect(listed.filter((line) => !/^i\/(\S*) +w\/\1 /.test(line))).toEqual([]);
});
