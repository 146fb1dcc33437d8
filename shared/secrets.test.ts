import { describe, expect, it } from 'vitest';
import { isCredentialHeader, isSecretName, maskSecret, splitCredential } from './secrets';

describe('names of secrets', () => {
  it.each([
    'consumer_secret',
    'consumerSecret',
    'password',
    'PASSPHRASE',
    'X-Auth-Token',
    'X-API-Key',
    'api_key',
    'apiKey',
    'private_key',
    'access_token',
  ])('%s holds one', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(isCredentialHeader(name)).toBe(true);
  });

  it.each(['tokens', 'keyId', 'public_key', 'reference', 'Content-Type', 'x-custom-signature', ''])(
    '%s holds none',
    (name) => {
      expect(isSecretName(name)).toBe(false);
      expect(isCredentialHeader(name)).toBe(false);
    },
  );

  it('takes credential headers in any case', () => {
    for (const name of ['Authorization', 'PROXY-AUTHORIZATION', 'cookie', 'Set-Cookie']) {
      expect(isCredentialHeader(name)).toBe(true);
    }
  });

  it('answers in linear time', () => {
    const started = performance.now();
    isSecretName('a.'.repeat(500_000));
    isSecretName('secret'.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

it('splits scheme and credential', () => {
  expect(splitCredential('Bearer  abc')).toEqual({ scheme: 'Bearer  ', credential: 'abc' });
  expect(splitCredential('abc')).toEqual({ scheme: '', credential: 'abc' });
  expect(splitCredential('Bearer ')).toEqual({ scheme: '', credential: 'Bearer ' });
});

it('masks all of a short secret and the middle of a long one', () => {
  expect(maskSecret('short')).toBe('••••••••');
  expect(maskSecret('abcdefghijklmnop')).toBe('abcd…mnop');
});
