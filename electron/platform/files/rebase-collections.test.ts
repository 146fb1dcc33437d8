import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { rebaseCollections } from './rebase-collections';

const copy = makeTemporaryFolder('copy');
mkdirSync(join(copy, 'collections', 'A', 'B'), { recursive: true });
const places = { to: '/new', copy };

const rebased = (directory: unknown, ...from: string[]): unknown =>
  (rebaseCollections({ collection: { directory } }, from, places) as { collection: { directory: unknown } })
    .collection.directory;

it.each([
  ['/old/collections/A', '/old', ['collections', 'A']],
  ['/old/collections/A/B', '/old', ['collections', 'A', 'B']],
  ['C:\\Users\\a\\Countersign\\collections\\A', 'C:\\Users\\a\\Countersign', ['collections', 'A']],
])('takes %s of %s along', (directory, from, parts) => {
  expect(rebased(directory, '/other', from)).toBe(join('/new', ...parts));
});

it.each([
  ['/older/collections/A'],
  ['/old/requests/A'],
  ['/old'],
  ['/old/collections/../../etc'],
  ['/work/collections/A'],
  ['/old/collections/not copied'],
  [7],
])('leaves %s where it is', (directory) => {
  expect(rebased(directory, '/old')).toBe(directory);
});

it('leaves settings that name no collection as they are', () => {
  for (const settings of [{}, { theme: 'dark' }, { collections: 'x' }, { collections: { known: {} } }])
    expect(rebaseCollections(settings, ['/old'], places)).toEqual(settings);
});

it.skipIf(process.platform === 'win32')('leaves a collection that a link alone puts into the folder', () => {
  symlinkSync(makeTemporaryFolder('elsewhere'), join(copy, 'collections', 'linked'));
  symlinkSync('../../nowhere', join(copy, 'collections', 'dead'));
  for (const name of ['linked', 'dead']) {
    const directory = `/old/collections/${name}`;
    expect(rebased(directory, '/old')).toBe(directory);
  }
});
