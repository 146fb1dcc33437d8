import { afterEach, expect, it, vi } from 'vitest';
import type { WebhookSummary } from '@shared/contract/inbox';

const received = vi.hoisted(() => ({ take: (_: unknown): void => undefined }));
vi.mock('../transport/client', () => ({
  subscribe: (_name: string, listener: (payload: unknown) => void) => {
    received.take = listener;
    return () => undefined;
  },
}));
vi.mock('./settings-store', () => ({
  useSettings: { getState: () => ({ settings: { notifications: true } }) },
}));
vi.mock('./routes', () => ({ navigate: () => undefined }));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('tells of a webhook that came right after another, once its time has come, and of none that was seen meanwhile', async () => {
  vi.useFakeTimers();
  const told: string[] = [];
  let isInFront = false;
  class Notice {
    static permission = 'granted';
    onclick: (() => void) | null = null;
    constructor(title: string, { body }: { body: string }) {
      told.push(`${title}: ${body}`);
    }
  }
  vi.stubGlobal('Notification', Notice);
  vi.stubGlobal('window', { Notification: Notice });
  vi.stubGlobal('document', { hasFocus: () => isInFront });
  const { startNotifying } = await import('./notify-webhooks');
  const stop = startNotifying();
  const come = (id: string, count = 1): void =>
    received.take({
      webhooks: [{ id, status: 'FAILED', amount: null, clientReference: id } as WebhookSummary],
      count,
    });
  come('a');
  await vi.advanceTimersByTimeAsync(500);
  come('b', 30);
  await vi.advanceTimersByTimeAsync(2400);
  expect(told).toEqual(['A webhook came in: FAILED · a']);
  await vi.advanceTimersByTimeAsync(200);
  expect(told.slice(1)).toEqual(['30 webhooks came in: FAILED · b']);
  come('c');
  isInFront = true;
  await vi.advanceTimersByTimeAsync(9000);
  expect(told).toHaveLength(2);
  stop();
});
