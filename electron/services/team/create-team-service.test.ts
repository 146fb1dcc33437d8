import { expect, it, vi } from 'vitest';
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

it('says to whom a run was given an inbox what was found of its server, such as clocks that are apart', async () => {
  vi.doMock('./open-team-inbox', () => ({
    openTeamInbox: async (address: string) => ({
      inbox: { countUnread: async () => 0 },
      server: { remarks: [`The clocks are apart: ${address}`], isStandby: false },
      follow: () => undefined,
      close: async () => undefined,
    }),
  }));
  const onNotice = vi.fn();
  const ports = {
    settings: createMemorySettings(),
    clock: { now: () => 0 },
    logger: { log: () => undefined },
    given: { inboxStore: 'postgres://127.0.0.1/a' },
    onNotice,
  };
  const team = createTeamService({ ports, events: createEventBus(), history: {} } as unknown as TeamDeps);
  await team.givenSource();
  await team.givenSource();
  expect(onNotice.mock.calls).toEqual([['The clocks are apart: postgres://127.0.0.1/a']]);
  await team.close();
});

it('keeps each of several inboxes that are added at once, and no more than there may be', async () => {
  const settings = createMemorySettings();
  const ports = { settings, clock: { now: () => 0 }, logger: { log: () => undefined }, given: {} };
  const team = createTeamService({ ports, events: createEventBus(), history: {} } as unknown as TeamDeps);
  const saved = await Promise.allSettled(
    Array.from({ length: 22 }, async (_, index) =>
      team.handlers['team.save']({
        name: `Team ${index}`,
        address: `postgres://127.0.0.1/${index}`,
        password: index % 2 === 0 ? 'secret' : null,
        isKept: false,
      } as never),
    ),
  );
  const { inboxes } = await team.handlers['team.list']({} as never);
  expect(inboxes.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, index) => `Team ${index}`));
  expect(saved.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await team.close();
});
