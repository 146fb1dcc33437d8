import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readReceived } from './read-received';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.c2VudGluZWwtc2VjcmV0.signature-part';

it.each([
  ['gzip', gzipSync, 'gzip'],
  ['gzip, not named', gzipSync, null],
  ['zlib, not named', deflateSync, null],
  ['Brotli', brotliCompressSync, 'br'],
])(
  'keeps the size alone of an answer that is compressed, which may hold a secret: %s',
  (_name, pack, encoding) => {
    const body = pack(`{"code":"100","echo":"${TOKEN}"}`);
    const { response, maskedBytes } = readReceived({
      operation: 'other',
      answer: {
        httpStatus: 200,
        headers: encoding === null ? [] : [['Content-Encoding', encoding]],
        body,
        isCut: false,
      },
      reference: null,
      requestBody: null,
      secrets: [TOKEN],
      tokenName: 'access_token',
    });
    const kept = `compressed, ${body.length} bytes`;
    expect(response).toMatchObject({ body: kept, bodyBase64: null, sizeBytes: body.length });
    expect(Buffer.from(maskedBytes!).toString()).toBe(kept);
  },
);

it('takes a text for no compressed one that begins as such', () => {
  const body = Buffer.from('x^2 + y^2 = z^2');
  const { response, maskedBytes } = readReceived({
    operation: 'other',
    answer: { httpStatus: 200, headers: [], body, isCut: false },
    reference: null,
    requestBody: null,
    secrets: [TOKEN],
    tokenName: 'access_token',
  });
  expect([response?.body, maskedBytes]).toEqual(['x^2 + y^2 = z^2', null]);
});

it.each([
  ['a text', 'Schlüssel "4b7e91d2c"x', '"Schlüssel \\"4b7e91d2c\\"x"'],
  ['a number', '1234567890', '1234567890'],
])(
  'reads an answer as it came, and masks what it read, where a secret in it is %s',
  (_what, secret, written) => {
    const text = `{"status":"200.100","code":"ACCEPTED","description":"for ${secret.replaceAll('"', '\\"')}","data":{"payment_uuid":"77","echo":${written}}}`;
    const { reading, response } = readReceived({
      operation: 'payout',
      answer: { httpStatus: 201, headers: [], body: Buffer.from(text), isCut: false },
      reference: 'R-1',
      requestBody: null,
      secrets: [secret],
      tokenName: 'access_token',
    });
    expect(reading).toMatchObject({ outcome: 'accepted', paymentUuid: '77' });
    expect(JSON.stringify([reading, response])).not.toMatch(/4b7e91d2|4567890/);
  },
);

it('masks a cookie that the answer sets in its body, too', () => {
  const { response } = readReceived({
    operation: 'other',
    answer: {
      httpStatus: 200,
      headers: [['Set-Cookie', 'sid=c00kie-4b7e91; Path=/']],
      body: Buffer.from('{"session":"c00kie-4b7e91","path":"/"}'),
      isCut: false,
    },
    reference: null,
    requestBody: null,
    secrets: [],
    tokenName: 'access_token',
  });
  expect(response?.body).toBe('{"session":"••••••••","path":"/"}');
});

it.each([
  [
    'balances',
    '"results":[{"currency":"KES","actual_balance":12.5,"note":1234567890,"status":"1234567890"}]',
  ],
  ['status', '"data":{"transaction_reference":"R-7","account":1234567890}'],
] as const)(
  'reads wallets, request ID and reference as they came, too, where a secret is a number in them: %s',
  (operation, members) => {
    const { reference, response, walletList } = readReceived({
      operation,
      answer: {
        httpStatus: 200,
        headers: [],
        body: Buffer.from(`{"request_id":"rq-1234567890",${members}}`),
        isCut: false,
      },
      reference: null,
      requestBody: null,
      secrets: ['1234567890'],
      tokenName: 'access_token',
    });
    expect(response?.requestId).toBe('rq-••••••••');
    expect(response?.body).not.toContain('4567890');
    if (operation === 'status') expect(reference).toBe('R-7');
    else
      expect(walletList.wallets).toEqual([
        {
          currency: 'KES',
          actualBalance: '12.5',
          availableBalance: '',
          alertLimit: null,
          status: '••••••••',
        },
      ]);
  },
);
