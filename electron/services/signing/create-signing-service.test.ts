import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSigningService } from './create-signing-service';
import type { KeySource } from './key-source';
import { because, isInstalled } from '../../../test/support/programs';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const BODY =
  '{"transaction":{"reference":"INV-2026-0042","amount":1500.00,"service_code":"MPESA-KE"},"originator":{"country":"KE"}}';
const TEXT = 'INV-2026-00421500.00KEMPESA-KE';

const directory = makeTemporaryFolder('signing');

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const entry = {
  id: 'k1',
  name: 'Sandbox',
  environment: 'local',
  fingerprint: 'ab'.repeat(32),
  publicKeyPem: publicKey,
};
const keys: KeySource = {
  getSigningKey: () => Promise.resolve({ ...entry, privateKey: createPrivateKey(privateKey) }),
  listPublicKeys: () => [entry],
};
const { handlers } = createSigningService(keys);

function file(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('signing.sign', () => {
  it('signs what openssl verifies, over exactly the literals of the body', async ({ skip }) => {
    skip(...because('openssl'));
    const result = await handlers['signing.sign']({ environment: 'local', body: BODY });
    expect(result).toMatchObject({ stringToSign: TEXT, sizeBytes: 30, keyId: 'k1', keyName: 'Sandbox' });
    const signature = file('signature.bin', Buffer.from(result.signature, 'base64'));
    const output = execFileSync(
      'openssl',
      [
        'dgst',
        '-sha256',
        '-verify',
        file('public.pem', publicKey),
        '-signature',
        signature,
        file('text', TEXT),
      ],
      { encoding: 'utf8' },
    );
    expect(output).toContain('Verified OK');
  });

  it('gives the warnings and the digest with it, and nothing of the private key', async () => {
    const result = await handlers['signing.sign']({ environment: 'local', body: BODY });
    expect(result.warnings.map(({ code }) => code)).toEqual(['amount_not_integer']);
    expect(result.digestHex).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(result)).not.toContain('PRIVATE');
  });

  it('refuses a body without a signed field before it asks for a key', async () => {
    const closed = createSigningService({ ...keys, getSigningKey: () => Promise.reject(new Error('asked')) });
    await expect(closed.handlers['signing.sign']({ environment: 'local', body: '{}' })).rejects.toMatchObject(
      {
        code: 'signing.field_missing',
      },
    );
  });
});

describe('signing.verify', () => {
  beforeEach(({ skip }) => skip(...because('openssl')));
  const sign = ['dgst', '-sha256', '-sign', file('private.pem', privateKey)];
  const standard = isInstalled('openssl')
    ? execFileSync('openssl', sign, { input: TEXT }).toString('base64')
    : '';

  it('accepts what openssl signs, by PEM and by the id of a vault key', async () => {
    const byPem = await handlers['signing.verify']({
      body: BODY,
      signature: standard,
      publicKeyPem: publicKey,
    });
    const byId = await handlers['signing.verify']({ body: BODY, signature: standard, keyId: 'k1' });
    expect([byPem.valid, byId.valid, byPem.stringToSign]).toEqual([true, true, TEXT]);
  });

  it.each([
    ['URL-safe', standard.replace(/\+/g, '-').replace(/\//g, '_'), /URL-safe/],
    ['wrapped', standard.replace(/(.{64})/g, '$1\n'), /several lines/],
    ['unpadded', standard.replace(/=+$/, ''), /padding .* missing/],
    ['in quotes', `"${standard}"`, /quotes/],
    ['with a space after it', `${standard} `, /White space/],
    ['cut', standard.slice(0, 200), /has 150 bytes; .* has 256/],
    ['empty', '', /empty/],
    ['no Base64 at all', 'not a signature!', /White space|no character/],
    ['of another text', randomBytes(256).toString('base64'), /another key, over another string/],
  ])('says why a signature does not verify: %s', async (_name, signature, reason) => {
    const result = await handlers['signing.verify']({ body: BODY, signature, publicKeyPem: publicKey });
    expect(result.valid).toBe(false);
    expect(result.reason).toMatch(reason);
  });

  it('asks for a key where none is given or known', async () => {
    const ask = (more: object): Promise<unknown> =>
      Promise.resolve(handlers['signing.verify']({ body: BODY, signature: standard, ...more }));
    await expect(ask({})).rejects.toMatchObject({ code: 'keys.needed' });
    await expect(ask({ keyId: 'x' })).rejects.toMatchObject({ code: 'keys.unknown' });
    await expect(ask({ publicKeyPem: 'x' })).rejects.toMatchObject({ code: 'keys.unreadable' });
  });
});
