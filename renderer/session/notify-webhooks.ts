import { NoticeGatherer, type WebhookNotice } from '@shared/webhooks/gather-notices';
import { call, hasSystemDialogs, subscribe } from '../transport/client';
import { navigate } from './routes';
import { useSettings } from './settings-store';

/**
 * Tells of webhooks: by the desktop while the window is not in front, only where the user has asked for it, and a screen reader while it is.
 *
 * @param tell - tells a screen reader alone
 */
export function startNotifying(tell: (text: string) => void): () => void {
  let shown: Notification | null = null;
  const behind = gatherNotices(isToBeTold, (notice) => (shown = showNotice(notice, markSeen)));
  const markSeen = (): void => {
    behind.markSeen();
    shown?.close();
    shown = null;
  };
  const inFront = gatherNotices(isInFront, ({ title, body }) => {
    inFront.markSeen();
    // A reference is long to listen to.
    tell(`${title}: ${body.replaceAll(/ · .*/g, '').replaceAll('\n', ', ')}`);
  });
  // What came in is seen where the window is in front.
  window.addEventListener('focus', markSeen);
  return () => {
    window.removeEventListener('focus', markSeen);
    behind.stop();
    inFront.stop();
  };
}

/** Shows notices of webhooks, those of a burst together, while `isDue` says so. */
function gatherNotices(isDue: () => boolean, show: (notice: WebhookNotice) => void) {
  const gatherer = new NoticeGatherer();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // After those that wait none may come: they are told by themselves.
  const plan = (): void => {
    const waitMs = gatherer.waitMs(performance.now());
    if (waitMs !== null) timer ??= setTimeout(tellWaiting, waitMs);
  };
  const tellWaiting = (): void => {
    timer = undefined;
    if (gatherer.waitMs(performance.now()) === 0) {
      const notice = gatherer.takeWaiting(performance.now());
      if (notice !== null && isDue()) show(notice);
    }
    plan();
  };
  const stop = subscribe('inbox.received', ({ webhooks, count }) => {
    if (!isDue()) return;
    const notice = gatherer.take(webhooks, count, performance.now());
    if (notice !== null) show(notice);
    plan();
  });
  return {
    markSeen: () => gatherer.markSeen(),
    stop: () => {
      clearTimeout(timer);
      stop();
    },
  };
}

const isInFront = (): boolean => document.hasFocus();

const isToBeTold = (): boolean =>
  useSettings.getState().settings.notifications && !isInFront() && mayNotify();

/** Looks the same, and is no markup. */
const plainSigns = new Map([
  ['<', '‹'],
  ['>', '›'],
  ['&', '＆'],
]);

/** A Linux desktop may take links, pictures and entities from a notice of the desktop app, which hands its text over as it is. */
function withoutMarkup(body: string): string {
  if (!hasSystemDialogs() || !navigator.userAgent.includes('Linux')) return body;
  return body.replaceAll(/[<>&]/g, (sign) => plainSigns.get(sign)!);
}

function showNotice({ title, body, webhookId }: WebhookNotice, onSeen: () => void): Notification {
  const how: NotificationOptions & { renotify: boolean } = {
    body: withoutMarkup(body),
    // In the place of the one before, and told once more: TypeScript's own types do not know it.
    tag: 'countersign.inbox',
    renotify: true,
  };
  const shown = new Notification(title, how);
  shown.onclick = () => {
    // In the desktop app a page cannot bring a window back that stands in the task bar.
    if (hasSystemDialogs()) void call('app.comeToFront').catch(() => undefined);
    else window.focus();
    navigate('inbox', webhookId);
    onSeen();
  };
  return shown;
}

const mayNotify = (): boolean => 'Notification' in window && Notification.permission === 'granted';

/** Asks the desktop for its leave; after a click alone. @returns why it cannot be; null: it can */
export async function askToNotify(): Promise<string | null> {
  if (!('Notification' in window)) return 'This browser shows no notifications.';
  if ((await Notification.requestPermission()) === 'granted') return null;
  if (hasSystemDialogs())
    return 'This system has no service that shows notifications. Start one and Countersign anew, then switch this on.';
  return 'The browser does not let this page notify. Allow it in the settings of the site, then switch this on.';
}
