import { expect, it } from 'vitest';
import { inferOperation } from './infer-operation';

it.each([
  '{{base_url}}/payments/v1/payouts',
  'https://pay.example/payments/v1/payouts/?a=/x#b',
  'https://pay.example/gateway/payments/api/v1/payouts',
  'https://{{host}}/payments/v1/payouts',
  'https://pay.example/payments/v1/x/../payouts',
  '{{base_url}}/payments/v1/x/../payouts',
  '{{base_url}}/payments/v1/%2e%2e/v1/payouts',
  '{{base_url}}/payments/./v1/payouts',
  'https://pay.example/payments\\v1\\payouts',
  'https://pay.example//payments//v1/payouts//',
  'https://pay.example/payments/v1/%70ayouts',
  'https://pay.example/payments/v1%2Fpayouts',
  'https://pay.example/payments/v1/pay\touts',
  'https://pay.example/Payments/V1/Payouts',
  'https://pay.example/payments/v1/payouts;a=1',
  'https://pay.example/payments/v1/x%2F..%2Fpayouts',
  'https://pay.example/payments/v1/x%2Fy/../payouts',
  'https://pay.example/payments/v1/x/..;/payouts',
  'https://pay.example/payments/v1%5Cpayouts',
  'https://pay.example/%5C%2Fpayments/v1/payouts',
])('takes a payment for one however its path is written: %s', (url) => {
  expect(inferOperation('post', url)).toBe('payout');
});

it.each([
  ['GET', 'https://pay.example/payments/v1/payouts'],
  ['POST', 'https://pay.example/payments/v1/payouts/1'],
  ['POST', 'https://pay.example/x?to=/payments/v1/payouts'],
  ['POST', 'https://pay.example/x#/payments/v1/payouts'],
  ['POST', 'https://pay.example/payments/v1/payouts/../x'],
  ['POST', 'https://pay.example/payments/v1/payouts%2F..%2Fx'],
  ['POST', 'https://pay.example/payments/v1/payouts%3Fx'],
  ['POST', 'https://pay.example/%zz'],
  ['POST', ''],
])('knows no operation in %s %s', (method, url) => {
  expect(inferOperation(method, url)).toBe('other');
});
