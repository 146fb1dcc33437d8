import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MISSING, newReference, payout, remittance } from '../support/bodies';
import { checkField, checkText } from './support/field-checks';
import { startService, type Service } from './support/service-client';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const MSISDN = {
  good: ['254700000000', '14155550100'],
  bad: ['', '+254700000000', '0700000000', '254 700 000', '2547000a', '2547000000000000'],
};
const DAY = {
  good: ['2024-02-29', '1999-12-31'],
  bad: ['', '2023-02-29', '31-12-1999', '1999-13-01', '1999-1-1'],
};
const COUNTRY = { good: ['KE', 'KEN', 'GB', 'GBR'], bad: ['', 'XX', 'ke', 'Kenya', '254'] };
const CURRENCY = { good: ['KES', 'USD'], bad: ['', 'kes', 'KSH', 'K', 'US Dollar'] };
const AMOUNT = { good: [1, 250], bad: ['100', 10.5, 0, -1, null, true, [], {}, Number.MAX_SAFE_INTEGER + 1] };
const INDIVIDUAL = ['DRIVING-LICENSE', 'PASSPORT', 'NATIONAL-ID', 'ALIEN-ID', 'MILITARY-ID'];
const CORPORATE = ['CERTIFICATE-OF-INCORPORATION', 'REGISTRATION-NUMBER', 'CR12'];
const PLAIN = { required: true, good: ['Any text, ünïcode 😀'], bad: [''] };
const FREE = { required: false, good: ['Any text', ''] };

const field = (path: string, cases: Parameters<typeof checkText>[3]) => () =>
  checkText(service, 'remittance', path, cases);
const payoutField = (path: string, cases: Parameters<typeof checkText>[3]) => () =>
  checkText(service, 'payout', path, cases);

