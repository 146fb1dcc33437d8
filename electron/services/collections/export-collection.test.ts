import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openServices } from '../../../test/support/open-services';
import { makeTemporaryFolder } from '../../../test/support/temporary';

it('has the values of `$shared` where no environment is chosen, secrets by name alone', async () => {
  const directory = join(makeTemporaryFolder('export-shared'), 'c');
  mkdirSync(directory);
  writeFileSync(join(directory, 'a.http'), 'GET {{base_url}}/{{region}}/{{api_key}}\n');
  const shared = { region: 'ke', api_key: 'a-secret-value' };
  writeFileSync(
    join(directory, 'http-client.env.json'),
    JSON.stringify({ $shared: shared, live: { base_url: 'https://b.example', region: 'ug' } }),
  );
  const services = openServices(makeTemporaryFolder('export-shared-data'));
  const { call } = services.router;
  const { id: collectionId } = await call('collections.open', { directory });
  const exportTo = async (name: string | null) => {
    const { environments } = await call('environments.list', {});
    const environment = environments.find((one) => one.name === name && one.source === 'collection') ?? null;
    const { files } = await call('collections.export', {
      collectionId,
      path: '',
      format: 'postman',
      environment,
    });
    const text = Buffer.from(files[0]!.base64, 'base64').toString();
    const { variable } = JSON.parse(text) as { variable: { key: string; value: string }[] };
    return Object.fromEntries(variable.map(({ key, value }) => [key, value]));
  };
  expect(await exportTo(null)).toMatchObject({ region: 'ke', api_key: '' });
  expect(await exportTo('live')).toMatchObject({ base_url: 'https://b.example', region: 'ug', api_key: '' });
  const { files } = await call('collections.export', {
    collectionId,
    path: '',
    format: 'httpyac',
    environment: null,
  });
  const written = files.find(({ path }) => path === 'http-client.env.json');
  const { local } = JSON.parse(Buffer.from(written!.base64, 'base64').toString()) as { local: object };
  expect(local).toMatchObject({ region: 'ke', base_url: 'http://127.0.0.1:4010' });
  await services.close();
});
