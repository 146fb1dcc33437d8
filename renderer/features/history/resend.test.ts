import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { beforeEach, expect, it, vi } from 'vitest';

const call = vi.hoisted(() => vi.fn());
vi.mock('../../transport/client', () => ({
  call,
  subscribe: () => () => undefined,
  afterReconnect: vi.fn(),
}));
vi.mock('../../session/routes', () => ({ replaceRoute: vi.fn() }));
const { resend, useResend } = await import('./resend');

const request = {
  method: 'POST',
  url: 'https://api.example.com/payments/v1/payouts',
  body: '{"transaction":{"amount":7.50}}',
};
const exchange = { environment: 'payments/dev', operation: 'payout', title: 'Pay', request };
const again = (production?: string) => resend(exchange as unknown as Exchange, production);

beforeEach(() => call.mockReset());

it('asks where the back end sends nothing to production without a word, and sends with that word', async () => {
  const details = { environment: 'data/live', label: 'live', host: 'api.example.com' };
  call.mockRejectedValueOnce(new AppError('sending.not_confirmed', 'Nothing was sent.', { details }));
  await again();
  const { asked, error } = useResend.getState();
  expect(asked).toMatchObject({
    production: 'data/live',
    environment: 'live',
    host: 'api.example.com',
    payment: { amount: '7.50' },
  });
  expect(error).toBeNull();
  call.mockResolvedValueOnce({ id: 'e2' });
  await again(asked?.production);
  expect(
    call.mock.calls.map(([method, input]) => [method, (input as { production?: string }).production]),
  ).toEqual([
    ['sending.send', undefined],
    ['sending.send', 'data/live'],
  ]);
  expect(useResend.getState()).toMatchObject({ asked: null, isSending: false });
});

it('tells of any other refusal', async () => {
  call.mockRejectedValueOnce(new AppError('sending.unreachable', 'Nobody is there.'));
  await again();
  expect(useResend.getState()).toMatchObject({ asked: null, error: { code: 'sending.unreachable' } });
});
