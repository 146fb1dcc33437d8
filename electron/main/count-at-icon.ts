import { app } from 'electron';
import type { Services } from '../services/create-services';

/** Counts unread webhooks at the app's icon, where the desktop can and the user has asked for it. */
export function countAtIcon(
  { router, events }: Pick<Services, 'router' | 'events'>,
  started: Promise<void>,
): () => void {
  let isWanted = false;
  let unread = 0;
  const show = (unreadCount: number): void => {
    unread = unreadCount;
    app.setBadgeCount(isWanted ? unread : 0);
  };
  const readWish = async (): Promise<void> => {
    isWanted = (await router.call('settings.get', {})).notifications;
    show((await router.call('app.status', {})).unreadCount);
  };
  // A count that cannot be shown is no reason to trouble anybody.
  const update = (): void => void readWish().catch(() => undefined);
  const stops = [
    events.subscribe('inbox.received', ({ unreadCount }) => show(unreadCount)),
    events.subscribe('inbox.changed', ({ unreadCount }) => show(unreadCount)),
    events.subscribe('app.statusChanged', ({ unreadCount }) => show(unreadCount)),
    events.subscribe('settings.changed', update),
  ];
  void started.then(update, () => undefined);
  return () => stops.forEach((stop) => stop());
}
