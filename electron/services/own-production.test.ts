import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { createOwnProduction } from './own-production';

const usual = makeTemporaryFolder('own-production');
let hasHome = true;

vi.mock('../platform/files/data-directory', () => ({
  findUsualDataDirectory: () => {
    if (hasHome) return usual;
    throw new AppError('platform.no_home', 'Nothing says which folder is your home.');
  },
}));

it('knows of no production of its own where nothing says which folder is home, as for a user of a container', async () => {
  hasHome = false;
  expect(await createOwnProduction({ dataDirectory: null, version: '0.0.0' })(vi.fn())).toEqual([]);
  hasHome = true;
});

it('leaves damaged settings of the usual folder where they are, and says once that it cannot tell', async () => {
  const file = join(usual, 'settings.json');
  writeFileSync(file, '{"environments":{"data":[{"kind":"production"');
  const onNotice = vi.fn();
  const listOwn = createOwnProduction({ dataDirectory: null, version: '0.0.0' });
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(10_000);
  expect([await listOwn(onNotice), await listOwn(onNotice)]).toEqual([[], []]);
  expect(readdirSync(usual)).toEqual(['settings.json']);
  expect(onNotice).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining(`${file} is damaged or cannot be read`),
  );
});
