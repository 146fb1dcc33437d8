import { expect, it, vi } from 'vitest';
import { settingDefaults } from '@shared/contract/setting-limits';
import { exportSettings, importSettings, type TransferDeps } from './transfer-settings';

const update = vi.fn();
const deps: TransferDeps = {
  read: () => ({
    ...settingDefaults,
    keepDays: 30,
    updateAddress: 'https://updates.example.test/latest.json',
    updateKey: 'a key',
  }),
  update,
  environments: () =>
    Promise.resolve({ 'environments.list': () => ({ environments: [], activeId: null }) } as never),
};
const source = 'where updates come from: set it yourself';

it('takes from no file whose releases are to be trusted, and says so', async () => {
  const settings = {
    keepDays: 7,
    updateAddress: 'https://stranger.example.test/latest.json',
    updateKey: 'theirs',
  };
  const text = JSON.stringify({ format: 'countersign-settings', version: 1, settings, environments: [] });
  expect(await importSettings(text, deps)).toEqual({
    settings: ['keepDays'],
    environments: [],
    leftOut: [source],
  });
  expect(update).toHaveBeenCalledExactlyOnceWith({ keepDays: 7 });
});

it('writes into no file whose releases are trusted here', async () => {
  const { text, leftOut } = await exportSettings(deps);
  expect(text).toContain('"keepDays": 30');
  expect(text).not.toMatch(/update(Address|Key)|example\.test/);
  expect(leftOut).toEqual([source]);
});

it.each([
  ['by the name of the variable', 'api_key', 'value-of-it-4711'],
  ['by a name within its value', 'hook', 'https://h.example/?page=2&api_key=value-of-it-4711'],
  ['by its look', 'auth_header', 'Bearer value-of-it-4711'],
  ['as the user of an address', 'mirror', 'https://amina:value-of-it-4711@h.example/'],
])('writes no credential into a file: %s', async (_how, name, value) => {
  const own = { name: 'uat', kind: 'sandbox', baseUrl: 'https://h.example', source: 'data' };
  const listed = { environments: [{ ...own, variables: { [name]: value, user: 'amina' } }], activeId: null };
  const environments = () => Promise.resolve({ 'environments.list': () => listed } as never);
  const { text, leftOut } = await exportSettings({ ...deps, environments });
  expect(text).not.toContain('value-of-it-4711');
  expect(text).toContain('"user": "amina"');
  expect(leftOut).toEqual([source, `uat: ${name}`]);
});
