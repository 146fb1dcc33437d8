import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createCollectionsService } from './create-collections-service';
import { makeTemporaryFolder } from '../../../test/support/temporary';

it('looks for a folder that is away, and tells of it once it is back', async () => {
  const data = makeTemporaryFolder('away');
  const values = new Map<string, unknown>();
  const events = createEventBus();
  const told: unknown[] = [];
  const service = createCollectionsService({
    dataDirectory: data,
    settings: { get: (key) => values.get(key), set: (key, value) => values.set(key, value), notice: null },
    events,
    clock: systemClock,
    random: systemRandom,
    version: '0',
  });
  const { id, directory } = service.active()!;
  const tree = async () => service.handlers['collections.tree']({ collectionId: id });
  renameSync(directory, join(data, 'elsewhere'));
  await expect(tree()).rejects.toMatchObject({ code: 'collections.missing' });
  events.subscribe('collections.changed', (change) => told.push(change));
  renameSync(join(data, 'elsewhere'), directory);
  await vi.waitFor(() => expect(told).toEqual([{ collectionId: id, paths: [] }]), { timeout: 5000 });
  expect((await tree()).nodes).not.toEqual([]);
  service.close();
});
