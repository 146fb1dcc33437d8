import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MISSING, payout, referenceOf, remittance } from '../support/bodies';
import { paths, startService, type Service } from './support/service-client';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

describe('8 limits', () => {
  test('8 idempotency: one reference is one payment, however many clients send it at once', async () => {
    const body = payout();
    const answers = await Promise.all(Array.from({ length: 64 }, () => service.initiate('payout', body)));
    const statuses = answers.map(({ httpStatus }) => httpStatus).sort();
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(63);
    expect((await service.wallet('payout')).available).toBe(1_000_000 - 1010);
  });

  test('8 idempotency: a request that was refused does not use up its reference', async () => {
    const body = payout({ 'recipient.name': MISSING });
    expect((await service.initiate('payout', body)).httpStatus).toBe(400);
    (body.recipient as Record<string, unknown>).name = 'Ben';
    expect((await service.initiate('payout', body)).httpStatus).toBe(201);
  });

  test('8 idempotency: a reference that cannot be kept as sent is refused, so that no two become one', async () => {
    for (const reference of ['half\ud800', 'nul\0', 'nul\0more']) {
      const answer = await service.initiate('payout', payout({ 'transaction.reference': reference }));
      expect(answer.json.data.field_errors).toEqual([
        expect.objectContaining({ field: 'transaction.reference' }),
      ]);
    }
  });

  test('8 idempotency: a final payment still counts', async () => {
    const body = remittance();
    await service.initiate('remittance', body);
    await service.advance(3600);
    expect((await service.initiate('remittance', body)).json.code).toBe('REJECTED');
    const record = await service.status('remittance', { transaction_reference: referenceOf(body) });
    expect(record.json.data.state).toBe('succeeded');
  });

  test('8 rate limit: HTTP 429 with Retry-After; a client that waits gets through', async () => {
    const limited = await startService({ settings: { rateLimit: 5 } });
    try {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => limited.call('GET', paths.balances)),
      );
      const refused = answers.filter(({ httpStatus }) => httpStatus === 429);
      expect(refused.length).toBeGreaterThan(0);
      for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      await limited.advance(Number(refused[0]?.headers['retry-after']));
      expect((await limited.call('GET', paths.balances)).httpStatus).toBe(401);
    } finally {
      await limited.close();
    }
  });

  test('8 rate limit: comes before every other check', async () => {
    const limited = await startService({ settings: { rateLimit: 1 } });
    try {
      const answers = await Promise.all(Array.from({ length: 6 }, () => limited.post(paths.payout, '{')));
      expect(answers.map(({ httpStatus }) => httpStatus)).toContain(429);
    } finally {
      await limited.close();
    }
  });

  test('8 rate limit: an account ending in 0008 is answered 429 twice, then accepted', async () => {
    const body = payout({ 'recipient.account': '254711110008' });
    const statuses = [];
    for (let count = 0; count < 3; count++)
      statuses.push((await service.initiate('payout', body)).httpStatus);
    expect(statuses).toEqual([429, 429, 201]);
  });

  test('8 amounts: whole major units; charges are one percent, two decimals, half up', async () => {
    for (const [amount, charges] of [
      [1, 0.01],
      [50, 0.5],
      [33, 0.33],
      [99_999, 999.99],
    ] as const) {
      const { json } = await service.initiate('payout', payout({ 'transaction.amount': amount }));
      const record = await service.status('payout', { payment_uuid: json.data.payment_uuid });
      expect(record.json.data).toMatchObject({ amount, total_charges: charges });
      expect(record.json.data.total_amount).toBe(Math.round((amount + charges) * 100) / 100);
    }
  });

  test('8 amounts: more than a wallet has, charges included, is refused', async () => {
    expect((await service.initiate('payout', payout({ 'transaction.amount': 990_100 }))).json.code).toBe(
      'REJECTED',
    );
    expect((await service.initiate('payout', payout({ 'transaction.amount': 990_099 }))).json.code).toBe(
      'ACCEPTED',
    );
  });
});

describe('9 versioning', () => {
  test('9 the version is in the path: v1', async () => {
    for (const path of [paths.payout, paths.status, paths.balances]) expect(path).toContain('/v1/');
    for (const path of ['/payments/v2/payouts', '/payments/payouts', '/tsq/v2/wallet-balances']) {
      expect((await service.call('POST', path, '{}')).httpStatus).toBe(404);
    }
  });

  test('9 the machine-readable description has version 1.0.0', async () => {
    const { json } = await service.call('GET', '/_sandbox/openapi.json');
    expect(json.info.version).toBe('1.0.0');
  });

  test('9 either path form alone, by a setting', async () => {
    const forms = ['/payments/v1/payouts', '/payments/api/v1/payouts'];
    const statuses: Record<string, number[]> = {};
    for (const form of ['plain', 'api', 'both']) {
      await service.admin('PUT', 'settings', { path_form: form });
      statuses[form] = [];
      for (const path of forms) statuses[form].push((await service.post(path, {})).httpStatus);
    }
    expect(statuses).toEqual({ plain: [401, 404], api: [404, 401], both: [401, 401] });
  });
});
