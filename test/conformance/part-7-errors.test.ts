import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MISSING, payout, remittance } from '../support/bodies';
import {
  paths,
  signText,
  startService,
  stringToSign,
  type Answer,
  type Service,
} from './support/service-client';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

function expectEnvelope(
  answer: Answer,
  httpStatus: number,
  code: string,
  status: string,
  data: unknown,
): void {
  expect(answer.httpStatus, answer.text).toBe(httpStatus);
  expect(answer.json).toEqual({ code, status, description: expect.any(String), data });
  expect(answer.json.description).not.toBe('');
}

describe('7.1 error envelope', () => {
  test('7.1 code 400.100: validation failed, every field error at once with path and message', async () => {
    const body = remittance({
      'transaction.amount': '1000',
      'transaction.currency': 'kes',
      'originator.msisdn': '+254700000000',
      'originator.address': MISSING,
      'recipient.account': '',
      'recipient.account_type': 'CARD',
      callback_url: 'nowhere',
    });
    const answer = await service.initiate('remittance', body);
    expectEnvelope(answer, 400, '400.100', 'REJECTED', { field_errors: expect.any(Array) });
    const errors = answer.json.data.field_errors as { field: string; message: string }[];
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'callback_url', 'originator.address', 'originator.msisdn', 'recipient.account', 'recipient.account_type',
      'transaction.amount', 'transaction.currency',
    ]); // prettier-ignore
    for (const error of errors) {
      expect(Object.keys(error).sort()).toEqual(['field', 'message']);
      expect(error.message.length).toBeGreaterThan(5);
    }
  });

  test('7.1 code 400.100: an account ending in 0004 is refused on recipient.account', async () => {
    const answer = await service.initiate('payout', payout({ 'recipient.account': '254711110004' }));
    expectEnvelope(answer, 400, '400.100', 'REJECTED', {
      field_errors: [{ field: 'recipient.account', message: expect.any(String) }],
    });
  });

  test('7.1 code 400.200: failed authentication, HTTP 401, data null', async () => {
    const unsigned = await service.post(paths.payout, payout(), await service.bearer('payout'));
    expectEnvelope(unsigned, 401, '400.200', 'REJECTED', null);
    const wrongProduct = await service.post(paths.payout, payout(), await service.bearer('collection'));
    expectEnvelope(wrongProduct, 401, '400.200', 'REJECTED', null);
    expectEnvelope(
      await service.requestToken('payout', { consumer_secret: 'x' }),
      401,
      '400.200',
      'REJECTED',
      null,
    );
  });

  test('7.1 code 403.300: failed authorization, HTTP 403, data null', async () => {
    const answer = await service.post(paths.sendTest, { callback_url: 'https://example.invalid/hook' });
    expectEnvelope(answer, 403, '403.300', 'REJECTED', null);
  });

  test('7.1 code 400.500: internal server error, HTTP 500, status FAILED, data null', async () => {
    const answer = await service.initiate('payout', payout({ 'recipient.account': '254711110007' }));
    expectEnvelope(answer, 500, '400.500', 'FAILED', null);
  });

  test('7.1 code 400.001.100: invalid or expired token, HTTP 401, data empty', async () => {
    expectEnvelope(await service.post(paths.payout, payout()), 401, '400.001.100', 'REJECTED', {});
    const headers = await service.bearer('payout');
    await service.advance(3601);
    expectEnvelope(await service.post(paths.payout, payout(), headers), 401, '400.001.100', 'REJECTED', {});
  });

  test('7.1 code 404.001.000: requested resource not found, data empty', async () => {
    for (const path of [
      '/',
      '/payments/v1/transfers',
      '/payments/v2/payouts',
      '/payments/v1/payouts/',
      '/tsq',
    ]) {
      expectEnvelope(await service.post(path, {}), 404, '404.001.000', 'REJECTED', {});
    }
  });
});

