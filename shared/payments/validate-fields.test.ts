import { describe, expect, it } from 'vitest';
import {
  validateInitiation,
  validateSendTest,
  validateStatusQuery,
  validateTokenRequest,
} from './validate-fields';

const remittance = () => ({
  transaction: {
    reference: 'R-1',
    amount: 1000 as unknown,
    currency: 'KES',
    description: 'Rent',
    service_code: 'MPESA',
    timestamp: '2030-01-31 12:00:00',
  } as Record<string, unknown>,
  originator: {
    nationality: 'Kenyan',
    address: 'Nairobi',
    msisdn: '254700000000',
    country: 'KE',
    purpose: 'Rent',
  } as Record<string, unknown>,
  recipient: {
    address: 'Kampala',
    country: 'UGA',
    relationship: 'Brother',
    account_type: 'MOMO',
    account: '256700000000',
  } as Record<string, unknown>,
  callback_url: 'https://example.com/hook' as unknown,
});
const payout = () => ({
  transaction: {
    reference: 'P-1',
    amount: 1000,
    currency: 'KES',
    description: 'Wages',
    service_code: 'MPESA',
    timestamp: '2030-01-31T12:00:00.123Z',
  } as Record<string, unknown>,
  originator: { msisdn: '254700000000', channel: 'API', country: 'KE', name: 'Ann', purpose: 'Wages' },
  recipient: { reference: 'r', account: '254711111111', name: 'Ben', destination_code: 'MPESA' },
  callback_url: 'https://example.com/hook',
});
const collection = () => ({
  transaction: { reference: 'C-1', amount: 5, currency: 'KES', description: 'Shoes' },
  customer: { name: 'Ann', msisdn: '254700000000', email: 'ann@example.com' },
  callback_url: 'https://example.com/hook',
  redirect_url: 'http://shop.example/back',
});
const fieldsOf = (errors: readonly { field: string }[]) => errors.map((error) => error.field);

