import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService } from './create-environments-service';

/** A service beside the file of a collection. */
function createStage() {
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
    write: (content: object): void =>
      writeFileSync(join(directory, 'http-client.env.json'), JSON.stringify(content)),
    mark: (name: string, kind: 'production' | 'sandbox', baseUrl: string) =>
      service.handlers['environments.save']({
        id: `c1/${name}`,
        name,
        kind,
        baseUrl,
        variables: {},
        inClear: [],
      }),
    listKinds: () => service.list().flatMap(({ name, kind }) => (kind === 'local' ? [] : [[name, kind]])),
    listAddresses: async () => (await service.listProduction()).map(({ id, baseUrl }) => [id, baseUrl]),
  };
}

it('goes on to count what a collection’s file had where it was marked as production, whatever the file calls it and has there now', async () => {
  const { write, mark, listKinds, listAddresses } = createStage();
  write({ live: { base_url: 'https://pay.example/api' } });
  await mark('live', 'production', 'https://pay.example/api');
  write({ dev: { base_url: 'https://dev.example' } });
  expect(listKinds()).toEqual([['dev', 'sandbox']]);
  expect(await listAddresses()).toEqual([['c1/live', 'https://pay.example']]);

  write({ live: { base_url: 'https://new.example' } });
  expect(await listAddresses()).toEqual([
    ['c1/live', 'https://new.example'],
    ['c1/live', 'https://pay.example'],
  ]);
  await mark('live', 'sandbox', 'https://new.example');
  expect(await listAddresses()).toEqual([]);
});

it.each(['sandbox', 'production'] as const)(
  'gives the mark to what has the address now, under which it can be taken off: %s',
  async (kind) => {
    const { write, mark, listKinds, listAddresses } = createStage();
    write({ live: { base_url: 'https://pay.example/api' } });
    await mark('live', 'production', 'https://pay.example/api');
    write({ prod: { base_url: 'https://pay.example/api' }, dev: { base_url: 'https://dev.example' } });
    expect(listKinds()).toEqual([
      ['prod', 'production'],
      ['dev', 'sandbox'],
    ]);
    await mark('dev', 'sandbox', 'https://dev.example');
    expect(listKinds()[0]).toEqual(['prod', 'production']);
    await mark('prod', kind, 'https://pay.example/api');
    expect(listKinds()[0]).toEqual(['prod', kind]);
    expect(await listAddresses()).toEqual(kind === 'sandbox' ? [] : [['c1/prod', 'https://pay.example/api']]);
  },
);

it('takes no mark from an environment that is there, whatever is said of another at its address', async () => {
  const { write, mark, listKinds } = createStage();
  write({ live: { base_url: 'https://pay.example' }, other: { base_url: 'https://pay.example' } });
  await mark('live', 'production', 'https://pay.example');
  await mark('other', 'sandbox', 'https://pay.example');
  expect(listKinds()).toEqual([
    ['live', 'production'],
    ['other', 'sandbox'],
  ]);
});
