import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collection, MISSING, payout, referenceOf, remittance, type Body } from '../support/bodies';
import {
  paths,
  signText,
  startService,
  stringToSign,
  type Answer,
  type Service,
} from './support/service-client';
import { startReceiver } from './support/webhook-receiver';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

const operations = [
  ['4.1', 'remittance', remittance, '/payments/api/v1/remittance'],
  ['4.2', 'payout', payout, '/payments/api/v1/payouts'],
] as const;

function expectAccepted(answer: Answer): void {
  expect(answer.httpStatus, answer.text).toBe(201);
  expect(answer.json).toMatchObject({ status: '200.100', code: 'ACCEPTED' });
}

/** Both initiations follow the same rules; each gets its own test, named after its own part. */
async function each(
  run: (product: 'remittance' | 'payout', make: typeof payout, path: string) => Promise<void>,
  part: '4.1' | '4.2',
) {
  const [, product, make, path] = operations.find(([own]) => own === part)!;
  await run(product, make, path);
}

const acceptsOnBothPaths = async (product: 'remittance' | 'payout', make: typeof payout, second: string) => {
  for (const path of [paths[product], second]) {
    const body = make();
    const answer = await service.post(path, body, {
      ...(await service.bearer(product)),
      'x-custom-signature': signText(stringToSign(body)),
    });
    expectAccepted(answer);
  }
};

const onePaymentOverBothPaths = async (
  product: 'remittance' | 'payout',
  make: typeof payout,
  second: string,
) => {
  const body = make();
  expectAccepted(await service.initiate(product, body));
  const again = await service.post(second, body, {
    ...(await service.bearer(product)),
    'x-custom-signature': signText(stringToSign(body)),
  });
  expect(again.json).toMatchObject({ status: '200.100', code: 'REJECTED' });
};

const ignoresDuplicates = async (product: 'remittance' | 'payout', make: typeof payout) => {
  const body = make();
  const first = await service.initiate(product, body);
  const second = await service.initiate(product, body);
  expect(second.httpStatus).toBe(200);
  expect(second.json).toMatchObject({ status: '200.100', code: 'REJECTED' });
  expect(second.json.description).toMatch(/duplicate/i);
  expect(second.json.data ?? {}).toEqual({});
  const record = await service.status(product, { transaction_reference: referenceOf(body) });
  expect(record.json.data.payment_uuid).toBe(first.json.data.payment_uuid);
  expect((await service.wallet(product)).available).toBe(1_000_000 - 1010);
};

const signsFourFields = async (product: 'remittance' | 'payout', make: typeof payout) => {
  const signed = make();
  const headers = { 'x-custom-signature': signText(stringToSign(signed)) };
  for (const [path, value] of [
    ['transaction.reference', 'another-reference'],
    ['transaction.amount', 1001],
    ['originator.country', 'UG'],
    ['transaction.service_code', 'AIRTEL'],
  ] as const) {
    const changed = structuredClone(signed);
    const [owner, name] = path.split('.') as [string, string];
    (changed[owner] as Body)[name] = value;
    const answer = await service.initiate(product, changed, headers);
    expect(answer.httpStatus, path).toBe(401);
    expect(answer.json.code, path).toBe('400.200');
  }
  const other = structuredClone(signed);
  (other.transaction as Body).description = 'changed, and not signed';
  expectAccepted(await service.initiate(product, other, headers));
};

const tellsByWebhook = async (product: 'remittance' | 'payout', make: typeof payout) => {
  const receiver = await startReceiver();
  try {
    const body = make({ callback_url: receiver.url });
    await service.initiate(product, body);
    await service.advance(3600);
    const [webhook] = await receiver.waitFor(1);
    expect(webhook?.json).toMatchObject({ client_reference: referenceOf(body), status: 'SUCCESS' });
  } finally {
    await receiver.close();
  }
};

const requiresHeaders = async (product: 'remittance' | 'payout', make: typeof payout) => {
  const body = make();
  const signature = { 'x-custom-signature': signText(stringToSign(body)) };
  const bearer = await service.bearer(product);
  const json = { 'content-type': 'application/json' };
  const text = JSON.stringify(body);
  const send = (headers: Record<string, string>) => service.call('POST', paths[product], text, headers);
  expect((await send({ ...json, ...signature })).json.code).toBe('400.001.100');
  expect((await send({ ...json, ...bearer })).json.code).toBe('400.200');
  const untyped = await send({ ...bearer, ...signature });
  expect(untyped.httpStatus).toBe(400);
  expect(untyped.json).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  expectAccepted(await send({ ...json, ...bearer, ...signature }));
};

