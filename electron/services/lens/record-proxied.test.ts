import { expect, it, vi } from 'vitest';
import { isNeverSent } from '@shared/payments/payment-outcome';
import type { ProxiedPayment } from '../../lens/proxy/payment-queue';
import { recordBackendPayments } from '../sandbox/record-backend-payments';
import { recordProxied, type RecordProxiedDeps } from './record-proxied';

const payment = {
  id: 'p',
  at: 1,
  durationMs: 1,
  method: 'POST',
  path: '/payments/v1/payouts',
  httpStatus: null,
  operation: 'payout',
  reference: 'R-1',
  detail: { origin: 'http://a', query: '', requestHeaders: [], answerHeaders: [], stringToSign: null },
  requestBody: '{}',
  answerBody: '',
} as unknown as ProxiedPayment;

const createHistory = () => ({
  nextId: () => 'x',
  finish: vi.fn<RecordProxiedDeps['history']['finish']>(),
  store: { isKnownRequest: () => false, listUndecided: () => [] },
});

it('keeps of a payment without an answer that it may be taken, unless nothing of it reached the target', () => {
  const history = createHistory();
  const environments = { active: () => ({ id: 'e', baseUrl: '' }), list: () => [] };
  const { detail } = payment;
  recordProxied({ environments, history } as unknown as RecordProxiedDeps, [
    { ...payment, detail: { ...detail, reason: 'nothing listens there', isUnsent: true } },
    { ...payment, detail: { ...detail, reason: 'The proxy was stopped' } },
    // Part of an answer came.
    { ...payment, httpStatus: 201, detail: { ...detail, reason: 'The client left' } },
  ]);
  const told = history.finish.mock.calls.map(([{ error }]) => isNeverSent(error!.code));
  expect(told).toEqual([true, false, false]);
});

it('keeps of a payment whose connection the sandbox drops once it was worked that it may be taken', async () => {
  const history = createHistory();
  const request = { id: 'r', operation: 'payout', reference: 'R-1', durationMs: 1, httpStatus: 201 };
  const message = { headers: [], body: '{}' };
  let tell = (): void => undefined;
  const stop = recordBackendPayments({
    ports: { clock: { now: () => 1 }, logger: { log: () => undefined } },
    events: { subscribe: (_event: string, heard: () => void) => ((tell = heard), () => undefined) },
    sandbox: {
      status: () => ({ state: 'running', baseUrl: 'http://a' }),
      handlers: {
        'sandbox.listRequests': () => ({ requests: [request] }),
        'sandbox.getRequest': () => ({ id: 'r', request: message, answer: { ...message, isDropped: true } }),
      },
    },
    history,
  } as unknown as Parameters<typeof recordBackendPayments>[0]);
  tell();
  await vi.waitFor(() => expect(history.finish).toHaveBeenCalled());
  stop();
  const [{ error }] = history.finish.mock.calls[0]!;
  expect(isNeverSent(error!.code)).toBe(false);
});
