import { expect, it } from 'vitest';
import type { PendingWebhook } from '../webhook-server';
import type { RelayedAnswer } from './delivery';
import { RelayDesk } from './relay-desk';

it('does not say of a backend that it was asked where an earlier webhook of the reference may go first', async () => {
  const told = await new Promise<RelayedAnswer>((resolve) => {
    const webhook = { startedAtMs: 0, relay: resolve } as unknown as PendingWebhook;
    new RelayDesk(() => undefined, 5).hold(1, webhook);
  });
  expect(told.httpStatus).toBe(504);
  expect(String(told.body)).toContain('or has yet to take an earlier webhook of the same reference');
});
