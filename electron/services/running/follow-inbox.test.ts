import { expect, it } from 'vitest';
import { followInbox } from './follow-inbox';
import { WebhookHub } from './webhook-hub';

type Inbox = Parameters<typeof followInbox>[0];
type Events = Parameters<typeof followInbox>[1];

it('finds what the inbox kept of a payment before the run, and of no other that has its reference in it', async () => {
  const bodies: Record<string, string> = { 3: 'R-10', 2: 'R-1', 1: 'R-1' };
  const webhooks = ['3', '2', '1'].map((id) => ({ id }));
  const inbox = {
    'inbox.list': () => Promise.resolve({ webhooks, nextBefore: null }),
    'inbox.get': ({ id }: { id: string }) =>
      Promise.resolve({ receivedAt: 0, headers: [], body: `{"client_reference":"${bodies[id] ?? ''}"}` }),
  } as unknown as Inbox;
  const hub = new WebhookHub();
  const end = await followInbox(inbox, { subscribe: () => () => undefined } as unknown as Events, hub);
  const found = await hub.findEarlier?.('R-1');
  end();
  expect(found?.map(({ id }) => id)).toEqual(['1', '2']);
});
