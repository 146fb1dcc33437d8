import { NoticeGatherer } from '@shared/webhooks/gather-notices';
import { subscribe } from '../transport/client';
import { navigate } from './routes';
import { useSettings } from './settings-store';

/** Tells of webhooks by the desktop while the window is not in front; only where the user has asked for it. */
export function startNotifying(): () => void {
  const gatherer = new NoticeGatherer();
  return subscribe('inbox.received', ({ webhooks, count }) => {
    const isWanted = useSettings.getState().settings.notifications;
    if (!isWanted || document.hasFocus() || !mayNotify()) return;
    const notice = gatherer.take(webhooks, count, Date.now());
    if (notice === null) return;
    const shown = new Notification(notice.title, { body: notice.body, tag: 'countersign.inbox' });
    shown.onclick = () => {
      window.focus();
      navigate('inbox', notice.webhookId);
      shown.close();
    };
  });
}

const mayNotify = (): boolean => 'Notification' in window && Notification.permission === 'granted';

/** Asks the desktop for its leave; after a click alone. @returns why it cannot be; null: it can */
export async function askToNotify(): Promise<string | null> {
  if (!('Notification' in window)) return 'This browser shows no notifications.';
  if ((await Notification.requestPermission()) === 'granted') return null;
  return 'The browser does not let this page notify. Allow it in the settings of the site, then switch this on.';
}
