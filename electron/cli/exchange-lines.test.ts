import { expect, it } from 'vitest';
import type { StoredExchange } from '../lens/proxy/stored-exchange';
import { writeExchangeLines } from './exchange-lines';

const HEAD = '2026-01-02T03:04:05.678Z  POST /payments/v1/payouts';
const signed: [string, string][] = [['X-Custom-Signature', 'AAAA']];

function write(httpStatus: number, answer: string, detail: Partial<StoredExchange['detail']> = {}): string[] {
  const nothing = { stringToSign: null, signature: null, token: null, fieldProblems: [], reason: null };
  return writeExchangeLines({
    id: 'px_1', at: Date.parse('2026-01-02T03:04:05.678Z'), durationMs: 24.6, method: 'POST', path: '/payments/v1/payouts',
    httpStatus, operation: 'payout', reference: 'R-1', requestBody: Buffer.alloc(0), answerBody: Buffer.from(answer),
    detail: { origin: 'http://a', query: '', requestHeaders: [], requestBytes: 0, answerHeaders: [], answerBytes: 0, ...nothing, ...detail },
  }); // prettier-ignore
}

it('gives the sentence of the doctor beside the causes of a wrong signature', () => {
  const explanation = 'The string was signed in another order.';
  const causes = [{ code: 'string.order', message: explanation }];
  const signature = { valid: false, verdict: 'explained', causes, explanation };
  expect(write(401, '', { signature, requestHeaders: signed })).toEqual([
    `${HEAD}  401 after 25 ms  R-1  signature does not verify: explained (order of the fields)`,
    `    ${explanation}`,
  ]);
});

it('names a header that is missing, and calls no signature what is none', () => {
  const signature = { valid: false, verdict: 'not_a_signature', causes: [], explanation: 'It has 3 bytes.' };
  expect(write(401, '', { signature })).toEqual([
    `${HEAD}  401 after 25 ms  R-1  no X-Custom-Signature header`,
  ]);
  expect(write(401, '', { signature, requestHeaders: signed })).toEqual([
    `${HEAD}  401 after 25 ms  R-1  signature does not verify: no signature of a key of this size`,
    '    It has 3 bytes.',
  ]);
});

it.each([
  ['{"code":"400.001.100","status":"REJECTED","description":"The token has expired"}', '400.001.100: The token has expired'],
  ['{"error":"invalid_client","message":"No such key"}', 'invalid_client: No such key'],
  ['<h1>Gone\u001b[2J</h1>\r\n', '<h1>Gone\\x1b[2J</h1>'],
  ['{"description":"access_token=abcdefghijklmnop"}', 'access_token=••••••••'],
  [`{"description":"${'x'.repeat(5000)}"}`, `${'x'.repeat(300)}… (5,000 characters)`],
])('says what the service said in %.60s', (answer, said) => {
  expect(write(401, answer)).toEqual([`${HEAD}  401 after 25 ms  R-1`, `    the service said: ${said}`]);
}); // prettier-ignore

it('says what the service said of a duplicate, which it answers 200', () => {
  const ignored = '{"status":"200.100","code":"REJECTED","description":"A duplicate was ignored"}';
  expect(write(200, ignored)).toEqual([
    `${HEAD}  200 after 25 ms  R-1`,
    '    the service said: REJECTED: A duplicate was ignored',
  ]);
});

it('says how long an answer was of which the beginning alone is kept', () => {
  const kept = 'x'.repeat(1024 * 1024);
  expect(write(500, kept, { answerBytes: 3_000_000 })[1]).toBe(
    `    the service said: ${'x'.repeat(300)}… (3000000 bytes)`,
  );
});

it('says nothing of what was taken, and names the faults of fields', () => {
  const fieldProblems = [{ field: 'recipient.account', message: 'is missing' }];
  expect(write(201, '{"description":"Accepted"}', { fieldProblems })).toEqual([
    `${HEAD}  201 after 25 ms  R-1`,
    '    recipient.account is missing',
  ]);
});