describe('7.2 error object', () => {
  const unreadable: readonly (readonly [string, string | Buffer])[] = [
    ['not JSON', '{"transaction":'],
    ['empty', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['two values', '{} {}'],
    ['a comment', '{/* */}'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['a byte order mark', '\uFEFF{}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['a bare control character', '{"a":"\u0001"}'],
    ['a number with a leading zero', '{"a":01}'],
    ['not a number', '{"a":NaN}'],
  ];

  test('7.2 a body that is not a readable JSON object: HTTP 400 with error and message', async () => {
    for (const path of [
      paths.payout,
      paths.remittance,
      paths.collection,
      paths.status,
      paths.token,
      paths.sendTest,
    ]) {
      for (const [why, body] of unreadable) {
        const answer = await service.post(path, body);
        expect(answer.httpStatus, `${path}: ${why}`).toBe(400);
        expect(answer.json, `${path}: ${why}`).toMatchObject({
          error: expect.any(String),
          message: expect.any(String),
        });
        for (const name of Object.keys(answer.json as object)) {
          expect(['error', 'message', 'param', 'request_id']).toContain(name);
        }
      }
    }
  });

  test('7.2 request_id is that of X-Request-Id', async () => {
    const answer = await service.post(paths.payout, 'x');
    expect(answer.json.request_id).toBe(answer.headers['x-request-id']);
  });

  test('7.2 param names the field where there is one', async () => {
    const answer = await service.status('payout', { payment_uuid: 7 });
    expect(answer.json.param).toBe('payment_uuid');
  });

  test('7.2 a body above 1 MiB: HTTP 400; of 1 MiB: read', async () => {
    const bearer = await service.bearer('payout');
    const fill = (sizeBytes: number) => `{"a":"${'x'.repeat(sizeBytes - 8)}"}`;
    const largest = await service.post(paths.payout, fill(1024 * 1024), bearer);
    expect(largest.json.code).toBe('400.100');
    const tooLarge = await service.post(paths.payout, fill(1024 * 1024 + 1), bearer);
    expect(tooLarge.httpStatus).toBe(400);
    expect(tooLarge.json.error).toEqual(expect.any(String));
  });

  test('7.2 field errors in this form too, by a setting', async () => {
    await service.admin('PUT', 'settings', { bad_request_form: 'error_object' });
    const answer = await service.initiate('payout', payout({ 'recipient.name': MISSING }));
    await service.admin('PUT', 'settings', { bad_request_form: 'envelope' });
    expect(answer.httpStatus).toBe(400);
    expect(answer.json).toMatchObject({ error: expect.any(String), param: 'recipient.name' });
  });
});

describe('7.3 wallet balance errors', () => {
  test('7.3 404: code as a number, FAILED, description, results an empty object', async () => {
    const answer = await service.balances('collection', 'USD');
    expect(answer.httpStatus).toBe(404);
    expect(answer.json).toEqual({
      code: 404,
      status: 'FAILED',
      description: expect.any(String),
      results: {},
    });
  });

  test('7.3 401: code as a number, FAILED, description, results an empty object', async () => {
    const answer = await service.call('GET', paths.balances);
    expect(answer.httpStatus).toBe(401);
    expect(answer.json).toEqual({
      code: 401,
      status: 'FAILED',
      description: expect.any(String),
      results: {},
    });
  });
});

describe('7.4 other rules', () => {
  test('7.4 a rejection at initiation has the shape of an initiation response', async () => {
    const answer = await service.initiate('payout', payout({ 'transaction.currency': 'EUR' }));
    expect(answer.httpStatus).toBe(400);
    expect(Object.keys(answer.json as object).sort()).toEqual(['code', 'data', 'description', 'status']);
    expect(answer.json).toMatchObject({ status: '400.100', code: 'REJECTED', data: null });
  });

  test('7.4 a reference reused with a different body is a duplicate too (A7)', async () => {
    const first = payout();
    await service.initiate('payout', first);
    const other = payout({
      'transaction.reference': (first.transaction as { reference: string }).reference,
      'transaction.amount': 5,
    });
    const answer = await service.initiate('payout', other);
    expect(answer.httpStatus).toBe(200);
    expect(answer.json).toMatchObject({ status: '200.100', code: 'REJECTED' });
    expect((await service.wallet('payout')).available).toBe(1_000_000 - 1010);
  });

  test('7.4 every answer is JSON and carries X-Request-Id, each its own', async () => {
    const answers = [
      await service.call('GET', '/nowhere'),
      await service.post(paths.payout, 'x'),
      await service.balances('payout'),
      await service.initiate('payout', payout()),
      await service.admin('GET', 'state'),
      await service.call('GET', '/_sandbox/state'),
    ];
    for (const { headers } of answers) expect(headers['content-type']).toMatch(/^application\/json/);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length);
  });

  test('7.4 a wrong method is refused and the right one named', async () => {
    for (const [method, path, allowed] of [
      ['GET', paths.payout, 'POST'],
      ['DELETE', paths.status, 'POST'],
      ['POST', paths.balances, 'GET'],
    ] as const) {
      const answer = await service.call(method, path);
      expect(answer.httpStatus).toBe(405);
      expect(answer.headers.allow).toBe(allowed);
    }
  });
});

describe('the order of the checks', () => {
  test('7 order: body, token, product, signature, fields, duplicate, business rules', async () => {
    const bearer = await service.bearer('payout');
    const known = payout();
    await service.initiate('payout', known);
    const reference = (known.transaction as { reference: string }).reference;
    const bad = payout({
      'transaction.reference': reference,
      'recipient.account': MISSING,
      'transaction.amount': 5_000_000,
    });
    const poor = payout({ 'transaction.reference': reference, 'transaction.amount': 5_000_000 });
    const signed = (body: typeof bad) => ({ 'x-custom-signature': signText(stringToSign(body)) });
    const wrong = await service.bearer('remittance');
    const send = (body: unknown, headers: Record<string, string>) =>
      service.post(paths.payout, body, headers);
    expect((await send('{', {})).json.error).toEqual(expect.any(String));
    expect((await send(bad, {})).json.code).toBe('400.001.100');
    const product = await send(bad, wrong);
    expect([product.json.code, product.json.description]).toEqual([
      '400.200',
      expect.stringMatching(/payout/),
    ]);
    const signature = await send(bad, bearer);
    expect([signature.json.code, signature.json.description]).toEqual([
      '400.200',
      expect.stringMatching(/signature/i),
    ]);
    expect((await send(bad, { ...bearer, ...signed(bad) })).json.code).toBe('400.100');
    expect((await send(poor, { ...bearer, ...signed(poor) })).json.status).toBe('200.100');
    const fresh = payout({ 'transaction.amount': 5_000_000 });
    expect((await send(fresh, { ...bearer, ...signed(fresh) })).json.status).toBe('400.100');
  });
});