const answersErrors = async (product: 'remittance' | 'payout', make: typeof payout) => {
  const notJson = await service.post(paths[product], '{"transaction":', await service.bearer(product));
  expect(notJson.httpStatus).toBe(400);
  expect(notJson.json).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  const noToken = await service.post(paths[product], make());
  expect(noToken.httpStatus).toBe(401);
  expect(noToken.json).toMatchObject({
    code: expect.any(String),
    status: 'REJECTED',
    description: expect.any(String),
  });
};

const rejectsByRules = async (product: 'remittance' | 'payout', make: typeof payout) => {
  const answer = await service.initiate(product, make({ 'transaction.amount': 2_000_000 }));
  expect(answer.httpStatus).toBe(400);
  expect(answer.json).toEqual({
    status: '400.100',
    code: 'REJECTED',
    description: expect.any(String),
    data: null,
  });
};

describe('4.1 initiate remittance', () => {
  test('4.1 path: both forms lead to the same operation', () => each(acceptsOnBothPaths, '4.1'));
  test('4.1 path: a reference is one remittance over both forms', () => each(onePaymentOverBothPaths, '4.1'));
  test('4.1 headers: bearer token, signature and content type are all required', () =>
    each(requiresHeaders, '4.1'));
  test('4.1 success: HTTP 201 with status 200.100 and code ACCEPTED', async () => {
    expectAccepted(await service.initiate('remittance', remittance()));
  });
  test('4.1 success: the other form, status ACCEPTED and code 100, by a setting', async () => {
    await service.admin('PUT', 'settings', { acceptance_form: '100' });
    const answer = await service.initiate('remittance', remittance());
    await service.admin('PUT', 'settings', { acceptance_form: '200.100' });
    expect(answer.httpStatus).toBe(201);
    expect(answer.json).toMatchObject({ status: 'ACCEPTED', code: '100', data: { amount: 1000 } });
  });
  test('4.1 rejection: a duplicate has status 200.100 and code REJECTED, data empty', () =>
    each(ignoresDuplicates, '4.1'));
  test('4.1 rejection: any other cause has status 400.100, code REJECTED and data null', () =>
    each(rejectsByRules, '4.1'));
  test('4.1 errors: 400 with the error object, 401 with the error envelope', () =>
    each(answersErrors, '4.1'));
  test('4.1 rule 1: the same transaction.reference is the same remittance', () =>
    each(ignoresDuplicates, '4.1'));
  test('4.1 rule 2: the signature covers reference, amount, country and service code, and nothing else', () =>
    each(signsFourFields, '4.1'));
  test('4.1 rule 3: the timestamp follows the pattern, and its contradicting example is taken too', async () => {
    for (const timestamp of ['2030-01-31 12:00:00', '2030-01-31T12:00:00.000Z']) {
      expectAccepted(
        await service.initiate('remittance', remittance({ 'transaction.timestamp': timestamp })),
      );
    }
  });
  test('4.1 rule 4: the final outcome is sent to callback_url', () => each(tellsByWebhook, '4.1'));
});

describe('4.2 initiate payout', () => {
  test('4.2 path: both forms lead to the same operation', () => each(acceptsOnBothPaths, '4.2'));
  test('4.2 path: a reference is one payout over both forms', () => each(onePaymentOverBothPaths, '4.2'));
  test('4.2 headers: bearer token, signature and content type are all required', () =>
    each(requiresHeaders, '4.2'));
  test('4.2 headers: a token of the payout product only', async () => {
    for (const product of ['remittance', 'collection'] as const) {
      const answer = await service.initiate('payout', payout(), await service.bearer(product));
      expect(answer.httpStatus).toBe(401);
      expect(answer.json.code).toBe('400.200');
    }
  });
  test('4.2 success: HTTP 201 with the acceptance response (A4)', async () => {
    expectAccepted(await service.initiate('payout', payout()));
  });
  test('4.2 errors: as for remittances', () => each(answersErrors, '4.2'));
  test('4.2 rejection: as for remittances', () => each(rejectsByRules, '4.2'));
  test('4.2 rule 1: the same transaction.reference is the same payout', () => each(ignoresDuplicates, '4.2'));
  test('4.2 rule 2: the signature covers the same four fields', () => each(signsFourFields, '4.2'));
  test('4.2 rule 3: the timestamp must be ISO 8601 ending in Z', async () => {
    const answer = await service.initiate(
      'payout',
      payout({ 'transaction.timestamp': '2030-01-31 12:00:00' }),
    );
    expect(answer.json.data.field_errors[0].field).toBe('transaction.timestamp');
  });
  test('4.2 rule 4: the final outcome is sent to callback_url', () => each(tellsByWebhook, '4.2'));
});

const SECRET_FREE = /consumer|secret|BEGIN/i;

