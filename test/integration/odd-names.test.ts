import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Services } from '../../electron/services/create-services';
import { importDocument } from '@shared/import/import-document';
import { openServices } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';

/** Names that every object has, or that objects lose; `{}` would take the first for its prototype. */
const odd = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}') as Record<
  string,
  string
>;
let folder: string;
let services: Services;

const open = (name = 'data'): Services => openServices(join(folder, name));

beforeEach(() => {
  folder = makeTemporaryFolder('odd-names');
  services = open();
});
afterEach(() => services.close());

const listVariables = async (name: string): Promise<[string, string][]> => {
  const { environments } = await services.router.call('environments.list', {});
  const found = environments.find((one) => one.name === name)!;
  return Object.entries(found.variables).filter(([key]) => Object.hasOwn(odd, key));
};

it('variables of an environment keep names that objects lose, over a restart and in exported settings', async () => {
  const saved = await services.router.call('environments.save', {
    name: 'odd',
    kind: 'sandbox',
    baseUrl: 'https://odd.example',
    variables: odd,
  });
  expect(Object.entries(saved.variables)).toEqual(expect.arrayContaining(Object.entries(odd)));
  await services.close();
  services = open();
  expect(await listVariables('odd')).toEqual(Object.entries(odd));
  const { text } = await services.router.call('settings.export', {});
  await services.close();
  services = open('other');
  await services.router.call('settings.import', { text });
  expect(await listVariables('odd')).toEqual(Object.entries(odd));
});

it('variables of a collection’s file keep them, and so does an import', async () => {
  const directory = join(folder, 'shop');
  mkdirSync(directory);
  writeFileSync(join(directory, 'http-client.env.json'), JSON.stringify({ odd }));
  await services.router.call('collections.open', { directory });
  expect(await listVariables('odd')).toEqual(Object.entries(odd));
  const values = Object.entries(odd).map(([key, value]) => ({ key, value }));
  const text = JSON.stringify({ name: 'taken', values, _postman_variable_scope: 'environment' });
  const { environments, notes } = importDocument(
    { name: 'e.json', files: [{ path: 'e.json', text }] },
    'postman',
  );
  expect(environments.map(({ variables }) => Object.entries(variables))).toEqual([Object.entries(odd)]);
  expect(notes).toEqual([]);
});