describe('2.1 remittance request', () => {
  const objects = { required: true, bad: [1, 'x', null, [], true] };
  test('2.1 transaction: an object, required', () =>
    checkField(service, 'remittance', 'transaction', objects));
  test('2.1 originator: an object, required', () => checkField(service, 'remittance', 'originator', objects));
  test('2.1 recipient: an object, required', () => checkField(service, 'remittance', 'recipient', objects));
  test(
    '2.1 callback_url: a URI, required, https except to this machine',
    field('callback_url', {
      required: true,
      good: ['https://example.invalid/x?y=1', 'http://127.0.0.1:9/x', 'http://localhost:9/'],
      bad: [
        '',
        'example.invalid',
        '/webhooks',
        'ftp://example.invalid/',
        'http://example.invalid/',
        'https://',
      ],
    }),
  );
  test('2.1 meta: a free-form object, optional', () =>
    checkField(service, 'remittance', 'meta', {
      required: false,
      good: [{}, { a: { b: [1, null, 'x'] } }],
      bad: ['x', 1, [], null, true],
    }));

  test(
    '2.1 transaction.reference: text, required',
    field('transaction.reference', { ...PLAIN, good: [newReference()] }),
  );
  test('2.1 transaction.amount: an integer in major units, required', () =>
    checkField(service, 'remittance', 'transaction.amount', { required: true, ...AMOUNT }));
  test(
    '2.1 transaction.currency: an ISO 4217 code, required',
    field('transaction.currency', { required: true, ...CURRENCY }),
  );
  test('2.1 transaction.description: text, required', field('transaction.description', PLAIN));
  test('2.1 transaction.service_code: text, required', field('transaction.service_code', PLAIN));
  test(
    '2.1 transaction.timestamp: YYYY-MM-DD HH:mm:ss, required; the ISO form with Z is taken too (A9)',
    field('transaction.timestamp', {
      required: true,
      good: ['2030-01-31 23:59:59', '2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123Z'],
      bad: [
        '',
        '2030-01-31',
        '2030-02-30 12:00:00',
        '2030-01-31 24:00:00',
        '2030-01-31T12:00:00',
        '31/01/2030 12:00:00',
      ],
    }),
  );

  test(
    '2.1 originator.originator_type: Individual or Corporate, optional',
    field('originator.originator_type', {
      required: false,
      good: ['Individual', 'Corporate'],
      bad: ['', 'individual', 'Company'],
      beside: { 'originator.id_type': MISSING },
    }),
  );
  test('2.1 originator.first_name: text, optional', field('originator.first_name', FREE));
  test('2.1 originator.other_names: text, optional', field('originator.other_names', FREE));
  test('2.1 originator.dob: YYYY-MM-DD, optional', field('originator.dob', { required: false, ...DAY }));
  test('2.1 originator.nationality: text, required', field('originator.nationality', PLAIN));
  test(
    '2.1 originator.id_type of an Individual: the five personal documents',
    field('originator.id_type', { required: false, good: INDIVIDUAL, bad: ['', 'passport', ...CORPORATE] }),
  );
  test(
    '2.1 originator.id_type of a Corporate: the three company documents',
    field('originator.id_type', {
      required: false,
      good: CORPORATE,
      bad: ['', 'VAT', ...INDIVIDUAL],
      beside: { 'originator.originator_type': 'Corporate' },
    }),
  );
  test(
    '2.1 originator.id_type without originator_type: any of the eight',
    field('originator.id_type', {
      required: false,
      good: [...INDIVIDUAL, ...CORPORATE],
      bad: ['LIBRARY-CARD'],
      beside: { 'originator.originator_type': MISSING },
    }),
  );
  test('2.1 originator.id_number: text, optional', field('originator.id_number', FREE));
  test(
    '2.1 originator.id_expiry_date: YYYY-MM-DD, optional',
    field('originator.id_expiry_date', { required: false, ...DAY }),
  );
  test('2.1 originator.address: text, required', field('originator.address', PLAIN));
  test(
    '2.1 originator.company_name: text, optional, also for a Corporate',
    field('originator.company_name', {
      ...FREE,
      beside: { 'originator.originator_type': 'Corporate', 'originator.id_type': 'CR12' },
    }),
  );
  test('2.1 originator.company_registration: text, optional', field('originator.company_registration', FREE));
  test('2.1 originator.service_provider: text, optional', field('originator.service_provider', FREE));
  test(
    '2.1 originator.msisdn: digits with country prefix and no plus sign, required',
    field('originator.msisdn', { required: true, ...MSISDN }),
  );
  test('2.1 originator.channel: text, optional', field('originator.channel', FREE));
  test(
    '2.1 originator.country: ISO-2 or ISO-3, required',
    field('originator.country', { required: true, ...COUNTRY }),
  );
  test('2.1 originator.purpose: text, required', field('originator.purpose', PLAIN));

  test(
    '2.1 recipient.recipient_type: Individual or Corporate, optional',
    field('recipient.recipient_type', {
      required: false,
      good: ['Individual', 'Corporate'],
      bad: ['', 'Person'],
      beside: { 'recipient.id_type': MISSING },
    }),
  );
  test('2.1 recipient.first_name: text, optional', field('recipient.first_name', FREE));
  test('2.1 recipient.other_names: text, optional', field('recipient.other_names', FREE));
  test(
    '2.1 recipient.id_type of an Individual: as for the originator',
    field('recipient.id_type', { required: false, good: INDIVIDUAL, bad: ['', ...CORPORATE] }),
  );
  test(
    '2.1 recipient.id_type of a Corporate: as for the originator',
    field('recipient.id_type', {
      required: false,
      good: CORPORATE,
      bad: INDIVIDUAL,
      beside: { 'recipient.recipient_type': 'Corporate' },
    }),
  );
  test('2.1 recipient.id_number: text, optional', field('recipient.id_number', FREE));
  test(
    '2.1 recipient.id_expiry_date: YYYY-MM-DD, optional',
    field('recipient.id_expiry_date', { required: false, ...DAY }),
  );
  test('2.1 recipient.dob: YYYY-MM-DD, optional', field('recipient.dob', { required: false, ...DAY }));
  test('2.1 recipient.address: text, required', field('recipient.address', PLAIN));
  test('2.1 recipient.company_name: text, optional', field('recipient.company_name', FREE));
  test('2.1 recipient.company_registration: text, optional', field('recipient.company_registration', FREE));
  test(
    '2.1 recipient.msisdn: optional; if present, in MSISDN format and not empty',
    field('recipient.msisdn', { required: false, ...MSISDN }),
  );
  test(
    '2.1 recipient.country: a country code, required',
    field('recipient.country', { required: true, ...COUNTRY }),
  );
  test('2.1 recipient.nationality: text, optional', field('recipient.nationality', FREE));
  test('2.1 recipient.relationship: text, required', field('recipient.relationship', PLAIN));
  test('2.1 recipient.reference: text, optional', field('recipient.reference', FREE));
  test(
    '2.1 recipient.account_type: MOMO or BANK, required',
    field('recipient.account_type', { required: true, good: ['MOMO', 'BANK'], bad: ['', 'momo', 'CARD'] }),
  );
  test(
    '2.1 recipient.account: text, required',
    field('recipient.account', { ...PLAIN, good: ['256700000000', 'GB00BANK12349999'] }),
  );
  test(
    '2.1 recipient.bank_code: text, optional, also for BANK',
    field('recipient.bank_code', { ...FREE, beside: { 'recipient.account_type': 'BANK' } }),
  );
});

