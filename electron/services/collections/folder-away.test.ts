import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createCollectionsService } from './create-collections-service';
import { makeTemporaryFolder, notesWhenMade } from '../../../test/support/temporary';

function open() {
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
  return { data, service, events, told, directory, id, tree };
}

it('looks for a folder that is away, and tells of it once it is back', async () => {
  const { data, service, events, told, directory, id, tree } = open();
  renameSync(directory, join(data, 'elsewhere'));
  await expect(tree()).rejects.toMatchObject({ code: 'collections.missing' });
  events.subscribe('collections.changed', (change) => told.push(change));
  renameSync(join(data, 'elsewhere'), directory);
  await vi.waitFor(() => expect(told).toEqual([{ collectionId: id, paths: [] }]), { timeout: 5000 });
  expect((await tree()).nodes).not.toEqual([]);
  service.close();
});

it('looks for the disk where it left an empty folder, and watches what it brings back', async () => {
  const { data, service, events, told, directory, id, tree } = open();
  renameSync(directory, join(data, 'elsewhere'));
  mkdirSync(directory);
  expect((await tree()).nodes).toEqual([]);
  renameSync(directory, join(data, 'empty'));
  renameSync(join(data, 'elsewhere'), directory);
  events.subscribe('collections.changed', (change) => told.push(change));
  await vi.waitFor(() => expect(told).toContainEqual({ collectionId: id, paths: [] }), { timeout: 5000 });
  expect((await tree()).nodes).not.toEqual([]);
  writeFileSync(join(directory, 'new.http'), 'GET http://a\n');
  await vi.waitFor(() => expect(told).toContainEqual({ collectionId: id, paths: ['new.http'] }));
  service.close();
});

it.skipIf(!notesWhenMade())(
  'goes on with a collection whose folder was moved where it is opened now, and watches it there',
  async () => {
    const { data, service, events, told, directory, id, tree } = open();
    await tree();
    const now = join(data, 'renamed');
    renameSync(directory, now);
    await expect(tree()).rejects.toMatchObject({ code: 'collections.missing' });
    expect(await service.handlers['collections.open']({ directory: now })).toMatchObject({
      id,
      directory: now,
    });
    const { nodes } = await tree();
    expect(nodes).not.toEqual([]);
    events.subscribe('collections.changed', (change) => told.push(change));
    writeFileSync(join(now, 'new.http'), 'GET http://a\n');
    await vi.waitFor(() => expect(told).toContainEqual({ collectionId: id, paths: ['new.http'] }));
    service.close();
  },
);
