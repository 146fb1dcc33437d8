import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService } from './create-environments-service';

it('goes on to count what a collection’s file had where it was marked as production, whatever the file calls it and has there now', async () => {
  const directory = makeTemporaryFolder('marks');
  const write = (content: object): void =>
    writeFileSync(join(directory, 'http-client.env.json'), JSON.stringify(content));
  const values = new Map<string, unknown>();
  const vault = { read: async () => null, keep: async () => undefined, keepOnly: async () => undefined };
  const service = createEnvironmentsService({
    settings: { get: (key) => values.get(key), set: (key, value) => values.set(key, value), notice: null },
    events: createEventBus(),
    collections: () => [{ id: 'c1', name: 'shop', directory }],
    vaultFacts: async () => ({ keyId: null, hasCredentials: false, holdsSecrets: false, sealedParts: [] }),
    sealedVariables: async () => vault,
    sealedParts: async () => vault,
  });
  const mark = (kind: 'production' | 'sandbox', baseUrl: string) => {
    const input = { id: 'c1/live', name: 'live', kind, baseUrl, variables: {}, inClear: [] };
    return service.handlers['environments.save'](input);
  };
  const listAddresses = async () => (await service.listProduction()).map(({ id, baseUrl }) => [id, baseUrl]);

  write({ live: { base_url: 'https://pay.example/api' } });
  await mark('production', 'https://pay.example/api');
  write({ dev: { base_url: 'https://pay.example/api' } });
  expect(service.list().map(({ kind }) => kind)).toEqual(['local', 'sandbox']);
  expect(await listAddresses()).toEqual([['c1/live', 'https://pay.example']]);

  write({ live: { base_url: 'https://new.example' } });
  expect(await listAddresses()).toEqual([
    ['c1/live', 'https://new.example'],
    ['c1/live', 'https://pay.example'],
  ]);
  await mark('sandbox', 'https://new.example');
  expect(await listAddresses()).toEqual([]);
});
