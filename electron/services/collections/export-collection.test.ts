import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openServices } from '../../../test/support/open-services';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createExportHandlers, createFolderExport } from './export-collection';

it('exports in the thread for long work, however little it looks', async () => {
  const directory = makeTemporaryFolder('export-thread');
  writeFileSync(join(directory, 'a.http'), 'GET http://h/a\n');
  const done: unknown[] = [];
  const work = createFolderExport({ clock: systemClock, random: systemRandom });
  const handlers = createExportHandlers({
    version: '1',
    longWork: {
      async call(method, input, sizeBytes) {
        done.push([method, structuredClone(input).directory, sizeBytes]);
        return structuredClone(await work[method](input)) as never;
      },
      close: () => Promise.resolve(),
    },
    get: (id) => ({ id, name: 'Notes', directory }),
  });
  const asked = { collectionId: 'c', path: '', format: 'curl', environment: null } as const;
  expect(await handlers['collections.export'](asked)).toMatchObject({ name: 'Notes', requests: 1 });
  expect(done).toEqual([['exportFolder', directory, Infinity]]);
});

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

it('goes by name, and says so, where two versions of the order stand in collection.json; a rename leaves them as they are', async () => {
  const directory = join(makeTemporaryFolder('export-order'), 'c');
  mkdirSync(directory);
  for (const name of ['a', 'b']) writeFileSync(join(directory, `${name}.http`), `GET http://h/${name}\n`);
  const merged =
    '{\n<<<<<<< HEAD\n"order": ["a.http"]\n=======\n"order": ["b.http", "a.http"]\n>>>>>>> theirs\n}\n';
  writeFileSync(join(directory, 'collection.json'), merged);
  const services = openServices(makeTemporaryFolder('export-order-data'));
  const { call } = services.router;
  const { id: collectionId } = await call('collections.open', { directory });
  const { files, notes } = await call('collections.export', {
    collectionId,
    path: '',
    format: 'curl',
    environment: null,
  });
  const text = Buffer.from(files[0]!.base64, 'base64').toString();
  expect(text.indexOf('http://h/a')).toBeLessThan(text.indexOf('http://h/b'));
  expect(notes).toContainEqual({
    where: 'collection.json',
    what: 'It cannot be read, since line 2 is no JSON (two versions, as a merge leaves them: keep one): the requests stand by name, not in its order.',
  });
  const exportOne = (path: string) =>
    call('collections.export', { collectionId, path, format: 'curl', environment: null });
  await expect(exportOne('collection.json')).rejects.toThrow("'collection.json' is no request file");
  await expect(exportOne('none.json')).rejects.toThrow("There is no 'none.json'");
  await call('collections.rename', { collectionId, path: 'a.http', name: 'c' });
  expect(readFileSync(join(directory, 'collection.json'), 'utf8')).toBe(merged);
  await services.close();
});
