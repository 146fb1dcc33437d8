import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { removeLeftovers, removeLeftOfProcesses } from './remove-leftovers';

vi.mock(import('node:fs'), async (load) => {
  const fs = await load();
  return {
    ...fs,
    rmSync: (path, options) => {
      if (String(path).includes('held')) throw Object.assign(new Error('Not permitted'), { code: 'EPERM' });
      fs.rmSync(path, options);
    },
  };
});

/** No process has this number: it is beyond what a system gives. */
const ended = 2 ** 30;

function fill(names: string[]): string {
  const folder = makeTemporaryFolder('leftovers');
  for (const name of names) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 0, 0);
  }
  return folder;
}

test('what cannot be removed stays, and what stands behind it goes', () => {
  const folder = fill(['.a-held.tmp', '.b.tmp', 'c.json']);
  removeLeftovers(folder, /\.tmp$/);
  expect(['.a-held.tmp', '.b.tmp', 'c.json'].map((name) => existsSync(join(folder, name)))).toEqual([
    true,
    false,
    true,
  ]);
});

test('so it does with what a process left', () => {
  const names = [`a-held.part-${ended}`, `b.part-${ended}`, `c.part-${process.pid}`];
  const folder = fill(names);
  utimesSync(join(folder, names[2]!), new Date(), new Date());
  removeLeftOfProcesses(folder, /\.part-(\d+)$/);
  expect(names.map((name) => existsSync(join(folder, name)))).toEqual([true, false, true]);
});

test('a folder that somebody still writes into stays', () => {
  const folder = makeTemporaryFolder('leftovers');
  const copy = join(folder, '.copy.tmp');
  mkdirSync(copy);
  writeFileSync(join(copy, 'last'), '');
  utimesSync(copy, 0, 0);
  removeLeftovers(folder, /\.tmp$/);
  expect(existsSync(copy)).toBe(true);
});

test('a folder that is not there has nothing to remove', () => {
  expect(() => removeLeftovers('/nowhere-at-all', /./)).not.toThrow();
  expect(() => removeLeftOfProcesses('/nowhere-at-all', /(\d)/)).not.toThrow();
});
