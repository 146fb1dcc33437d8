import { expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import { createOwnProduction } from './own-production';

vi.mock('../platform/files/data-directory', () => ({
  findUsualDataDirectory: () => {
    throw new AppError('platform.no_home', 'Nothing says which folder is your home.');
  },
}));

it('knows of no production of its own where nothing says which folder is home, as for a user of a container', async () => {
  expect(await createOwnProduction({ dataDirectory: null, version: '0.0.0' })()).toEqual([]);
});
