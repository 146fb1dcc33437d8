import { expect, it, vi } from 'vitest';
import type { OpenedInbox } from './open-team-inbox';
import { TeamInboxes } from './team-inboxes';

function makeOpened(countUnread: () => Promise<number>) {
  const close = vi.fn(() => Promise.resolve());
  const opened = { inbox: { countUnread }, user: 'ann', mayMark: true, follow: () => undefined, close };
  return { opened: opened as unknown as OpenedInbox, close };
}

it('opens again after its first reading failed, and leaves no connection of before', async () => {
  const clock = { now: () => 0, monotonicMs: () => 0 };
  const inboxes = new TeamInboxes({
    clock,
    events: { emit: () => undefined, subscribe: () => () => undefined },
    history: { findAnswered: () => ({ row: null, oneOf: 0 }) },
    onChange: () => undefined,
  } as never);
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
