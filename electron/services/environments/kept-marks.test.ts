import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService } from './create-environments-service';

/** The environments of a collection's files, and what is production of them. */
function start() {
  const directory = makeTemporaryFolder('marks');
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
  return {
    service,
    write: (content: object, file = 'http-client.env.json') =>
      writeFileSync(join(directory, file), JSON.stringify(content)),
    mark: (kind: 'production' | 'sandbox') =>
      service.handlers['environments.save']({ ...service.get('c1/live'), kind, inClear: [] }),
    listAddresses: async () => (await service.listProduction()).map(({ id, baseUrl }) => [id, baseUrl]),
  };
}

it('goes on to count what a collection’s file had where it was marked as production, whatever the file calls it and has there now', async () => {
  const { service, write, mark, listAddresses } = start();
  write({ live: { base_url: 'https://pay.example/api' } });
  await mark('production');
  write({ dev: { base_url: 'https://pay.example/api' } });
  expect(service.list().map(({ kind }) => kind)).toEqual(['local', 'sandbox']);
  expect(await listAddresses()).toEqual([['c1/live', 'https://pay.example']]);

  write({ live: { base_url: 'https://new.example' } });
  expect(await listAddresses()).toEqual([
    ['c1/live', 'https://new.example'],
    ['c1/live', 'https://pay.example'],
  ]);
  await mark('sandbox');
  expect(await listAddresses()).toEqual([]);
});

it('knows production by an address that other values of the file complete, and is at it', async () => {
  const { service, write, mark, listAddresses } = start();
  write({
    $shared: { zone: 'example' },
    live: { host: 'pay.{{zone}}:8443', base_url: 'https://{{host}}/api/' },
  });
  await mark('production');
  expect(await listAddresses()).toEqual([['c1/live', 'https://pay.example:8443/api']]);
  expect(service.get('c1/live').variables['base_url']).toBe('https://pay.example:8443/api');

  write({
    $shared: { zone: 'other' },
    live: { host: 'pay.{{zone}}:8443', base_url: 'https://{{host}}/api/' },
  });
  expect(await listAddresses()).toEqual([
    ['c1/live', 'https://pay.other:8443/api'],
    ['c1/live', 'https://pay.example:8443'],
  ]);
});

it('shows nothing of a private file in an address, and leaves what nobody gives', () => {
  const { service, write } = start();
  write({ live: { base_url: 'https://{{host}}/{{part}}{{base_url}}{{vault.x}}' } });
  write({ live: { host: 'private.example', part: 'p' } }, 'http-client.private.env.json');
  const address = 'https://{{host}}/{{part}}{{base_url}}{{vault.x}}';
  expect(service.get('c1/live').baseUrl).toBe(address);
});
