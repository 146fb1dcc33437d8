import { describe, expect, it } from 'vitest';
import { createSecretMask } from '../../platform/mask-known-secrets';
import { writeDown } from './write-down';

const given = {
  url: 'https://api.example.test/payments/v1/payouts',
  headers: [
    ['Authorization', 'Bearer {{token.payout}}'],
    ['X-Custom-Signature', '{{signature}}'],
  ] as [string, string][],
  body: '{"amount": 1e3}',
};

describe('what a request was made of', () => {
  it('keeps placeholders as they were, and no body twice', () => {
    expect(writeDown(given, given.body, createSecretMask(['a-token-that-was-put-in']))).toEqual({
      url: given.url,
      headers: given.headers,
      lost: null,
    });
  });

  it('keeps the reference to a value of the vault, never the value', () => {
    const body = '{"pin":"{{vault.pin}}"}';
    const written = writeDown({ ...given, body }, '{"pin":"1234…7890"}', createSecretMask(['123456-7890']));
    expect(written).toEqual({ url: given.url, headers: given.headers, body, lost: null });
  });

  it.each([
    ['a header', { ...given, headers: [['Authorization', 'Bearer abcdefghijklmnop']] as [string, string][] }],
    ['the address', { ...given, url: `${given.url}?t=abcdefghijklmnop` }],
    ['the body', { ...given, body: 'abcdefghijklmnop' }],
  ])('masks a credential typed into %s, and says that it cannot be sent again', (_place, input) => {
    const written = writeDown(input, null, createSecretMask(['abcdefghijklmnop']));
    expect(JSON.stringify(written)).not.toContain('abcdefghijklmnop');
    expect(written.lost).toContain('credential');
  });

  it('says that bytes of a file are gone', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    const input = { ...given, body: null, bodyBase64: bytes.toString('base64') };
    expect(writeDown(input, bytes.toString('utf8'), createSecretMask([])).lost).toContain('bytes of a file');
    const text = { ...given, body: null, bodyBase64: Buffer.from('plain').toString('base64') };
    expect(writeDown(text, 'plain', createSecretMask([])).lost).toBeNull();
  });
});
