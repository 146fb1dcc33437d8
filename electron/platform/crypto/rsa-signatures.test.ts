import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signText, signTextAside, verifyText } from './rsa-signatures';

/** Made by test/fixtures/signing/make-rsa-vectors.py with openssl. */
const fixture = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../test/fixtures/signing/rsa-vectors.json'), 'utf8'),
) as {
  keys: Record<string, string>;
  vectors: { kind: string; key: string; text: string; signature: string; valid: boolean }[];
};

const kinds = [...new Set(fixture.vectors.map(({ kind }) => kind))];

describe('verifyText, on 500 signatures that openssl made', () => {
  it('has them all', () => expect(fixture.vectors.length).toBeGreaterThanOrEqual(500));

  it.each(kinds)('%s', (kind) => {
    const vectors = fixture.vectors.filter((vector) => vector.kind === kind);
    for (const { key, text, signature, valid } of vectors) {
      const publicKey = createPublicKey(fixture.keys[key]!);
      expect(verifyText(text, signature, publicKey)).toBe(valid);
    }
  });
});

describe('signTextAside', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  it.each(['', 'REF-110KEMPESA-B2C', 'مرتب 🦁', 'x'.repeat(100_000)])(
    'signs as signText does: %.20s',
    async (text) => {
      const signature = await signTextAside(text, privateKey);
      expect(signature).toBe(signText(text, privateKey));
      expect(verifyText(text, signature, publicKey)).toBe(true);
    },
  );

  it('leaves its thread to others where the key is large', async () => {
    const large = generateKeyPairSync('rsa', { modulusLength: 3072 });
    let isSigned = false;
    const signing = signTextAside('a', large.privateKey).then(() => (isSigned = true));
    // What this thread made itself would be there after a few turns of the microtask queue; another's comes with the event loop.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(isSigned).toBe(false);
    await signing;
    expect(verifyText('a', await signTextAside('a', large.privateKey), large.publicKey)).toBe(true);
  });

  it('refuses a key that cannot sign, as signText does', async () => {
    await expect(signTextAside('a', publicKey)).rejects.toThrow(/key/i);
  });
});