describe('validateInitiation', () => {
  it('returns the same empty list for every good body', () => {
    expect(validateInitiation('remittance', remittance())).toEqual([]);
    expect(validateInitiation('remittance', remittance())).toBe(validateInitiation('payout', payout()));
    expect(validateInitiation('collection', collection())).toEqual([]);
  });

  it.each([null, 1, 'x', [], undefined])('refuses a body that is no object: %j', (body) => {
    expect(fieldsOf(validateInitiation('payout', body))).toEqual(['body']);
  });

  it('names the missing objects, and what belongs in them', () => {
    const errors = validateInitiation('payout', {});
    expect(fieldsOf(errors)).toEqual(['transaction', 'originator', 'recipient', 'callback_url']);
    expect(errors[2]?.message).toContain('reference, account, name, destination_code');
  });

  it('reports every fault at once, with paths', () => {
    const body = remittance();
    body.transaction.currency = 'kes';
    body.originator.msisdn = '+254700000000';
    body.recipient.account_type = 'CARD';
    delete body.recipient.account;
    body.callback_url = 'nowhere';
    expect(fieldsOf(validateInitiation('remittance', body))).toEqual([
      'transaction.currency',
      'originator.msisdn',
      'recipient.account_type',
      'recipient.account',
      'callback_url',
    ]);
  });

  it('refuses null for an optional field and lets unknown fields through', () => {
    const body = remittance();
    body.originator.first_name = null;
    body.originator.shoe_size = 43;
    expect(fieldsOf(validateInitiation('remittance', body))).toEqual(['originator.first_name']);
  });

  it('invents no requirement for corporate parties or bank accounts', () => {
    const body = remittance();
    body.originator.originator_type = 'Corporate';
    body.recipient.account_type = 'BANK';
    expect(validateInitiation('remittance', body)).toEqual([]);
  });

  it.each([
    ['Individual', 'PASSPORT', true],
    ['Individual', 'CR12', false],
    ['Corporate', 'CR12', true],
    ['Corporate', 'PASSPORT', false],
    [undefined, 'CR12', true],
    [undefined, 'LIBRARY-CARD', false],
  ])('takes the id types of the party type: %s %s %s', (type, idType, isGood) => {
    for (const party of ['originator', 'recipient'] as const) {
      const body = remittance();
      if (type) body[party][`${party}_type`] = type;
      body[party].id_type = idType;
      expect(fieldsOf(validateInitiation('remittance', body))).toEqual(isGood ? [] : [`${party}.id_type`]);
    }
  });

  it.each(['', '0700000000', '+254700000000', '254 700', '123456', '1234567890123456', 254700000000])(
    'refuses %j as an optional msisdn',
    (msisdn) => {
      const body = remittance();
      body.recipient.msisdn = msisdn;
      expect(fieldsOf(validateInitiation('remittance', body))).toEqual(['recipient.msisdn']);
    },
  );

  it.each(['1990-02-30', '1990-13-01', '1900-02-29', '90-01-01', '1990-01-01T00:00:00Z', '1990/01/01'])(
    'refuses %s as a day',
    (dob) => {
      const body = remittance();
      body.originator.dob = dob;
      expect(fieldsOf(validateInitiation('remittance', body))).toEqual(['originator.dob']);
    },
  );

  it('takes both timestamp forms for a remittance, the ISO form alone for a payout', () => {
    const forms = ['2030-01-31 12:00:00', '2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123456Z'];
    const accepted = forms.map((timestamp) => {
      const [a, b] = [remittance(), payout()];
      a.transaction.timestamp = timestamp;
      b.transaction.timestamp = timestamp;
      return [validateInitiation('remittance', a).length === 0, validateInitiation('payout', b).length === 0];
    });
    expect(accepted).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ]);
  });

  it.each([
    '2030-01-31T12:00:00',
    '2030-01-31T12:00:00+00:00',
    '2030-02-30T12:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T12:00:00.Z',
    '2030-01-31t12:00:00z',
    '',
  ])('refuses %j as the timestamp of a payout', (timestamp) => {
    const body = payout();
    body.transaction.timestamp = timestamp;
    expect(fieldsOf(validateInitiation('payout', body))).toEqual(['transaction.timestamp']);
  });

  it.each([
    ['1000', true],
    ['1000.00', true],
    ['1e3', true],
    ['9007199254740991', true],
    ['9007199254740992', false],
    ['0', false],
    ['-5', false],
    ['10.5', false],
    ['1000.00000000000000000001', false],
    ['1e400', false],
  ])('judges the amount by its literal: %s %s', (literal, isGood) => {
    const body = payout();
    body.transaction.amount = JSON.parse(literal);
    expect(fieldsOf(validateInitiation('payout', body, literal))).toEqual(
      isGood ? [] : ['transaction.amount'],
    );
  });

  it('refuses a quoted amount', () => {
    const body = payout();
    body.transaction.amount = '1000';
    expect(validateInitiation('payout', body)[0]?.message).toContain('without quotes');
  });

  it.each([
    ['https://example.com/x', true],
    ['http://127.0.0.1:4020/x', true],
    ['http://localhost:4020', true],
    ['http://[::1]:1/', true],
    ['http://example.com/', false],
    ['ftp://example.com/', false],
    ['/relative', false],
    ['', false],
  ])('judges %s as callback address: %s', (callback_url, isGood) => {
    expect(validateInitiation('payout', { ...payout(), callback_url }).length === 0).toBe(isGood);
  });

  it('takes plain http for a host that was allowed by name', () => {
    const body = { ...payout(), callback_url: 'http://app:8080/hook' };
    expect(validateInitiation('payout', body, { allowsPlainHttp: (host) => host === 'app' })).toEqual([]);
  });

  it.each([
    ['nul\0', false],
    ['half\ud800', false],
    ['\udc00half', false],
    ['whole😀', true],
  ])('judges the text %j: %s', (reference, isGood) => {
    const body = payout();
    body.transaction.reference = reference;
    expect(fieldsOf(validateInitiation('payout', body))).toEqual(isGood ? [] : ['transaction.reference']);
  });

  it('refuses meta that is no object', () => {
    expect(fieldsOf(validateInitiation('payout', { ...payout(), meta: [1] }))).toEqual(['meta']);
  });
});