describe('2.2 payout request', () => {
  const objects = { required: true, bad: [1, 'x', null, []] };
  test('2.2 transaction: an object, required', () => checkField(service, 'payout', 'transaction', objects));
  test('2.2 originator: an object, required', () => checkField(service, 'payout', 'originator', objects));
  test('2.2 recipient: an object, required', () => checkField(service, 'payout', 'recipient', objects));
  test(
    '2.2 callback_url: a URI, required',
    payoutField('callback_url', { required: true, bad: ['', 'nowhere'] }),
  );
  test('2.2 meta: a free-form object, optional', () =>
    checkField(service, 'payout', 'meta', { required: false, good: [{}], bad: ['x', [], null] }));
  test(
    '2.2 transaction.reference: text, required',
    payoutField('transaction.reference', { ...PLAIN, good: [newReference()] }),
  );
  test('2.2 transaction.amount: an integer in major units, required', () =>
    checkField(service, 'payout', 'transaction.amount', { required: true, ...AMOUNT }));
  test(
    '2.2 transaction.currency: an ISO 4217 code, required',
    payoutField('transaction.currency', { required: true, good: ['KES', 'UGX'], bad: CURRENCY.bad }),
  );
  test('2.2 transaction.description: text, required', payoutField('transaction.description', PLAIN));
  test('2.2 transaction.service_code: text, required', payoutField('transaction.service_code', PLAIN));
  test(
    '2.2 transaction.timestamp: ISO 8601 UTC ending in Z, required',
    payoutField('transaction.timestamp', {
      required: true,
      good: ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.5Z'],
      bad: [
        '',
        '2030-01-31 12:00:00',
        '2030-01-31T12:00:00',
        '2030-01-31T12:00:00+00:00',
        '2030-02-30T12:00:00Z',
      ],
    }),
  );
  test(
    '2.2 originator.msisdn: MSISDN format, required',
    payoutField('originator.msisdn', { required: true, ...MSISDN }),
  );
  test('2.2 originator.channel: text, required', payoutField('originator.channel', PLAIN));
  test(
    '2.2 originator.country: an ISO 3166-1 code, required',
    payoutField('originator.country', { required: true, ...COUNTRY }),
  );
  test('2.2 originator.name: text, required', payoutField('originator.name', PLAIN));
  test('2.2 originator.purpose: text, required', payoutField('originator.purpose', PLAIN));
  test('2.2 recipient.reference: text, required', payoutField('recipient.reference', PLAIN));
  test(
    '2.2 recipient.account: text, required',
    payoutField('recipient.account', { ...PLAIN, good: ['254711111111'] }),
  );
  test('2.2 recipient.name: text, required', payoutField('recipient.name', PLAIN));
  test('2.2 recipient.destination_code: text, required', payoutField('recipient.destination_code', PLAIN));
});

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

