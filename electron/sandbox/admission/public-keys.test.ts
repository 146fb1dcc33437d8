import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import { createPublicKeys } from './public-keys';
import { readPublicKey } from './read-public-key';
import { sandboxMigrations } from '../store/sandbox-migrations';

const first = generateKeyPairSync('rsa', { modulusLength: 2048 });
const second = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pemOf = (key: typeof first.publicKey): string => key.export({ type: 'spki', format: 'pem' }).toString();
const signWith = (pair: typeof first) => sign('sha256', Buffer.from('text'), pair.privateKey);

function open() {
  const db = openDatabase({ file: ':memory:', migrations: sandboxMigrations });
  return { db, keys: createPublicKeys(db) };
}

test('each of several registered keys is enough', async () => {
  const { keys } = open();
  keys.register([pemOf(first.publicKey)], 'replace');
  expect(await keys.verify('text', signWith(first))).toBe(true);
  expect(await keys.verify('text', signWith(second))).toBe(false);
  keys.register([pemOf(second.publicKey), pemOf(first.publicKey)], 'add');
  expect(keys.list()).toHaveLength(2);
  expect(await keys.verify('text', signWith(first))).toBe(true);
  expect(await keys.verify('text', signWith(second))).toBe(true);
  keys.register([pemOf(second.publicKey)], 'replace');
  expect(await keys.verify('text', signWith(first))).toBe(false);
});

test('several PEM blocks in one text are several keys', () => {
  const { keys } = open();
  keys.register([pemOf(first.publicKey) + pemOf(second.publicKey)], 'replace');
  expect(keys.list()).toHaveLength(2);
});

test('registered keys outlive the run', () => {
  const { db, keys } = open();
  keys.register([pemOf(first.publicKey)], 'add');
  expect(createPublicKeys(db).list()[0]!.fingerprint).toBe(readPublicKey(pemOf(first.publicKey)).fingerprint);
});

const { privateKey } = first;
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
/** The first pair's modulus with another exponent, in Base64url. */
const byExponent = (e: string): string =>
  pemOf(createPublicKey({ key: { ...first.publicKey.export({ format: 'jwk' }), e }, format: 'jwk' }));
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });

test.each([
  [
    'a private key',
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'keys.private_for_public',
  ],
  ['PKCS#1', first.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(), 'keys.not_a_key'],
  ['anything', 'hello', 'keys.not_a_key'],
  ['a damaged PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'keys.not_a_key'],
  ['exponent 1', byExponent('AQ'), 'keys.not_a_key'],
  ['1024 bits', small.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'keys.too_small'],
  ['EC', curve.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'keys.unsupported'],
])('%s is refused and nothing is changed', (_name, pem, code) => {
  const { keys } = open();
  keys.register([pemOf(first.publicKey)], 'replace');
  expect(() => keys.register([pemOf(second.publicKey), pem], 'replace')).toThrow(
    expect.objectContaining({ code }) as Error,
  );
  expect(keys.list()).toHaveLength(1);
});
