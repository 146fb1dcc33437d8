import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { makeCollection } from './make-collection';

it('leaves nothing of a collection that cannot be copied to its end', () => {
  const parent = makeTemporaryFolder('half-collection');
  const source = join(parent, 'not-there');
  expect(() => makeCollection({ parent, name: 'New', source })).toThrow(
    expect.objectContaining({ code: 'platform.unwritable' }),
  );
  expect(readdirSync(parent)).toEqual([]);
});
