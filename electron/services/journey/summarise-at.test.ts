import { expect, it, vi } from 'vitest';
import type { WebhookSummary } from '@shared/contract/inbox';
import type { ExchangeRow } from '../history/history-store';
import { createJourneyService, type JourneyDeps } from './create-journey-service';

it('sums up what one service knows of its payment, where another one has a payment with its reference', async () => {
  const paid = (environment: string, more: Partial<ExchangeRow>) =>
    ({
      id: 1,
      environment,
      url: `https://${environment}.test/pay`,
      operation: 'payout',
      outcome: 'accepted',
      error_code: null,
      payment_uuid: null,
      title: 'Pay',
      summary: 'Paid',
      amount: '10',
      currency: 'KES',
      http_status: 200,
      is_signed: 1,
      state: null,
      settled_state: null,
      is_finished: 1,
      sent_at: 10,
      total_ms: 1,
      ...more,
    }) as ExchangeRow;
  const exchanges = [
    paid('one', { payment_uuid: '77' }),
    paid('one', { operation: 'status', outcome: 'ok', state: 'succeeded' }),
    paid('two', { payment_uuid: '88' }),
  ];
  const webhook = (paymentUuid: string | null, status: string) =>
    ({
      id: '1',
      receivedAt: 50,
      method: 'POST',
      path: '/',
      respondedStatus: 200,
      earlierAttempts: 0,
      answers: null,
      clientReference: 'R-1',
      paymentUuid,
      status,
    }) as WebhookSummary;
  const webhooks = [webhook('88', 'FAILED'), webhook(null, 'CANCELED')];
  const journey = createJourneyService({
    history: { store: { listOfPayment: () => exchanges } },
    inbox: { findByPayment: () => Promise.resolve(webhooks) },
    team: { findByPayment: () => Promise.resolve({ webhooks: [], unasked: [] }) },
    events: { subscribe: () => () => undefined },
    environments: { list: () => [] },
  } as unknown as JourneyDeps);
  const stateAt = async (host: string) =>
    (await journey.summariseAt('R-1', ({ url }) => url.startsWith(`https://${host}.test/`)))?.state;
  expect([await stateAt('one'), await stateAt('two'), await stateAt('three')]).toEqual([
    'succeeded',
    'failed',
    undefined,
  ]);
});

it('takes no state for final that the interface does not name', async () => {
  const row = (at: number, state: string | null) =>
    ({
      id: at,
      environment: 'one',
      url: 'https://one.test/',
      operation: state === null ? 'payout' : 'status',
      outcome: state === null ? 'accepted' : 'ok',
      error_code: null,
      payment_uuid: null,
      title: 'Pay',
      summary: 'Paid',
      amount: '10',
      currency: 'KES',
      http_status: 200,
      state,
      settled_state: null,
      is_finished: 1,
      sent_at: at,
      total_ms: 1,
    }) as ExchangeRow;
  const tell = async (...states: string[]) => {
    const exchanges = [row(1, null), ...states.map((state, index) => row(10 * (index + 1), state))];
    const journey = createJourneyService({
      history: { store: { listOfPayment: () => exchanges } },
      inbox: { findByPayment: () => Promise.resolve([]) },
      team: { findByPayment: () => Promise.resolve({ webhooks: [], unasked: [] }) },
      events: { subscribe: () => () => undefined },
      environments: { list: () => [] },
    } as unknown as JourneyDeps);
    return (await journey.summariseAt('R-1', () => true))?.state;
  };
  expect(await tell('on_hold')).toBe('on_hold');
  expect(await tell('on_hold', 'processing')).toBe('processing');
  expect(await tell('succeeded', 'on_hold')).toBe('succeeded');
});

it('asks what the local sandbox could not deliver of its own payments alone', async () => {
  const undelivered = { callbackUrl: 'http://x/', attempts: 1, error: 'refused', nextAttemptAt: null };
  const findUndelivered = vi.fn(async () => undelivered);
  const read = async (...environments: string[]) => {
    const exchanges = environments.map((environment) => ({
      environment,
      url: 'https://one.test/',
      operation: 'payout',
      outcome: 'accepted',
      payment_uuid: `of ${environment}`,
      amount: null,
      currency: null,
      error_code: null,
      summary: '',
      title: 'Pay',
      sent_at: 1,
      id: 1,
    }));
    const journey = createJourneyService({
      history: { store: { listOfPayment: () => exchanges }, balances: { listAround: () => [] } },
      inbox: { findByPayment: async () => [] },
      team: { findByPayment: async () => ({ webhooks: [], unasked: [] }) },
      events: { subscribe: () => () => undefined },
      environments: { list: () => [] },
      findUndelivered,
    } as unknown as JourneyDeps);
    return journey.handlers['journey.get']({ reference: 'R-1' });
  };
  expect(await read('uat')).not.toHaveProperty('undelivered');
  expect(findUndelivered).not.toHaveBeenCalled();
  expect(await read('uat', 'local')).toMatchObject({ undelivered });
  expect(findUndelivered).toHaveBeenCalledWith('R-1', ['of local']);
});
