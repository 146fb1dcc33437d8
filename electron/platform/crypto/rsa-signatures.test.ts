import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyText } from './rsa-signatures';

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
