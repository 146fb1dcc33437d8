import { afterEach, expect, it, vi } from 'vitest';
import type { WebhookSummary } from '@shared/contract/inbox';

const received = vi.hoisted(() => {
  const listeners = new Set<(payload: unknown) => void>();
  return { listeners, take: (payload: unknown): void => listeners.forEach((listener) => listener(payload)) };
});
const host = vi.hoisted(() => ({ isDesktop: false, called: [] as string[] }));
vi.mock('../transport/client', () => ({
  hasSystemDialogs: () => host.isDesktop,
  call: (method: string) => Promise.resolve(host.called.push(method)),
  subscribe: (_name: string, listener: (payload: unknown) => void) => {
    received.listeners.add(listener);
    return () => received.listeners.delete(listener);
  },
}));
vi.mock('./settings-store', () => ({
  useSettings: { getState: () => ({ settings: { notifications: true } }) },
}));
vi.mock('./routes', () => ({ navigate: (...route: string[]) => host.called.push(route.join('/')) }));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('tells of a webhook that came right after another, once its time has come, and of none that was seen meanwhile; in front, a screen reader alone', async () => {
  vi.useFakeTimers();
  const told: string[] = [];
  let isInFront = false;
  const how: object[] = [];
  let closed = 0;
  let click = (): void => undefined;
  class Notice {
    static permission = 'granted';
    close = (): void => void (closed += 1);
    constructor(title: string, { body, ...rest }: { body: string }) {
      told.push(`${title}: ${body}`);
      how.push(rest);
    }
    set onclick(listener: () => void) {
      click = listener;
    }
  }
  vi.stubGlobal('Notification', Notice);
  let comeToFront = (): void => undefined;
  vi.stubGlobal('window', {
    Notification: Notice,
    focus: () => undefined,
    addEventListener: (_name: string, listener: () => void) => (comeToFront = listener),
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('document', { hasFocus: () => isInFront });
  const { startNotifying } = await import('./notify-webhooks');
  const said: string[] = [];
  const stop = startNotifying((text) => said.push(text));
  const come = (id: string, count = 1): void =>
    received.take({
      webhooks: [{ id, status: 'FAILED', amount: null, clientReference: id } as WebhookSummary],
      count,
    });
  come('a');
  await vi.advanceTimersByTimeAsync(500);
  // A clock that is put back meanwhile holds nothing up.
  vi.setSystemTime(Date.now() - 3_600_000);
  come('b', 30);
  await vi.advanceTimersByTimeAsync(2400);
  expect(told).toEqual(['A webhook came in: FAILED · a']);
  await vi.advanceTimersByTimeAsync(200);
  expect(told.slice(1)).toEqual(['31 webhooks came in: FAILED · b\nFAILED · a\nand 29 more']);
  come('c');
  isInFront = true;
  expect(closed).toBe(0);
  comeToFront();
  expect(closed).toBe(1);
  await vi.advanceTimersByTimeAsync(9000);
  expect(told).toHaveLength(2);
  expect(said).toEqual([]);
  come('in front');
  await vi.advanceTimersByTimeAsync(9000);
  expect(told).toHaveLength(2);
  expect(said).toEqual(['A webhook came in: FAILED']);
  isInFront = false;
  come('d');
  expect(told[2]).toBe('A webhook came in: FAILED · d');
  click();
  expect(closed).toBe(2);
  await vi.advanceTimersByTimeAsync(9000);
  come('e');
  expect(told[3]).toBe('A webhook came in: FAILED · e');
  // One takes the place of the one before: without this the desktop shows it and tells nobody.
  expect(how).toEqual(told.map(() => ({ tag: 'countersign.inbox', renotify: true })));
  stop();
});

it('brings the window to the front at a click: in the desktop app by the app, since a page cannot where it stands in the task bar', async () => {
  class Notice {
    static permission = 'granted';
    static last: Notice;
    onclick = (): void => undefined;
    close = (): void => undefined;
    constructor() {
      Notice.last = this;
    }
  }
  vi.stubGlobal('Notification', Notice);
  vi.stubGlobal('window', {
    Notification: Notice,
    focus: () => host.called.push('window.focus'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('document', { hasFocus: () => false });
  vi.stubGlobal('navigator', { userAgent: '' });
  const { startNotifying } = await import('./notify-webhooks');
  for (const [isDesktop, expected] of [
    [false, 'window.focus'],
    [true, 'app.comeToFront'],
  ] as const) {
    Object.assign(host, { isDesktop, called: [] });
    const stop = startNotifying(() => undefined);
    received.take({ webhooks: [{ id: 'w1', status: null }], count: 1 });
    Notice.last.onclick();
    expect(host.called).toEqual([expected, 'inbox/w1']);
    stop();
  }
});

it.each([
  [true, 'X11; Linux x86_64', '‹a href=x›R‹/a› ＆amp;'],
  [true, 'Windows NT 10.0', '<a href=x>R</a> &amp;'],
  [false, 'X11; Linux x86_64', '<a href=x>R</a> &amp;'],
])(
  'hands no markup of a webhook to a desktop that takes it: desktop app %s on %s',
  async (isDesktop, userAgent, expected) => {
    const told: string[] = [];
    class Notice {
      static permission = 'granted';
      close = (): void => undefined;
      constructor(_title: string, { body }: { body: string }) {
        told.push(body);
      }
    }
    vi.stubGlobal('Notification', Notice);
    vi.stubGlobal('navigator', { userAgent });
    vi.stubGlobal('window', {
      Notification: Notice,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    });
    vi.stubGlobal('document', { hasFocus: () => false });
    Object.assign(host, { isDesktop, called: [] });
    const { startNotifying } = await import('./notify-webhooks');
    const stop = startNotifying(() => undefined);
    const webhook = { id: 'w1', status: null, amount: null, clientReference: '<a href=x>R</a> &amp;' };
    received.take({ webhooks: [webhook], count: 1 });
    expect(told).toEqual([expected]);
    stop();
  },
);
