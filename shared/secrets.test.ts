import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../test/support/processor-time';
import { initiationFields, statusQueryFields, type FieldRule } from './payments/tables/fields';
import { isCredentialHeader, isSecretName, maskName, maskSecret, splitCredential } from './secrets';

it('takes no field of a payment for a secret', () => {
  const namesOf = (fields: readonly FieldRule[]): string[] =>
    fields.flatMap((field) => [field.name, ...namesOf(field.fields ?? [])]);
  const names = [...Object.values(initiationFields), statusQueryFields].flatMap(namesOf);
  expect(names).toContain('service_code');
  expect(names.filter(isSecretName)).toEqual([]);
});

describe('names of secrets', () => {
  it.each([
    'consumer_secret',
    'consumerSecret',
    'password',
    'PASSPHRASE',
    'X-Auth-Token',
    'X-Session-Id',
    'pass-phrase',
    'X-API-Key',
    'api_key',
    'apiKey',
    'private_key',
    'access_token',
    'secret_key',
    'secretKey',
    'client_secret_1',
    'PASSWORD2',
    'hmac_key',
    'hmacKey',
    'Ocp-Apim-Subscription-Key',
    'passwordHash',
    'otp',
    'user_otp',
    'encryption_key',
    'private_key_pem',
    'db_pass',
    'passcode',
    'pin',
    'user_pin',
    'userPin',
    'bearer',
    'jwt',
    'user_jwt',
    ' api_key',
    'api_key ',
    'X-Auth',
    'Authentication',
    'x-secret-id',
    'X-Original-Authorization',
    'x-amzn-remapped-authorization',
    'X-Forwarded-Cookie',
    'X-Copied-Set-Cookie',
    'accessKeyId',
    'AWSAccessKeyId',
    'sig',
    'X-Amz-Signature',
    'credentials',
    'apiKeys',
    'AccountKey',
    'session_key',
    'session',
    'X-Session',
    'PHPSESSID',
    'ci_sess_id',
  ])('%s holds one', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(isCredentialHeader(name)).toBe(true);
  });

  it.each([
    'tokens',
    'x-authorization-url',
    'pre-authorization',
    'X-Cookie-Policy',
    'keyId',
    'key_id',
    'public_key',
    'pinned',
    'shipping',
    'shopping_pin_code_area',
    'spin',
    'design',
    'signature',
    'sigma',
    'compass',
    'bypass',
    'token_type',
    'idempotency_key',
    'meta_key',
    'key',
    'author',
    'checkout_session',
    'sessions',
    'sid',
    'account_sid',
    'oauth',
    'reference',
    'account_number',
    'service_code',
    'transaction_reference',
    'payment_uuid',
    'Content-Type',
    'x-custom-signature',
    '',
  ])('%s holds none', (name) => {
    expect(isSecretName(name)).toBe(false);
    expect(isCredentialHeader(name)).toBe(false);
  });

  it('takes credential headers in any case', () => {
    for (const name of ['Authorization', 'PROXY-AUTHORIZATION', 'cookie', 'Set-Cookie']) {
      expect(isCredentialHeader(name)).toBe(true);
    }
  });

  it('answers in linear time', () => {
    const processorMs = countProcessorMs();
    isSecretName('a.'.repeat(500_000));
    isSecretName('secret'.repeat(200_000));
    expect(processorMs()).toBeLessThan(1000);
  });
});

it('splits scheme and credential', () => {
  expect(splitCredential('Bearer  abc')).toEqual({ scheme: 'Bearer  ', credential: 'abc' });
  expect(splitCredential('abc')).toEqual({ scheme: '', credential: 'abc' });
  expect(splitCredential('AWS4-HMAC-SHA256 abc').scheme).toBe('AWS4-HMAC-SHA256 ');
  // The beginning of a secret with a blank is none.
  expect(splitCredential('correct-horse-key battery').scheme).toBe('');
  expect(splitCredential('Bearer ')).toEqual({ scheme: '', credential: 'Bearer ' });
});

it('masks all of a short secret and the middle of a long one', () => {
  expect(maskSecret('short')).toBe('••••••••');
  expect(maskSecret('abcdefghijk')).toBe('••••••••');
  expect(maskSecret('abcdefghijklmnopqrs')).toBe('••••••••');
  expect(maskSecret('abcdefghijklmnopqrst')).toBe('abcd…qrst');
});

it.each([
  '\\"abcdefghijklmnopqrst',
  'abcdefghijklmnopqr\\"s',
  "abcdefghijklmnopqrs't",
  'abc\nefghijklmnopqrstuv',
])('shows no end that would end the text around it, or cut an escape in two: %j', (value) =>
  expect(maskSecret(value)).toBe('••••••••'),
);

it('shows no half of a character', () => {
  expect(maskSecret('abc😀efghijklmnopqrst')).toBe('••••••••');
  expect(maskSecret('abcdefghijklmnopq😀rst')).toBe('••••••••');
  expect(maskSecret('ab😀efghijklmnopqrst😀')).toBe('ab😀…st😀');
});

it.each([
  ['amina:correct-horse-battery', true],
  [':no-user-and-a-long-password', true],
  ['größe:passwörter-aller-art', true],
  ['no colon in all of this text', false],
])('shows no end of Base64 that is user and password: %s', (pair, isHidden) => {
  const value = btoa(String.fromCharCode(...new TextEncoder().encode(pair)));
  expect(maskSecret(value)).toBe(isHidden ? '••••••••' : `${value.slice(0, 4)}…${value.slice(-4)}`);
});

it('masks hundreds of thousands of values, Base64 or not, in a fraction of a second', () => {
  const processorMs = countProcessorMs();
  for (const value of ['b', 'x-token', 'abcdefghijklmnopqrstu', 'abcdefghijklmnopqrstuvw='])
    for (let count = 0; count < 100_000; count += 1) maskSecret(value);
  expect(processorMs()).toBeLessThan(500);
});

it('takes the same for user and password as Base64 that was read in full, and no less', () => {
  const digits = fc.stringMatching(/^[A-Za-z\d+/_-]{0,60}={0,2}$/);
  const pairs = fc
    .stringMatching(/^[ -9;-~]{1,20}:[ -~]{0,40}$/)
    .map((pair) => btoa(pair).replace(/=+$/, ''));
  fc.assert(
    fc.property(fc.oneof(digits, pairs), (value) => {
      const shown = maskSecret(value);
      if (value.length < 20 || isRead(value)) expect(shown).toBe('••••••••');
      else if (!value.includes('=')) expect(shown).toBe(`${value.slice(0, 4)}…${value.slice(-4)}`);
    }),
    { numRuns: 2000 },
  );
});

function isRead(value: string): boolean {
  try {
    const bytes = atob(value.replace(/-/g, '+').replace(/_/g, '/'));
    return /^[\x20-\x39\x3b-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(bytes);
  } catch {
    return false;
  }
}

it('shows the ends of a name that is as long as a password, too', () => {
  expect(maskName('abcdefghijk')).toBe('••••••••');
  expect(maskName('abcdefghijkl')).toBe('abcd…ijkl');
});
