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
