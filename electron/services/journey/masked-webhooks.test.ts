import { expect, it } from 'vitest';
import type { Exchange } from '@shared/contract/sending';
import { makeWebhookSummary } from '../../../test/support/webhook-summary';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createHistoryService } from '../history/create-history-service';
import { createJourneyService } from './create-journey-service';

it('masks in webhooks, in undelivered ones, too, what is kept for an environment, no single letters: a journey is given to others', async () => {
  const events = createEventBus();
  const logger = { log: () => undefined };
  const ports = { clock: systemClock, random: systemRandom, logger, dataDirectory: '' };
  const history = createHistoryService({ ports, events, file: ':memory:' });
  const webhook = makeWebhookSummary({
    clientReference: 'R-1',
    path: '/h?x=kept-4b7e91d2',
    status: 'kept-4b7e91d2',
  });
  const journey = createJourneyService({
    history,
    events,
    inbox: { findByPayment: async () => [webhook], findByText: async () => [] },
    team: { findByPayment: async () => ({ webhooks: [], unasked: [] }) },
    environments: { list: () => [] },
    listSecrets: async () => ['kept-4b7e91d2', 'h'],
    findUndelivered: async () => ({
      callbackUrl: 'http://127.0.0.1:1/hooks/kept-4b7e91d2',
      attempts: 2,
      error: 'Answered 401: kept-4b7e91d2',
      nextAttemptAt: null,
    }),
  });
  const request = { method: 'POST', url: 'http://x/', headers: [], body: '{}', signature: 'c2ln' };
  const sent = { id: history.nextId(), environment: 'local', operation: 'payout', identity: null };
  const nothing = { response: null, timings: null, reading: null, error: null };
  const exchange = { ...sent, ...nothing, title: 'Pay', sentAt: 1, reference: 'R-1', request };
  history.begin(exchange as unknown as Exchange, 'payout');
  const told = JSON.stringify(await journey.handlers['journey.get']({ reference: 'R-1' }));
  for (const rest of ['POST /h?x=', '127.0.0.1:1/hooks/', 'Answered 401']) expect(told).toContain(rest);
  expect(told).not.toContain('4b7e91d2');
});
