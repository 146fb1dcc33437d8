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