describe('4.6 other operations', () => {
  test('4.6 token: POST /auth/v1/token gives a bearer token for one product (A1)', async () => {
    const answer = await service.requestToken('payout');
    expect(answer.httpStatus).toBe(200);
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      product: 'payout',
    });
    const claims = JSON.parse(
      Buffer.from((answer.json.access_token as string).split('.')[1]!, 'base64url').toString(),
    ) as Record<string, unknown>;
    expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'jti', 'product', 'sub']);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
    expect(JSON.stringify({ ...claims, sub: '' })).not.toMatch(SECRET_FREE);
  });

  test('4.6 token: wrong credentials are answered 401 with 400.200 (A1)', async () => {
    for (const change of [{ consumer_key: 'x' }, { consumer_secret: 'x' }]) {
      const answer = await service.requestToken('payout', change);
      expect(answer.httpStatus).toBe(401);
      expect(answer.json).toMatchObject({ code: '400.200', status: 'REJECTED', data: null });
    }
  });

  test('4.6 token: a missing field or an unknown product is a field error', async () => {
    const answer = await service.requestToken('transfers', { consumer_key: 7 });
    expect(answer.httpStatus).toBe(400);
    expect(answer.json.data.field_errors.map(({ field }: { field: string }) => field)).toEqual([
      'consumer_key',
      'product',
    ]);
  });

  test('4.6 collection: is accepted with a checkout_url (A2)', async () => {
    const answer = await service.initiate('collection', collection());
    expectAccepted(answer);
    expect(answer.json.data).toMatchObject({
      amount: 500,
      checkout_url: expect.stringContaining(service.baseUrl),
    });
  });

  test('4.6 collection: takes the fields of A2 and refuses what they do not allow', async () => {
    for (const [path, value] of [
      ['transaction.reference', MISSING],
      ['transaction.amount', 1.5],
      ['transaction.currency', 'XXX'],
      ['transaction.description', ''],
      ['customer', MISSING],
      ['customer.name', 7],
      ['customer.msisdn', ''],
      ['customer.email', 'nobody'],
      ['callback_url', 'x'],
      ['redirect_url', 'javascript:alert(1)'],
      ['meta', 1],
    ] as const) {
      // prettier-ignore
      const answer = await service.initiate('collection', collection({ [path]: value }));
      expect(
        answer.json.data?.field_errors?.map(({ field }: { field: string }) => field),
        path,
      ).toEqual([path]);
    }
  });

  test('4.6 collection: is not signed and needs a collection token', async () => {
    const answer = await service.post(paths.collection, collection(), await service.bearer('payout'));
    expect(answer.httpStatus).toBe(401);
    expect(answer.json.code).toBe('400.200');
  });

  const outcomes = [['pay', 'succeeded', 'SUCCESS', 500], ['fail', 'failed', 'FAILED', 0], ['cancel', 'canceled', 'CANCELED', 0]] as const; // prettier-ignore
  const choose = (url: string, outcome: string) =>
    service.call('POST', new URL(url).pathname, `outcome=${outcome}`, {
      'content-type': 'application/x-www-form-urlencoded',
    });

  test('4.6 collection: the hosted page offers pay, fail and cancel; then come webhook and redirect (A2)', async () => {
    const receiver = await startReceiver();
    try {
      for (const [outcome, state, status, credited] of outcomes) {
        await service.reset();
        receiver.received.length = 0;
        const body = collection({ callback_url: receiver.url });
        const { checkout_url: url } = (await service.initiate('collection', body)).json.data as {
          checkout_url: string;
        };
        const page = await service.call('GET', new URL(url).pathname);
        expect(page.headers['content-type']).toContain('text/html');
        expect(page.text).toContain(`value="${outcome}"`);
        const answer = await choose(url, outcome);
        expect(answer.httpStatus).toBe(303);
        expect(answer.headers.location).toMatch(/^https:\/\/shop\.example\/thanks/);
        const [webhook] = await receiver.waitFor(1);
        expect(webhook?.json).toMatchObject({
          status,
          amount: 500,
          client_reference: referenceOf(body),
          metadata: { cart: 'c-1' },
        });
        const record = await service.status('collection', { transaction_reference: referenceOf(body) });
        expect(record.json.data.state).toBe(state);
        expect((await service.wallet('collection')).actual).toBe(credited);
      }
    } finally {
      await receiver.close();
    }
  });

  test('4.6 collection: is paid once, however often the page is sent', async () => {
    const { checkout_url: url } = (await service.initiate('collection', collection())).json.data as {
      checkout_url: string;
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => choose(url, index % 2 ? 'pay' : 'fail')));
    const { actual } = await service.wallet('collection');
    expect([0, 500]).toContain(actual);
  });
});
