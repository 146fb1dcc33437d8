import type { Environment } from '@shared/contract/environments';
import type { Exchange } from '@shared/contract/sending';
import { expect, it, vi } from 'vitest';

const call = vi.hoisted(() => vi.fn());
vi.mock('../../transport/client', () => ({
  call,
  subscribe: () => () => undefined,
  afterReconnect: vi.fn(),
}));
const { resend, useResend } = await import('./resend');

it('asks before a request goes again to a host of production, whichever environment it was sent in', async () => {
  const dev = { id: 'payments/dev', name: 'dev', kind: 'sandbox', baseUrl: 'https://api.example.com' };
  const live = { id: 'data/live', name: 'live', kind: 'production', baseUrl: 'https://api.example.com.' };
  call.mockResolvedValue({ environments: [dev, live] as Environment[] });
  const request = { method: 'POST', url: 'https://api.example.com/payments/v1/payouts', body: '{}' };
  await resend({ environment: dev.id, operation: 'payout', title: 'Pay', request } as unknown as Exchange);
  expect(useResend.getState().asked).toMatchObject({ environment: 'live', host: 'api.example.com' });
  expect(call.mock.calls.map(([method]) => method as string)).toEqual(['environments.list']);
});
