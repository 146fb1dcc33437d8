import { expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { createMemorySettings } from '../../platform/files/memory-settings';
import { createEnvironmentsService } from './create-environments-service';
import type { SealedVariables } from './secret-variables';

async function listFaults(data: unknown[]): Promise<string[]> {
  const settings = createMemorySettings();
  settings.set('environments', { version: 2, data });
  const nothingSealed = () =>
    Promise.resolve({ read: () => Promise.resolve(null) } as unknown as SealedVariables);
  const { handlers } = createEnvironmentsService({
    settings,
    events: createEventBus(),
    collections: () => [],
    vaultFacts: () =>
      Promise.resolve({ keyId: null, hasCredentials: false, holdsSecrets: false, sealedParts: [] }),
    sealedVariables: nothingSealed,
    sealedParts: nothingSealed,
  });
  return (await handlers['environments.list']({})).faults!.map(({ message }) => message);
}

it('tells of what is no environment in the settings, of a few by name and of how many more', async () => {
  const slips = Array.from({ length: 300_000 }, (_, at) => ({ name: `slip ${at}` }));
  expect(await listFaults(slips.slice(0, 2))).toEqual([
    expect.stringContaining(
      "An environment 'slip 0' in settings.json is not read: it needs a name and a baseUrl",
    ),
    expect.stringContaining("'slip 1'"),
  ]);
  const many = await listFaults(slips);
  expect(many).toHaveLength(6);
  expect(many.at(-1)).toContain('299995 more in settings.json are not read');
});
