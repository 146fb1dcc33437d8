import { expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { createMemorySettings } from '../../platform/files/memory-settings';
import { createTeamService, type TeamDeps } from './create-team-service';

it('says of an inbox that was removed that there is none, and of one that is not open that it is not', () => {
  const settings = createMemorySettings();
  settings.set('teamInboxes', [{ id: 'a', name: 'A', address: 'postgres://127.0.0.1/a', isSealed: false }]);
  const ports = { settings, clock: { now: () => 0 }, logger: { log: () => undefined }, given: {} };
  const deps = {
    ports,
    events: createEventBus(),
    history: { store: {} },
    vault: () => Promise.reject(new Error()),
  };
  const team = createTeamService(deps as unknown as TeamDeps);
  expect(() => team.source('gone')).toThrow(expect.objectContaining({ code: 'team.unknown' }));
  expect(() => team.source('a')).toThrow(expect.objectContaining({ code: 'team.lost' }));
});
