import { generateKeyPairSync } from 'node:crypto';
import { countProcessorMs } from '../../test/support/processor-time';
import { describe, expect, it } from 'vitest';
import { redactText, redactValue } from './redact';

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const jwt = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"someone"}').toString('base64url')}.c2lnbmF0dXJl`;

describe('redactText', () => {
  it.each([
    ['a PEM private key', pem],
    ['a PEM private key with literal line breaks', pem.replaceAll('\n', '\\n')],
    ['a PEM private key that was cut short', pem.slice(0, 900)],
    ['a key without its armour', pem.replace(/-----[^-]+-----/g, '')],
    ['a JSON string with a key', JSON.stringify({ note: pem })],
  ])('cuts %s', (_name, text) => {
    const shown = redactText(`before ${text} after`);
    expect(shown).toContain('cut]');
    expect(shown).not.toContain(pem.split('\n')[3]);
    expect(shown).toContain('before');
  });

  it('cuts tokens, alone and in headers', () => {
    expect(redactText(`got ${jwt}!`)).toBe('got [token cut]!');
    expect(redactText('Authorization: Bearer abcdef123456')).toBe('Authorization: Bearer [cut]');
    expect(redactText('authorization: bearer opaque_token-1')).not.toContain('opaque');
    expect(redactText(String.raw`{"a":"Basic a2V5OnR\/LnNl\u002FY3JldA"}`)).toBe('{"a":"Basic [cut]"}');
  });

  it('cuts secrets that stand beside their name', () => {
    for (const text of [
      '{"consumer_secret": "s3cr3t-value"}',
      'COUNTERSIGN_CONSUMER_SECRET=s3cr3t-value node',
      "passphrase: 's3cr3t-value'",
      'access_token=s3cr3t-value&x=1',
    ]) {
      expect(redactText(text), text).not.toContain('s3cr3t-value');
    }
  });

  it('leaves what is not secret', () => {
    const text = 'POST /payments/v1/remittance 201 in 12 ms, reference 7f3c, token endpoint /auth/v1/token';
    expect(redactText(text)).toBe(text);
  });
});

describe('redactValue', () => {
  it('cuts values whose name says that they are secret, at any depth', () => {
    const shown = JSON.stringify(
      redactValue({
        a: [{ consumerSecret: 'x1', token: 'x2', private_key: 'x3', Authorization: 'x4' }],
        adminToken: 'x5',
      }),
    );
    expect(shown).not.toMatch(/x[1-5]/);
  });

  it('keeps names that only look alike', () => {
    expect(redactValue({ tokens: 3, hasSecret: true, product: 'payout', keyId: 'k' })).toEqual({
      tokens: 3,
      hasSecret: true,
      product: 'payout',
      keyId: 'k',
    });
  });

  it('survives cycles, errors, bytes and odd values', () => {
    const cycle: Record<string, unknown> = { big: 1n, bytes: Buffer.from('secret'), none: undefined };
    cycle['self'] = cycle;
    cycle['error'] = new Error(`failed with Bearer abcdefgh`, { cause: new Error(jwt) });
    const shown = JSON.stringify(redactValue(cycle));
    expect(shown).not.toContain('abcdefgh');
    expect(shown).not.toContain(jwt);
    expect(shown).toContain('[6 bytes]');
  });

  it('takes linear time for what begins as a token again and again', () => {
    const processorMs = countProcessorMs();
    redactText('-eyJaaaaa'.repeat(30_000));
    expect(processorMs()).toBeLessThan(2_000);
  });
});
