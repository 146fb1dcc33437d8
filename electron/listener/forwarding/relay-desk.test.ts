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

it.each([
  [101, 502],
  [0, 502],
  [null, 502],
  [200, 200],
  [404, 404],
])('answers the sender of a webhook that the backend answered %s with %i', async (httpStatus, heard) => {
  const told = await new Promise<RelayedAnswer>((resolve) => {
    const webhook = { startedAtMs: 0, relay: resolve } as unknown as PendingWebhook;
    const desk = new RelayDesk(() => undefined);
    desk.hold(1, webhook);
    const answer =
      httpStatus === null ? {} : { answer: { httpStatus, headers: [], body: Buffer.from('own') } };
    desk.settle(1, { isDelivered: false, httpStatus, reason: 'Why.', isUnreachable: false, ...answer });
  });
  expect([told.httpStatus, String(told.body)]).toEqual([
    heard,
    heard === 502 ? 'The webhook is kept. Why.\n' : 'own',
  ]);
});
