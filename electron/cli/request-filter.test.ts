import { expect, test } from 'vitest';
import type { StoredRequest } from '../sandbox/requests/stored-request';
import { readRequestFilter } from './request-filter';

const request = {
  at: Date.now(),
  operation: 'payout',
  method: 'POST',
  path: '/payments/v1/payouts',
  httpStatus: 401,
  verdict: 'signature',
  reference: 'R-1',
  detail: { query: 'a=1', requestBytes: 40, requestHeaders: [['User-Agent', 'backend/2']], isDropped: false },
  requestBody: Buffer.from('{"transaction":{"amount":1000.00,"service_code":"MPESA"}}'),
} as unknown as StoredRequest;

test.each([
  ['failed', true],
  ['http_status >= 400 and method == POST', true],
  ['reference == R-1', true],
  ['reference == R-2', false],
  ['rule == signature', true],
  ['tag == payout', true],
  ['tag == alice', true],
  ['tag == bob', false],
  ['path == /payments/v1/payouts', true],
  ['body.transaction.service_code == MPESA and amount == 1000', true],
  ['header.user-agent contains backend', true],
  ['age < 1m', true],
  ['not failed', false],
])('%s', (text, expected) => {
  expect(readRequestFilter(text)(request, 'alice')).toBe(expected);
});

test('what only a webhook has, or what is no filter, is refused in one sentence', () => {
  expect(() => readRequestFilter('method == POST or (not verdict == valid)')).toThrow(
    /a request to the sandbox has no verdict; it has reference, path/,
  );
  expect(() => readRequestFilter('method = POST')).toThrow(/cannot be read at character/);
});
