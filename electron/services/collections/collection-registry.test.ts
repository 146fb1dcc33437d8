import type * as fs from 'node:fs';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { systemRandom } from '../../platform/node-ports';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createCollectionRegistry } from './collection-registry';

/** What stands on a disk that does not tell case apart, as it was named first. */
const disk = vi.hoisted(() => ({ names: [] as string[] }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const find = (path: fs.PathLike): string =>
    disk.names.find((name) => name.toLowerCase() === String(path).toLowerCase()) ?? String(path);
  return {
    ...real,
    realpathSync: Object.assign((path: string) => (find(path) === path ? real.realpathSync(path) : path), {
      native: real.realpathSync.native,
    }),
    statSync: (path: string, options: fs.StatSyncOptions) => real.statSync(find(path), options),
  };
});
afterEach(() => (disk.names = []));

function identifyEach(...directories: readonly string[]): string[] {
  const values = new Map<string, unknown>();
  const settings = { get: (key: string) => values.get(key), set: values.set.bind(values) };
  const registry = createCollectionRegistry({ settings, random: systemRandom, usual: null });
  return directories.map((directory) => registry.identify(directory).id);
}

it('knows a folder in letters of another case where its disk takes them for the same, and nowhere else', () => {
  const folder = makeTemporaryFolder('registry');
  const [one, other] = [join(folder, 'Payments'), join(folder, 'payments')];
  mkdirSync(one);
  disk.names = [one];
  expect(new Set(identifyEach(one, other)).size).toBe(1);
  expect(existsSync(other)).toBe(false);
  disk.names = [];
  expect(new Set(identifyEach(one, other)).size).toBe(2);
  mkdirSync(other);
  expect(new Set(identifyEach(one, other)).size).toBe(2);
});
