import { expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import type { Services } from '../services/create-services';
import { addOwnProduction } from './open-services';

vi.mock('../platform/files/data-directory', () => ({
  findUsualDataDirectory: () => {
    throw new AppError('platform.no_home', 'Nothing says which folder is your home.');
  },
}));

it('knows of no production of its own where nothing says which folder is home, as for a user of a container', async () => {
  const services = { ports: { dataDirectory: null, given: {} } } as unknown as Services;
  expect(await addOwnProduction(services, [])).toEqual([]);
});
