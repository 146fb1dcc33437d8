import { expect, it } from 'vitest';
import { setTransport } from '../transport/client';
import { createFakeTransport } from '../transport/fake';
import { loadPlaces, usePlaces } from './places';

it('names the folder of each request, and says for how long it reads', async () => {
  const collection = { id: 'c1', name: 'Team', directory: '/c' };
  const node = (path: string) => ({
    path,
    name: 'Status',
    kind: 'request' as const,
    depth: 0,
    method: 'POST',
    operation: null,
    fault: null,
    requestCount: 1,
  });
  setTransport(
    createFakeTransport({
      'collections.list': () => ({
        collections: [collection],
        activeId: 'c1',
        heldBack: [],
        recent: [],
        notes: [],
      }),
      'collections.tree': () => ({
        ...collection,
        orderFault: null,
        nodes: [node('Status.http'), node('a/b/Status.http')],
      }),
    }),
  );
  const reading = loadPlaces();
  expect(usePlaces.getState().isReading).toBe(true);
  await reading;
  const { places, isReading } = usePlaces.getState();
  expect(isReading).toBe(false);
  expect(places.map(({ title, group }) => `${title} · ${group}`)).toEqual([
    'Status · Open',
    'Status · a / b',
  ]);
});
