import { expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService } from './create-environments-service';

it('takes values of this run and what was sent along with a new name, and tells of it; a later one of the former name has neither', async () => {
  const events = createEventBus();
  const values = new Map<string, unknown>();
  const heard: unknown[] = [];
  events.subscribe('environments.changed', (payload) => heard.push(payload));
  const vault = { read: async () => null, keep: async () => undefined, keepOnly: async () => undefined };
  const { handlers } = createEnvironmentsService({
    settings: { get: (key) => values.get(key), set: (key, value) => values.set(key, value), notice: null },
    events,
    collections: () => [],
    vaultFacts: async () => ({ keyId: null, hasCredentials: false, holdsSecrets: false, sealedParts: [] }),
    sealedVariables: async () => vault,
    sealedParts: async () => vault,
    onRenamed: async (from, to) => void heard.push([from, to]),
  });
  const save = (name: string, id?: string) =>
    handlers['environments.save']({
      ...(id !== undefined && { id }),
      name,
      kind: 'sandbox',
      baseUrl: 'https://uat.example',
      variables: {},
      inClear: [],
    });
  await save('uat');
  await handlers['environments.setSessionValue']({ id: 'data/uat', name: 'city', value: '7' });
  heard.length = 0;
  const { session } = await save('live', 'data/uat');
  expect(session).toEqual({ city: '7' });
  expect(heard).toEqual([['data/uat', 'data/live'], { renamed: { from: 'data/uat', to: 'data/live' } }]);
  expect((await save('uat')).session).toEqual({});
  expect(heard.slice(2)).toEqual([{}]);
});
