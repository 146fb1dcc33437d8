import type * as fs from 'node:fs';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { systemRandom } from '../../platform/node-ports';
import { makeTemporaryFolder, notesWhenMade } from '../../../test/support/temporary';
import { createCollectionRegistry } from './collection-registry';

/** What stands on a disk that does not tell case apart, as it was named first. */
const disk = vi.hoisted(() => ({ names: [] as string[], linksFollowed: 0 }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const find = (path: fs.PathLike): string =>
    disk.names.find((name) => name.toLowerCase() === String(path).toLowerCase()) ?? String(path);
  return {
    ...real,
    realpathSync: Object.assign(
      (path: string) => {
        disk.linksFollowed += 1;
        return find(path) === path ? real.realpathSync(path) : path;
      },
      { native: real.realpathSync.native },
    ),
    statSync: (path: string, options: fs.StatSyncOptions) => real.statSync(find(path), options),
  };
});
afterEach(() => (disk.names = []));

function identifyEach(...directories: readonly string[]): string[] {
  const registry = createRegistry();
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

function createRegistry(values = new Map<string, unknown>()) {
  const settings = { get: (key: string) => values.get(key), set: values.set.bind(values) };
  return createCollectionRegistry({ settings, random: systemRandom, usual: null });
}

it('follows no links of the others to find a folder that it knows, and those of each once for one that it does not', () => {
  const folder = makeTemporaryFolder('registry');
  const known = Array.from({ length: 100 }, (_, at) => ({
    id: `id${at}`,
    directory: join(folder, String(at)),
  }));
  const registry = createRegistry(new Map([['collections', { known, open: [] }]]));
  disk.linksFollowed = 0;
  expect(registry.identify(join(folder, '99')).id).toBe('id99');
  expect(disk.linksFollowed).toBe(0);
  registry.identify(join(folder, 'new'));
  // Once before the settings are held, and once then.
  expect(disk.linksFollowed).toBeLessThanOrEqual(2 * (known.length + 1));
});

it.skipIf(!notesWhenMade())(
  'knows a folder that was moved or renamed on its disk, open or not, and lists it once',
  () => {
    const folder = makeTemporaryFolder('registry');
    const [before, meanwhile, now] = ['payments', 'api', 'kept/api'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(before);
    mkdirSync(join(folder, 'kept'));
    const registry = createRegistry();
    const { id } = registry.open(before);
    renameSync(before, meanwhile);
    expect(registry.identify(meanwhile)).toEqual({ id, name: 'api', directory: meanwhile });
    expect(registry.list()).toEqual([{ id, name: 'api', directory: meanwhile }]);
    registry.close(id);
    renameSync(meanwhile, now);
    expect(registry.open(now).id).toBe(id);
    expect(registry.list()).toEqual([{ id, name: 'api', directory: now }]);
    expect(registry.recent()).toEqual([]);
  },
);

it('takes no other folder for one that was moved: a copy, a new one, one whose former place is taken', () => {
  const folder = makeTemporaryFolder('registry');
  const [one, other, third] = ['one', 'other', 'third'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(one);
  const registry = createRegistry();
  const { id } = registry.open(one);
  cpSync(one, other, { recursive: true });
  expect(registry.open(other).id).not.toBe(id);
  renameSync(one, third);
  mkdirSync(one);
  expect(registry.open(third).id).not.toBe(id);
  expect(registry.open(one).id).toBe(id);

  // The system gives the number of a folder that was removed to the next one.
  rmSync(one, { recursive: true });
  const fourth = join(folder, 'fourth');
  mkdirSync(fourth);
  expect(registry.open(fourth).id).not.toBe(id);
});

it.skipIf(!notesWhenMade())(
  'learns which folder one is that an earlier version noted, once the app reads it',
  async () => {
    const folder = makeTemporaryFolder('registry');
    const [before, now] = [join(folder, 'before'), join(folder, 'now')];
    mkdirSync(before);
    const known = { known: [{ id: 'c1', directory: before }], open: ['c1'], active: 'c1' };
    const registry = createRegistry(new Map([['collections', known]]));
    await registry.guard('c1', () => undefined);
    renameSync(before, now);
    await registry.guard('c1', () => undefined);
    expect(registry.identify(now).id).toBe('c1');
  },
);
