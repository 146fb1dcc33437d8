import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { refuseTaken } from './collection-files';
import { unknownFile } from './collection-paths';
import { makeCollection, placeCollection } from './make-collection';
import { findFreePath } from './transfer-entry';

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
