import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEntry, refuseTaken } from './collection-files';
import { unknownFile } from './collection-paths';
import { makeCollection, placeCollection } from './make-collection';
import { ensureFolder, findFreePath } from './transfer-entry';

it('leaves nothing of a collection that cannot be copied to its end', () => {
  const parent = makeTemporaryFolder('half-collection');
  const source = join(parent, 'not-there');
  expect(() => makeCollection({ parent, name: 'New', source })).toThrow(
    expect.objectContaining({ code: 'platform.unwritable' }),
  );
  expect(readdirSync(parent)).toEqual([]);
});

it.each([
  ['x'.repeat(300), 'the name is too long'],
  ['file', 'a part of its path is a file'],
])('says why nobody can look for a collection in a folder: %s', (name, why) => {
  const parent = makeTemporaryFolder('out-of-reach');
  writeFileSync(join(parent, 'file'), '');
  expect(() => placeCollection(join(parent, name), 'New')).toThrow(
    expect.objectContaining({
      code: 'collections.unreadable',
      message: expect.stringContaining(`cannot be reached: ${why}. Mend that`) as string,
    }),
  );
});

it('says of a file in a folder that may not be entered no more than that', () => {
  const refused = Object.assign(new Error('EACCES'), { code: 'EACCES' });
  expect(unknownFile('closed/a.http', refused)).toMatchObject({ code: 'collections.unreadable' });
  expect(unknownFile('open/a.http')).toMatchObject({ code: 'collections.unknown' });
});

it('says why nothing can be put into a folder that may not be listed', () => {
  const root = makeTemporaryFolder('unlisted');
  writeFileSync(join(root, 'file'), '');
  const refusal = expect.objectContaining({ code: 'platform.unwritable' }) as Error;
  expect(() => refuseTaken(join(root, 'file'), 'a.http', null)).toThrow(refusal);
  expect(() => findFreePath(root, 'file', 'a.http')).toThrow(refusal);
});

it.skipIf(process.platform === 'win32')('gives what a team may share the modes of the umask', () => {
  const umask = process.umask(0o002);
  try {
    const parent = makeTemporaryFolder('shared-modes');
    const root = makeCollection({ parent, name: 'New', source: null });
    const copy = makeCollection({ parent, name: 'Copy', source: root });
    createEntry(root, { kind: 'folder', folder: '', name: 'Payouts' });
    createEntry(root, { kind: 'request', folder: 'Payouts', name: 'Pay' });
    ensureFolder(root, 'Made/On the way');
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    const folders = [root, copy, join(root, 'Payouts'), join(root, 'Made'), join(root, 'Made/On the way')];
    const files = ['New/collection.json', 'Copy/collection.json', 'New/Payouts/Pay.http'];
    expect(folders.map(modeOf)).toEqual(folders.map(() => '775'));
    expect(files.map((file) => modeOf(join(parent, file)))).toEqual(files.map(() => '664'));
  } finally {
    process.umask(umask);
  }
});
