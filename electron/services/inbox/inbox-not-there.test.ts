import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openServices } from '../../../test/support/open-services';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { inboxMigrations } from '../../listener/inbox-schema';
import { openDatabase } from '../../platform/database/database';

vi.mock(import('../../platform/database/database'), async (load) => {
  const real = await load();
  return { ...real, openDatabase: vi.fn(real.openDatabase) };
});

it('reads an inbox that is not there yet from one empty database, however often, and then from its file', async () => {
  const folder = makeTemporaryFolder('inbox-not-there');
  const file = join(folder, 'inbox.db');
  const services = openServices(folder);
  const list = () =>
    services.router.call('inbox.list', { limit: 10, before: null, search: '', filter: 'all' });
  const countOpened = (path: string): number =>
    vi.mocked(openDatabase).mock.calls.filter(([options]) => options.file === path).length;
  for (let n = 0; n < 5; n++) expect((await list()).webhooks).toEqual([]);
  expect(countOpened(':memory:')).toBe(1);
  openDatabase({ file, migrations: inboxMigrations }).close();
  for (let n = 0; n < 5; n++) expect((await list()).webhooks).toEqual([]);
  expect([countOpened(':memory:'), countOpened(file)]).toEqual([1, 2]);
  await services.close();
});