describe('the other bodies', () => {
  it('asks a status query for exactly one identifying field', () => {
    expect(validateStatusQuery({ payment_uuid: '1' })).toEqual([]);
    expect(fieldsOf(validateStatusQuery({}))).toEqual(['body']);
    const message = 'must stand alone: send exactly one of transaction_reference, request_uuid, payment_uuid';
    expect(validateStatusQuery({ payment_uuid: '1', request_uuid: '2' })).toEqual([
      { field: 'request_uuid', message },
      { field: 'payment_uuid', message },
    ]);
    expect(fieldsOf(validateStatusQuery({ payment_uuid: 1 }))).toEqual(['payment_uuid']);
    expect(fieldsOf(validateStatusQuery({ payment_uuid: '' }))).toEqual(['payment_uuid']);
  });

  it('checks the types of a test webhook and asks for its address alone', () => {
    expect(validateSendTest({ callback_url: 'http://127.0.0.1:1/' })).toEqual([]);
    expect(fieldsOf(validateSendTest({ amount: '1', metadata: 1 }))).toEqual([
      'callback_url',
      'amount',
      'metadata',
    ]);
  });

  it('checks a token request', () => {
    expect(validateTokenRequest({ consumer_key: 'a', consumer_secret: 'b', product: 'payout' })).toEqual([]);
    expect(fieldsOf(validateTokenRequest({ consumer_key: '', product: 'x' }))).toEqual([
      'consumer_key',
      'consumer_secret',
      'product',
    ]);
  });
});

describe('what is said of a value', () => {
  const say = (change: (body: ReturnType<typeof remittance>) => void): string[] => {
    const body = remittance();
    change(body);
    return validateInitiation('remittance', body).map(({ field, message }) => `${field} ${message}`);
  };
  const setting = (place: 'transaction' | 'originator' | 'recipient', name: string, value: unknown) =>
    say((body) => void (body[place][name] = value));

  it('is what it must be', () => {
    expect(setting('recipient', 'account_type', 'CASH')).toEqual([
      'recipient.account_type must be one of MOMO, BANK',
    ]);
    expect(setting('recipient', 'account_type', 7)).toEqual([
      'recipient.account_type must be text (a JSON string): it must be one of MOMO, BANK',
    ]);
    expect(setting('transaction', 'currency', 7)).toEqual([
      'transaction.currency must be text (a JSON string): it must be an ISO 4217 code in capitals, such as KES',
    ]);
    expect(setting('transaction', 'currency', '')).toEqual([
      'transaction.currency must not be empty: it must be an ISO 4217 code in capitals, such as KES',
    ]);
    expect(setting('transaction', 'currency', 'kes')).toEqual([
      'transaction.currency must be an ISO 4217 code in capitals, such as KES',
    ]);
    expect(setting('transaction', 'timestamp', 'soon')).toEqual([
      'transaction.timestamp must be a UTC time as YYYY-MM-DD HH:mm:ss, such as 2030-01-31 12:00:00',
    ]);
    expect(setting('transaction', 'amount', 2 ** 53)).toEqual([
      'transaction.amount must be at most 9007199254740991: larger amounts cannot be kept exactly',
    ]);
    expect(setting('transaction', 'amount', 1.5)).toEqual([
      'transaction.amount must be a whole number in major currency units, such as 1000',
    ]);
    expect(setting('originator', 'id_type', 7)).toEqual([
      expect.stringMatching(/^originator\.id_type must be text \(a JSON string\): it must be one of .*[^l]$/),
    ]);
    const typed = say((body) =>
      Object.assign(body.originator, { originator_type: 'Individual', id_type: 7 }),
    );
    expect(typed).toEqual([
      expect.stringMatching(/: it must be one of .* when originator_type is Individual$/),
    ]);
    const other = say((body) =>
      Object.assign(body.originator, { originator_type: 'Individual', id_type: 'CR12' }),
    );
    expect(other).toEqual([
      expect.stringMatching(/^originator\.id_type must be one of .* when originator_type is Individual$/),
    ]);
    expect(validateStatusQuery({})).toEqual([
      {
        field: 'body',
        message: 'must name the payment by exactly one of transaction_reference, request_uuid, payment_uuid',
      },
    ]);
    expect(validateSendTest({ amount: '5' })).toContainEqual({
      field: 'amount',
      message: 'must be a number, without quotes',
    });
    expect(validateSendTest({ amount: 5 })).not.toContainEqual(expect.objectContaining({ field: 'amount' }));
  });
});
