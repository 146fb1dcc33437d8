import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rebaseCollections } from './rebase-collections';

const rebased = (directory: unknown, ...from: string[]): unknown =>
  (rebaseCollections({ collection: { directory } }, from, '/new') as { collection: { directory: unknown } })
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
  [7],
])('leaves %s where it is', (directory) => {
  expect(rebased(directory, '/old')).toBe(directory);
});

it('leaves settings that name no collection as they are', () => {
  for (const settings of [{}, { theme: 'dark' }, { collections: 'x' }, { collections: { known: {} } }])
    expect(rebaseCollections(settings, ['/old'], '/new')).toEqual(settings);
});
