import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collection, payout, referenceOf, remittance, type Body } from '../support/bodies';
import { paths, startService, type Service } from './support/service-client';
import { startReceiver } from './support/webhook-receiver';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

describe('4.3 query payment status', () => {
  test('4.3 token: a remittance token queries a remittance', async () => {
    const body = remittance();
    await service.initiate('remittance', body);
    expect(
      (await service.status('remittance', { transaction_reference: referenceOf(body) })).httpStatus,
    ).toBe(200);
  });

  test('4.3 token: a collection token queries a collection', async () => {
    const body = collection();
    await service.initiate('collection', body);
    expect(
      (await service.status('collection', { transaction_reference: referenceOf(body) })).httpStatus,
    ).toBe(200);
  });

  test('4.3 token: a payout token queries a payout (A6)', async () => {
    const body = payout();
    await service.initiate('payout', body);
    expect((await service.status('payout', { transaction_reference: referenceOf(body) })).httpStatus).toBe(
      200,
    );
  });

  test('4.3 token: a token of another product does not see the payment', async () => {
    const body = remittance();
    await service.initiate('remittance', body);
    for (const product of ['payout', 'collection'] as const) {
      const answer = await service.status(product, { transaction_reference: referenceOf(body) });
      expect(answer.httpStatus).toBe(401);
      expect(answer.text).not.toContain('"amount"');
    }
  });

  test('4.3 body: transaction_reference finds the payment', async () => {
    const body = payout();
    const { json } = await service.initiate('payout', body);
    const answer = await service.status('payout', { transaction_reference: referenceOf(body) });
    expect(answer.json).toMatchObject({
      status: '200.100',
      code: 'ACCEPTED',
      data: { payment_uuid: json.data.payment_uuid },
    });
  });

  test('4.3 body: payment_uuid, a numeric string, finds the payment', async () => {
    const { json } = await service.initiate('payout', payout());
    const answer = await service.status('payout', { payment_uuid: json.data.payment_uuid });
    expect(answer.json.data.transaction_reference).toBe(json.data.transaction_reference);
  });

  test('4.3 body: request_uuid, the X-Request-Id of the initiation, finds the payment', async () => {
    const accepted = await service.initiate('payout', payout());
    const answer = await service.status('payout', { request_uuid: accepted.headers['x-request-id'] });
    expect(answer.json.data.payment_uuid).toBe(accepted.json.data.payment_uuid);
  });

  test('4.3 body: exactly one identifying field, not empty and of type text', async () => {
    const bad: Body[] = [
      {},
      { transaction_reference: 'a', payment_uuid: '1' },
      { payment_uuid: 1 },
      { transaction_reference: '' },
      { reference: 'a' },
    ];
    for (const body of bad) {
      const answer = await service.status('payout', body);
      expect(answer.httpStatus, JSON.stringify(body)).toBe(400);
      expect(answer.json, JSON.stringify(body)).toMatchObject({
        error: expect.any(String),
        message: expect.any(String),
      });
    }
  });

  test('4.3 no matching payment: NOT_FOUND, HTTP 404 (A5)', async () => {
    for (const query of [
      { transaction_reference: 'none' },
      { payment_uuid: '1' },
      { payment_uuid: 'not-a-number' },
      { request_uuid: 'none' },
    ]) {
      const answer = await service.status('payout', query);
      expect(answer.httpStatus).toBe(404);
      expect(answer.json).toMatchObject({ code: '404.001.000', status: 'NOT_FOUND' });
    }
  });

  test('4.3 bad token: the error envelope with code 400.001.100', async () => {
    const answer = await service.post(
      paths.status,
      { payment_uuid: '1' },
      { authorization: 'Bearer nonsense' },
    );
    expect(answer.httpStatus).toBe(401);
    expect(answer.json).toMatchObject({ code: '400.001.100', status: 'REJECTED' });
  });

  test('4.3 a query changes nothing', async () => {
    const { json } = await service.initiate('payout', payout());
    const query = { payment_uuid: json.data.payment_uuid as string };
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.status('payout', query)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('4.4 get wallet balances', () => {
  test('4.4 the token’s product decides which wallets are seen', async () => {
    const seen: Record<string, string[]> = {};
    for (const product of ['payout', 'remittance', 'collection'] as const) {
      const { json } = await service.balances(product);
      seen[product] = (json.results as { currency: string }[]).map(({ currency }) => currency).sort();
    }
    expect(seen).toEqual({
      payout: ['KES', 'TZS', 'UGX'],
      remittance: ['KES', 'USD'],
      collection: ['KES', 'UGX'],
    });
  });

  test('4.4 without currency all wallets are returned, with code 200 as a number and status SUCCESS', async () => {
    const answer = await service.balances('payout');
    expect(answer.httpStatus).toBe(200);
    expect(answer.json).toMatchObject({ code: 200, status: 'SUCCESS', description: expect.any(String) });
    expect(answer.json.results).toHaveLength(3);
  });

  test('4.4 currency narrows it to one wallet', async () => {
    const { json } = await service.balances('payout', 'UGX');
    expect(json.results).toEqual([
      expect.objectContaining({
        currency: 'UGX',
        actual_balance: 10_000_000,
        available_balance: 10_000_000,
        status: 'ACTIVE',
      }),
    ]);
  });

  test('4.4 a currency that is not provisioned: 404, FAILED, results an empty object', async () => {
    for (const currency of ['USD', 'EUR']) {
      const answer = await service.balances('payout', currency);
      expect(answer.httpStatus).toBe(404);
      expect(answer.json).toMatchObject({ code: 404, status: 'FAILED', results: {} });
    }
  });

  test('4.4 an unrecognized currency: 404', async () => {
    for (const currency of ['XYZ', 'kes', '1', '%00']) {
      expect((await service.balances('payout', currency)).httpStatus).toBe(404);
    }
  });

  test('4.4 a bad token: 401, FAILED, results an empty object', async () => {
    for (const headers of [{}, { authorization: 'Bearer x' }] as Record<string, string>[]) {
      const answer = await service.call('GET', paths.balances, undefined, headers);
      expect(answer.httpStatus).toBe(401);
      expect(answer.json).toMatchObject({ code: 401, status: 'FAILED', results: {} });
    }
  });

  test('4.4 an expired token: 401', async () => {
    const headers = await service.bearer('payout');
    await service.advance(3600);
    const answer = await service.call('GET', paths.balances, undefined, headers);
    expect(answer.json).toMatchObject({ code: 401, status: 'FAILED', results: {} });
  });

  test('4.4 the call changes no state', async () => {
    const first = await service.balances('payout');
    const second = await service.balances('payout');
    expect(second.text).toBe(first.text);
  });

  test('4.4 balances are never stale: acceptance holds amount and charges, success takes them', async () => {
    await service.initiate('payout', payout({ 'transaction.amount': 100 }));
    expect(await service.wallet('payout')).toEqual({ actual: 1_000_000, available: 999_899 });
    await service.advance(3600);
    expect(await service.wallet('payout')).toEqual({ actual: 999_899, available: 999_899 });
  });

  test('4.4 a failed or canceled payment gives back what was held', async () => {
    for (const account of ['254711110001', '254711110002']) {
      await service.initiate('payout', payout({ 'recipient.account': account }));
    }
    expect((await service.wallet('payout')).available).toBe(1_000_000 - 2020);
    await service.advance(3600);
    expect(await service.wallet('payout')).toEqual({ actual: 1_000_000, available: 1_000_000 });
  });
});

describe('4.5 send a test webhook', () => {
  const sample = (callbackUrl: string): Body => ({
    callback_url: callbackUrl,
    status: 'SUCCESS',
    code: '200.100',
    amount: 12.5,
    client_reference: 'c-1',
    payment_uuid: '42',
    payment_reference: 'PR42',
    metadata: { a: { b: 1 } },
  });

  test('4.5 needs no Authorization header and sends the webhook with the values given', async () => {
    const receiver = await startReceiver();
    try {
      const body = sample(receiver.url);
      const answer = await service.post(paths.sendTest, body);
      expect(answer.httpStatus).toBe(200);
      expect(answer.json).toMatchObject({
        status: '200.100',
        code: 'ACCEPTED',
        data: { delivery_id: expect.any(String) },
      });
      const [webhook] = await receiver.waitFor(1);
      expect(webhook?.json).toEqual(
        Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'callback_url')),
      );
    } finally {
      await receiver.close();
    }
  });

  test('4.5 the webhook has the form of a real one', async () => {
    const receiver = await startReceiver();
    try {
      await service.post(paths.sendTest, sample(receiver.url));
      await service.initiate('payout', payout({ callback_url: receiver.url }));
      await service.advance(3600);
      const [sent, real] = await receiver.waitFor(2);
      expect(Object.keys(sent?.json as object)).toEqual(Object.keys(real?.json as object));
      expect(sent?.headers['content-type']).toBe(real?.headers['content-type']);
    } finally {
      await receiver.close();
    }
  });

  test('4.5 fields of a wrong type are refused, all at once', async () => {
    const answer = await service.post(paths.sendTest, {
      callback_url: 'x',
      amount: '1',
      status: 1,
      metadata: [],
    });
    expect(answer.httpStatus).toBe(400);
    expect(answer.json.data.field_errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'amount',
      'callback_url',
      'metadata',
      'status',
    ]);
  });

  test('4.5 a receiver that does not answer 2xx is tried again', async () => {
    const receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
    try {
      const { json } = await service.post(paths.sendTest, sample(receiver.url));
      await receiver.waitFor(1);
      await expect
        .poll(async () => (await service.admin('GET', 'deliveries')).json.deliveries[0])
        .toMatchObject({ id: json.data.delivery_id, state: 'pending', attempts: [{ http_status: 500 }] });
      await service.advance(5);
      await receiver.waitFor(2);
    } finally {
      await receiver.close();
    }
  });
});
