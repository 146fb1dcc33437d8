import { AppError } from '@shared/errors';
import { expect, it, vi } from 'vitest';
import type { ArrivalsListener } from '../../listener/postgres/follow-arrivals';
import type { OpenedInbox } from './open-team-inbox';
import { REFUSED, TeamInboxes } from './team-inboxes';

function makeOpened(countUnread: () => Promise<number>) {
  const close = vi.fn(() => Promise.resolve());
  const opened = { inbox: { countUnread }, user: 'ann', mayMark: true, follow: () => undefined, close };
  return { opened: opened as unknown as OpenedInbox, close };
}

const deps = {
  clock: { now: () => 0, monotonicMs: () => 0 },
  events: { emit: () => undefined, subscribe: () => () => undefined },
  history: { findAnswered: () => ({ row: null, oneOf: 0 }) },
  onChange: () => undefined,
};

it('says why it is lost as it is now, and since when it is', async () => {
  let nowMs = 1;
  const inboxes = new TeamInboxes({ ...deps, clock: { now: () => nowMs++ } } as never);
  let tell: ArrivalsListener | null = null;
  const { opened } = makeOpened(() => Promise.resolve(0));
  const follow = (listener: ArrivalsListener): void => void (tell = listener);
  await inboxes.open('a', () => Promise.resolve({ ...opened, follow }));
  tell!.onLost(new AppError('store.unreachable', 'cut'));
  const { since } = inboxes.status('a');
  expect(inboxes.status('a')).toMatchObject({ state: 'lost', message: 'cut' });
  tell!.onLost(new AppError('store.refused', 'Check PGPASSWORD'));
  expect(inboxes.status('a')).toMatchObject({ state: 'lost', message: REFUSED, since });
  tell!.onLive();
  expect(inboxes.status('a')).toMatchObject({ state: 'open', message: null });
});

it('opens again after its first reading failed, and leaves no connection of before', async () => {
  const inboxes = new TeamInboxes(deps as never);
  const broken = makeOpened(() => Promise.reject(new Error('cut')));
  await expect(inboxes.open('a', () => Promise.resolve(broken.opened))).rejects.toThrow('cut');
  expect(inboxes.status('a').state).toBe('failed');
  expect(inboxes.listOpened()).toEqual([['a', null]]);
  expect(broken.close).toHaveBeenCalledOnce();
  const sound = makeOpened(() => Promise.resolve(3));
  await inboxes.open('a', () => Promise.resolve(sound.opened));
  expect(inboxes.status('a')).toMatchObject({ state: 'open', unreadCount: 3 });
  await inboxes.closeAll();
  expect(sound.close).toHaveBeenCalledOnce();
});
