import { expect, test } from 'vitest';
import type { FinalState, Payment } from '../store/payment-store';
import { checkWebhookFields } from '@shared/webhooks/check-webhook-fields';
import { completeSample, writeSampleBody, writeWebhookBody } from './webhook-body';

const payment: Payment = {
  paymentUuid: '123456789012345',
  reference: 'A "quoted" reference',
  paymentReference: 'PRABCDEF',
  requestUuid: '00000000-0000-4000-8000-000000000000',
  product: 'payout',
  amountMinor: 150_050n,
  chargesMinor: 1501n,
  currency: 'KES',
  account: '254711111111',
  state: 'processing',
  finalState: null,
  copies: 1,
  dueAt: null,
  callbackUrl: 'http://127.0.0.1:9/',
  metaJson: '{ "n": 12345678901234567890 }',
  checkout: null,
  timeReceived: 0,
  lastUpdated: 0,
};

test.each<[FinalState, string, string]>([
  ['succeeded', 'SUCCESS', '200.100'],
  ['failed', 'FAILED', '400.500'],
  ['canceled', 'CANCELED', '400.100'],
])('a payment that %s is told as %s with the code %s', (state, status, code) => {
  expect(JSON.parse(writeWebhookBody(payment, state))).toMatchObject({
    status,
    code,
    amount: 1500.5,
    client_reference: payment.reference,
    payment_uuid: '123456789012345',
    payment_reference: 'PRABCDEF',
  });
});

test('metadata is the meta of the request, as it was written; an empty object where it had none', () => {
  expect(writeWebhookBody(payment, 'failed')).toContain('"metadata":{ "n": 12345678901234567890 }}');
  expect(writeWebhookBody({ ...payment, metaJson: null }, 'failed')).toContain('"metadata":{}}');
});

test.each([
  [{}, 'SUCCESS', '200.100'],
  [{ client_reference: 'R-2', status: 'FAILED' }, 'FAILED', '400.500'],
  [{ status: 'CANCELED', code: null, payment_uuid: null }, 'CANCELED', '400.100'],
  [{ status: 'SUCCESS', code: '9' }, 'SUCCESS', '9'],
])('a sample of %j is a whole webhook, as the schema says', (value, status, code) => {
  const write = () =>
    writeSampleBody(
      completeSample(value, () => 'PRNEW'),
      null,
      null,
    );
  expect(checkWebhookFields(write())).toEqual([]);
  expect(JSON.parse(write())).toMatchObject({ status, code });
  // Two of one reference are of one payment.
  expect(write()).toBe(write());
});
