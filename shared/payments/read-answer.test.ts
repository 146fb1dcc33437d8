import { describe, expect, it } from 'vitest';
import type { Operation } from '../contract/common';
import { readAnswer } from './read-answer';

const data =
  '{"amount":1000.00,"transaction_reference":"R","payment_uuid":98765432109876543210,"payment_reference":"P-1","time_received":"2026-01-02T03:04:05Z"}';

/** Every form that the interface shows, and what proxies make of it. */
const cases: [
  name: string,
  operation: Operation,
  http: number,
  body: string,
  expected: Record<string, unknown>,
][] = [
  [
    '2.3, schema form',
    'payout',
    201,
    `{"status":"200.100","code":"ACCEPTED","description":"d","data":${data}}`,
    { outcome: 'accepted', paymentUuid: '98765432109876543210', paymentReference: 'P-1', description: 'd' },
  ],
  [
    '4.1, example form',
    'remittance',
    201,
    `{"status":"ACCEPTED","code":"100","data":${data}}`,
    { outcome: 'accepted', code: '100', status: 'ACCEPTED' },
  ],
  [
    '4.1, code as a number',
    'remittance',
    200,
    `{"status":"ACCEPTED","code":100,"data":${data}}`,
    { outcome: 'accepted', code: '100' },
  ],
  [
    'A2, checkout',
    'collection',
    201,
    '{"status":"200.100","code":"ACCEPTED","data":{"checkout_url":"https://x/y"}}',
    { outcome: 'accepted', checkoutUrl: 'https://x/y' },
  ],
  [
    '4.1, duplicate',
    'payout',
    200,
    '{"status":"200.100","code":"REJECTED","description":"Duplicate ignored","data":null}',
    { outcome: 'duplicate' },
  ],
  [
    '4.1, duplicate in the other form',
    'payout',
    200,
    '{"status":"REJECTED","code":"100","description":"A duplicate was ignored","data":{}}',
    { outcome: 'duplicate' },
  ],
  [
    '4.1, rejected',
    'payout',
    400,
    '{"status":"400.100","code":"REJECTED","description":"Wallet suspended","data":null}',
    { outcome: 'rejected', description: 'Wallet suspended' },
  ],
  [
    '7.1, field errors',
    'remittance',
    400,
    '{"code":"400.100","status":"REJECTED","description":"Validation failed","data":{"field_errors":[{"field":"recipient.account","message":"required"},{"field":"callback_url","message":"not https"}]}}',
    {
      outcome: 'rejected',
      title: 'Rejected: 2 fields are wrong',
      fieldErrors: [
        { field: 'recipient.account', message: 'required' },
        { field: 'callback_url', message: 'not https' },
      ],
    },
  ],
  [
    '7.1, failed authentication',
    'payout',
    401,
    '{"code":"400.200","status":"REJECTED","data":null}',
    { outcome: 'unauthorized', title: 'Authentication failed' },
  ],
  [
    '7.1, failed authorization',
    'payout',
    403,
    '{"code":"403.300","status":"REJECTED","data":null}',
    { outcome: 'unauthorized', title: 'Not allowed' },
  ],
  [
    '7.1, token',
    'status',
    401,
    '{"code":"400.001.100","status":"REJECTED","data":{}}',
    { outcome: 'unauthorized', title: 'Token invalid or expired' },
  ],
  [
    '7.1, token with another HTTP status',
    'status',
    400,
    '{"code":"400.001.100","status":"REJECTED","data":{}}',
    { outcome: 'unauthorized' },
  ],
  [
    '7.1, internal error',
    'payout',
    500,
    '{"code":"400.500","status":"FAILED","data":null}',
    { outcome: 'failed' },
  ],
  [
    '7.2, error object',
    'payout',
    400,
    '{"error":"invalid_request","message":"amount is bad","param":"transaction.amount","request_id":"q"}',
    {
      outcome: 'rejected',
      code: 'invalid_request',
      description: 'amount is bad',
      fieldErrors: [{ field: 'transaction.amount', message: 'amount is bad' }],
    },
  ],
  [
    '2.4, status record',
    'status',
    200,
    '{"status":"200.100","code":"ACCEPTED","data":{"state":"succeeded","payment_uuid":"12"}}',
    { outcome: 'ok', state: 'succeeded', title: 'Succeeded', paymentUuid: '12' },
  ],
  [
    '2.4, a state not in the list',
    'status',
    200,
    '{"status":"200.100","code":"ACCEPTED","data":{"state":"on_hold"}}',
    { outcome: 'ok', title: 'State: on_hold' },
  ],
  [
    'A5, unknown payment',
    'status',
    404,
    '{"code":"404.001.000","status":"NOT_FOUND","data":{}}',
    { outcome: 'not_found', title: 'No such payment' },
  ],
  [
    '4.3, NOT_FOUND with HTTP 200',
    'status',
    200,
    '{"status":"200.100","code":"NOT_FOUND","data":null}',
    { outcome: 'not_found' },
  ],
  [
    '2.5, wallets',
    'balances',
    200,
    '{"code":200,"status":"SUCCESS","results":[{"currency":"KES"},{"currency":"USD"}]}',
    { outcome: 'ok', title: '2 wallets' },
  ],
  [
    '4.4, empty list',
    'balances',
    200,
    '{"code":200,"status":"SUCCESS","results":[]}',
    { outcome: 'ok', title: 'No wallets' },
  ],
  [
    '7.3, 404',
    'balances',
    404,
    '{"code":404,"status":"FAILED","description":"none","results":{}}',
    { outcome: 'not_found', title: 'No wallet in this currency' },
  ],
  ['7.3, 401', 'balances', 401, '{"code":401,"status":"FAILED","results":{}}', { outcome: 'unauthorized' }],
  [
    '7.3, 401 behind HTTP 200',
    'balances',
    200,
    '{"code":401,"status":"FAILED","results":{}}',
    { outcome: 'unauthorized' },
  ],
  ['8, rate limit', 'payout', 429, '', { outcome: 'rate_limited' }],
  [
    'A1, token',
    'token',
    200,
    '{"access_token":"x.y.z","token_type":"Bearer","expires_in":3600}',
    { outcome: 'ok', title: 'Token issued' },
  ],
  [
    'A8, send-test',
    'send_test',
    200,
    '{"status":"200.100","code":"ACCEPTED","data":{"delivery_id":"d"}}',
    { outcome: 'accepted' },
  ],
  ['a page from a proxy', 'payout', 502, '<html>Bad gateway</html>', { outcome: 'failed' }],
  [
    'a page with 200',
    'payout',
    200,
    '<html>Hello</html>',
    { outcome: 'unknown', title: 'Answered 200 without JSON' },
  ],
  ['an empty acceptance', 'payout', 201, '', { outcome: 'unknown' }],
  ['JSON of another kind', 'payout', 200, '{"hello":"world"}', { outcome: 'unknown' }],
  ['JSON that is not an object', 'status', 200, '[1,2]', { outcome: 'unknown' }],
  [
    'a byte order mark in front',
    'payout',
    201,
    '\ufeff{"status":"200.100","code":"ACCEPTED"}',
    { outcome: 'accepted' },
  ],
  ['another request', 'other', 204, '', { outcome: 'ok', title: 'Answered 204' }],
  ['another request, refused', 'other', 418, 'no', { outcome: 'rejected' }],
];

describe('readAnswer', () => {
  it.each(cases)('reads %s', (_name, operation, httpStatus, body, expected) => {
    expect(readAnswer(operation, httpStatus, body)).toMatchObject(expected);
  });
});
