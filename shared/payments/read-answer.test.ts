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

/** Operation, HTTP status and body, and what they are called. */
const titles: [Operation, number, string, outcome: string, title: string][] = [
  ['payout', 429, '{"status":"ACCEPTED"}', 'rate_limited', 'Too many requests: wait, then try again'],
  ['payout', 200, '{"code":"400.001.100"}', 'unauthorized', 'Token invalid or expired'],
  ['payout', 403, '{}', 'unauthorized', 'Not allowed'],
  ['payout', 200, '{"code":"403.300"}', 'unauthorized', 'Not allowed'],
  ['payout', 200, '{"status":"forbidden"}', 'unauthorized', 'Not allowed'],
  ['payout', 200, '{"code":403}', 'unauthorized', 'Not allowed'],
  ['payout', 401, '{}', 'unauthorized', 'Authentication failed'],
  ['payout', 200, '{"code":"400.200"}', 'unauthorized', 'Authentication failed'],
  ['payout', 200, '{"code":"Unauthorized"}', 'unauthorized', 'Authentication failed'],
  ['balances', 404, '{}', 'unknown', 'Answered 404, not in the service’s form for a wallet that it does not have'],
  ['balances', 404, '<html>', 'unknown', 'Answered 404, not in the service’s form for a wallet that it does not have'],
  ['balances', 404, '{"status":404,"error":"Not Found","path":"/b"}', 'unknown', 'Answered 404, not in the service’s form for a wallet that it does not have'],
  ['balances', 404, '{"code":404}', 'not_found', 'No wallet in this currency'],
  ['balances', 404, '{"status":"FAILED","results":{}}', 'not_found', 'No wallet in this currency'],
  ['balances', 200, '{"code":404}', 'not_found', 'No wallet in this currency'],
  ['payout', 200, '{"code":404}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['payout', 404, '', 'not_found', 'Not found'],
  ['status', 404, '', 'unknown', 'Answered 404, not in the service’s form for an unknown payment'],
  ['status', 404, '{"code":"404.001.000"}', 'not_found', 'No such payment'],
  ['status', 500, '{"code":"NOT_FOUND"}', 'failed', 'The service failed'],
  // Neither is one that points elsewhere an acceptance, whatever stands beside it: nobody follows it.
  ['payout', 302, '{"status":"ACCEPTED"}', 'unknown', 'Answered 302: the service points elsewhere'],
  ['payout', 304, '{"status":"ACCEPTED"}', 'unknown', 'Answered 304 in a form that the interface does not name'],
  ['payout', 302, '{"status":"REJECTED"}', 'unknown', 'Answered 302: the service points elsewhere'],
  ['payout', 302, '{"code":"404.001.000"}', 'unknown', 'Answered 302: the service points elsewhere'],
  ['payout', 307, '{"error":"invalid"}', 'unknown', 'Answered 307: the service points elsewhere'],
  ['token', 302, '{"access_token":"a"}', 'unknown', 'Answered 302: the service points elsewhere'],
  ['balances', 302, '{"results":[]}', 'unknown', 'Answered 302: the service points elsewhere'],
  ['send_test', 302, '{"status":"ACCEPTED"}', 'unknown', 'Answered 302: the service points elsewhere'],
  [
    'status',
    307,
    '{"data":{"state":"succeeded"}}',
    'unknown',
    'Answered 307: the service points elsewhere',
  ],
  ['status', 200, '{"code":"404.001.000"}', 'not_found', 'No such payment'],
  ['status', 200, '{"status":"not_found"}', 'not_found', 'No such payment'],
  ['payout', 500, '', 'failed', 'The service failed'],
  ['payout', 499, '', 'rejected', 'Rejected'],
  ['payout', 200, '{"code":"400.500"}', 'failed', 'The service failed'],
  ['payout', 400, '{"data":{"field_errors":[{}]}}', 'rejected', 'Rejected: one field is wrong'],
  ['payout', 400, '{"data":{"field_errors":[]}}', 'rejected', 'Rejected'],
  ['payout', 200, '{"code":"ACCEPTED","field_errors":["x"]}', 'accepted', 'Accepted for processing'],
  ['payout', 400, '{"code":"ACCEPTED"}', 'unknown', 'Answered 400, though the body says ACCEPTED'],
  ['payout', 404, '{"status":"accepted"}', 'unknown', 'Answered 404, though the body says ACCEPTED'],
  ['payout', 400, '{"error":"bad","param":"a"}', 'rejected', 'Rejected: bad'],
  ['payout', 200, '{"error":"bad"}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['payout', 200, '{"status":"REJECTED","code":"200.100"}', 'duplicate', 'Duplicate ignored: this reference was used before'],
  ['other', 200, '{"status":"REJECTED","code":"200.100"}', 'duplicate', 'Duplicate ignored: this reference was used before'],
  ['status', 200, '{"status":"200.100","code":"REJECTED"}', 'rejected', 'Rejected'],
  ['balances', 400, '{"status":"REJECTED","description":"duplicate"}', 'rejected', 'Rejected'],
  ['payout', 200, '{"status":"rejected","description":"DUPLICATE"}', 'duplicate', 'Duplicate ignored: this reference was used before'],
  ['payout', 200, '{"status":"REJECTED","description":"no"}', 'rejected', 'Rejected'],
  ['payout', 201, '{"status":"ACCEPTED","description":"duplicate"}', 'accepted', 'Accepted for processing'],
  ['payout', 201, '{"status":"FAILED"}', 'failed', 'Failed'],
  ['payout', 400, '{"status":"FAILED"}', 'rejected', 'Rejected'],
  ['payout', 399, '{}', 'unknown', 'Answered 399 in a form that the interface does not name'],
  ['remittance', 201, '{"status":"accepted"}', 'accepted', 'Accepted for processing'],
  ['collection', 201, '{"code":"accepted","checkout_url":"u"}', 'accepted', 'Checkout ready for the customer'],
  ['status', 200, '{"code":"ACCEPTED"}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['send_test', 200, '{"code":"ACCEPTED"}', 'accepted', 'Test webhook on its way'],
  ['send_test', 200, '{}', 'ok', 'Answered 200'],
  ['status', 200, '{"data":{"state":"processing"}}', 'ok', 'In progress'],
  ['status', 200, '{"data":{"state":"failed"}}', 'ok', 'Failed'],
  ['status', 200, '{"data":{"state":"canceled"}}', 'ok', 'Canceled'],
  ['payout', 200, '{"data":{"state":"succeeded"}}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['balances', 200, '{"results":[{}]}', 'ok', 'One wallet'],
  ['balances', 200, '{"results":{}}', 'ok', 'No wallets'],
  ['balances', 200, '{"results":{"a":1}}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['balances', 200, '{"results":"none"}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['payout', 200, '{"results":[]}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['token', 200, '{}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['payout', 200, '{"access_token":"t"}', 'unknown', 'Answered 200 in a form that the interface does not name'],
  ['other', 200, '', 'ok', 'Answered 200'],
  ['other', 299, '', 'ok', 'Answered 299'],
  ['other', 300, '', 'unknown', 'Answered 300 without JSON'],
  ['other', 199, '', 'unknown', 'Answered 199 without JSON'],
]; // prettier-ignore

it.each(titles)('calls %s, %i and %s %s', (operation, httpStatus, body, outcome, title) => {
  const reading = readAnswer(operation, httpStatus, body);
  expect([reading.outcome, reading.title]).toEqual([outcome, title]);
});

it.each([
  [
    'an acceptance',
    'payout',
    `{"status":"200.100","code":"ACCEPTED","results":${data}}`,
    { outcome: 'accepted', paymentUuid: '98765432109876543210' },
  ],
  [
    'a status record in a list of one',
    'status',
    '{"code":"ACCEPTED","results":[{"state":"failed","payment_uuid":"7"}]}',
    { outcome: 'ok', state: 'failed', paymentUuid: '7' },
  ],
  [
    'field errors',
    'payout',
    '{"code":"400.100","results":{"field_errors":[{"field":"a","message":"b"}]}}',
    { fieldErrors: [{ field: 'a', message: 'b' }] },
  ],
] as const)('reads %s with results in place of data', (_name, operation, body, expected) => {
  expect(
    readAnswer(operation, operation === 'payout' && body.includes('400') ? 400 : 200, body),
  ).toMatchObject(expected);
});

it('takes several records for none, and data before results', () => {
  expect(
    readAnswer('status', 200, '{"results":[{"state":"failed"},{"state":"succeeded"}]}').state,
  ).toBeNull();
  expect(
    readAnswer('status', 200, '{"data":{"state":"failed"},"results":[{"state":"succeeded"}]}').state,
  ).toBe('failed');
});

it('gives what stands there, and null or nothing where it does not', () => {
  expect(readAnswer('other', 200, '{}')).toEqual({
    outcome: 'ok',
    title: 'Answered 200',
    code: null,
    status: null,
    description: null,
    paymentUuid: null,
    paymentReference: null,
    state: null,
    fieldErrors: [],
    checkoutUrl: null,
  });
  const body =
    '{"error":"e","message":"m","checkout_url":"u","field_errors":["a text",{"field":"f"},{"message":"n"}]}';
  expect(readAnswer('payout', 400, body)).toMatchObject({
    code: 'e',
    description: 'm',
    checkoutUrl: 'u',
    fieldErrors: [
      { field: '', message: 'a text' },
      { field: 'f', message: '' },
      { field: '', message: 'n' },
    ],
  });
  expect(readAnswer('payout', 400, '{"param":"p","field_errors":{}}').fieldErrors).toEqual([
    { field: 'p', message: '' },
  ]);
});

it('reads of a hundred thousand refused fields, and of texts of megabytes, what somebody can read', () => {
  const fields = Array.from({ length: 100_000 }, (_, index) => ({
    field: `f${index}`,
    message: 'm'.repeat(20),
  }));
  const many = readAnswer('payout', 400, JSON.stringify({ code: '400', field_errors: fields }));
  expect([many.fieldErrors.length, many.fieldErrorCount, many.outcome]).toEqual([100, 100_000, 'rejected']);
  const long = 'x'.repeat(1_000_000);
  const data = { payment_uuid: long, payment_reference: long, state: long, checkout_url: long };
  const body = {
    status: long,
    code: long,
    description: long,
    field_errors: [{ field: long, message: long }],
    data,
  };
  const reading = readAnswer('payout', 400, JSON.stringify(body));
  expect(JSON.stringify(reading).length).toBeLessThan(25_000);
  expect(reading.description).toBe(`${'x'.repeat(2000)}… (1,000,000 characters)`);
  const { title } = readAnswer('payout', 400, JSON.stringify({ error: long }));
  expect(title).toBe(`Rejected: ${'x'.repeat(1990)}… (1,000,010 characters)`);
  expect(readAnswer('status', 200, JSON.stringify({ data })).title.length).toBeLessThan(2100);
  const few = readAnswer('payout', 400, JSON.stringify({ field_errors: fields.slice(0, 100) }));
  expect(few).not.toHaveProperty('fieldErrorCount');
});
