import { describe, expect, it } from 'vitest';
import { createMemorySettings } from '../platform/files/memory-settings';
import { createCollectionRegistry } from './collections/collection-registry';
import { createEnvironmentStore } from './environments/environment-store';
import { readTeamEntries, writeTeamEntries } from './team/team-settings';

const environment = {
  name: 'uat',
  kind: 'sandbox' as const,
  baseUrl: 'https://uat.example',
  variables: {},
  inClear: [],
};
const byName = { identify: (name: string) => name, identifyShared: (name: string) => name };

describe('entries of the settings that cannot be read', () => {
  it('stay among the environments when another is saved, renamed or removed', () => {
    const slips = [{ name: 'staging', baseURL: 'https://staging.example', variables: { a: '1' } }, 'text', 7];
    const settings = createMemorySettings();
    settings.set('environments', { version: 2, data: [...slips, environment] });
    const store = createEnvironmentStore(settings, byName);
    const readData = (): unknown => (settings.get('environments') as { data: unknown[] }).data;
    store.put('uat', { ...environment, name: 'uat 2' });
    expect(readData()).toEqual([{ ...environment, name: 'uat 2' }, ...slips]);
    store.remove('uat 2');
    store.setActive('data/none');
    expect(readData()).toEqual(slips);
    expect(store.read().unread).toEqual(slips);
    expect(settings.get('environments')).not.toHaveProperty('unread');
  });

  it('stay among the team inboxes', () => {
    const slips = [{ id: 'Of a newer one', name: 'x' }, null];
    const inbox = { id: 'a', name: 'A', address: 'postgres://127.0.0.1/a', isSealed: false };
    const settings = createMemorySettings();
    settings.set('teamInboxes', [...slips, inbox]);
    expect(readTeamEntries(settings)).toEqual([inbox]);
    writeTeamEntries(settings, []);
    expect(settings.get('teamInboxes')).toEqual(slips);
  });

  it('stay among the collections that were open', () => {
    const slips = [
      { id: 'b', directory: 'relative' },
      { id: 'c', url: 'https://example.com' },
    ];
    const settings = createMemorySettings();
    settings.set('collections', {
      known: [...slips, { id: 'a', directory: '/a' }],
      open: ['a'],
      active: 'a',
    });
    const registry = createCollectionRegistry({
      settings,
      random: { bytes: (count) => new Uint8Array(count) },
      usual: null,
    });
    registry.open('/other');
    const kept = settings.get('collections') as { known: unknown[] };
    expect(kept.known).toEqual([
      ...slips,
      { id: 'a', directory: '/a', mark: '' },
      { id: '000000000000', directory: '/other', mark: '' },
    ]);
    expect(kept).not.toHaveProperty('unread');
  });
});

it('leaves environments of a newer version as they are, and says so', () => {
  const newer = {
    version: 3,
    data: [{ ...environment, id: 'x' }],
    bindings: { 'data/uat': 'https://bound.example' },
  };
  const settings = createMemorySettings();
  settings.set('environments', newer);
  const store = createEnvironmentStore(settings, byName);
  for (const use of [() => store.read(), () => store.setActive('local'), () => store.put('uat', environment)])
    expect(use).toThrow(
      expect.objectContaining({
        code: 'platform.settings_newer',
        message: expect.stringContaining('install the newer version, or choose another folder with --data'),
      }),
    );
  expect(settings.get('environments')).toEqual(newer);
});