describe('2.3 to 2.5 answers', () => {
  test('2.3 an acceptance has status, code, description and data with its five members', async () => {
    for (const [product, body] of [['remittance', remittance()] as const, ['payout', payout()] as const]) {
      const { json } = await service.initiate(product, body);
      expect(Object.keys(json).sort()).toEqual(['code', 'data', 'description', 'status']);
      expect(json.data).toEqual({
        amount: 1000,
        transaction_reference: (body.transaction as { reference: string }).reference,
        payment_uuid: expect.stringMatching(/^\d+$/),
        payment_reference: expect.any(String),
        time_received: expect.stringMatching(UTC),
      });
      expect(json.data.payment_reference).not.toBe(json.data.payment_uuid);
    }
  });

  test('2.3 data.time_received is the time of receipt in UTC, ending in Z', async () => {
    const { json: state } = await service.admin('GET', 'state');
    const { json } = await service.initiate('payout', payout());
    expect(json.data.time_received).toMatch(UTC);
    expect(Math.abs(Date.parse(json.data.time_received as string) - Number(state.now))).toBeLessThan(5000);
  });

  test('2.4 a status record has exactly its nine members, numbers as numbers', async () => {
    const body = payout({ 'transaction.amount': 333 });
    const accepted = await service.initiate('payout', body);
    const { json } = await service.status('payout', { payment_uuid: accepted.json.data.payment_uuid });
    expect(json).toEqual({
      status: '200.100',
      code: 'ACCEPTED',
      description: expect.any(String),
      data: {
        transaction_reference: accepted.json.data.transaction_reference,
        payment_reference: accepted.json.data.payment_reference,
        payment_uuid: accepted.json.data.payment_uuid,
        amount: 333,
        total_charges: 3.33,
        total_amount: 336.33,
        state: 'processing',
        time_received: accepted.json.data.time_received,
        last_updated: expect.stringMatching(UTC),
      },
    });
  });

  test('2.4 data.last_updated moves when the state changes, data.time_received does not', async () => {
    const accepted = await service.initiate('payout', payout());
    const query = { payment_uuid: accepted.json.data.payment_uuid };
    await service.advance(10);
    await service.admin('POST', `payments/${query.payment_uuid}/state`, { state: 'failed' });
    const { data } = (await service.status('payout', query)).json;
    expect(data.time_received).toBe(accepted.json.data.time_received);
    expect(Date.parse(data.last_updated as string)).toBeGreaterThanOrEqual(
      Date.parse(data.time_received as string) + 10_000,
    );
  });

  test('2.4 payment_reference is never taken as payment_uuid', async () => {
    const accepted = await service.initiate('payout', payout());
    const answer = await service.status('payout', { payment_uuid: accepted.json.data.payment_reference });
    expect(answer.httpStatus).toBe(404);
  });

  test('2.5 a wallet record has currency, two balances, an optional alert limit and a status', async () => {
    const { json } = await service.balances('payout');
    expect(json.results.length).toBeGreaterThan(0);
    for (const record of json.results as Record<string, unknown>[]) {
      expect(record.currency).toMatch(/^[A-Z]{3}$/);
      expect(typeof record.actual_balance).toBe('number');
      expect(typeof record.available_balance).toBe('number');
      if ('alert_limit' in record) expect(typeof record.alert_limit).toBe('number');
      expect(['ACTIVE', 'INACTIVE', 'SUSPENDED']).toContain(record.status);
    }
  });
});
