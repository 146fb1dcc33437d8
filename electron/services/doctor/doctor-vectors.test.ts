import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { fingerprintOf } from '../vault/key-forms/key-reading';
import { runDiagnosis, type PlainKey, type PlainQuestion } from '../../platform/doctor/run-diagnosis';

interface Vector {
  name: string;
  codes: string[];
  verdict: string;
  body: string;
  signature: string;
  vault?: { pem: string; name: string; environment: string | null }[];
  earlier?: PlainQuestion['earlier'];
  claimed?: string;
}

/** Made by test/fixtures/signing/make-doctor-vectors.py with Python and openssl. */
const fixture = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../test/fixtures/signing/doctor-vectors.json'), 'utf8'),
) as { publicKeyPem: string; vectors: Vector[] };

function toKey({
  pem,
  name,
  environment,
}: {
  pem: string;
  name: string | null;
  environment: string | null;
}): PlainKey {
  return { pem, name, environment, fingerprint: fingerprintOf(createPublicKey(pem)) };
}

function ask({ body, signature, vault = [], earlier = [], claimed }: Vector): PlainQuestion {
  const pem = fixture.publicKeyPem;
  const known = vault.find((key) => key.pem === pem) ?? { pem, name: null, environment: null };
  return {
    body,
    signature,
    key: toKey(known),
    otherKeys: vault.filter((key) => key.pem !== pem).map(toKey),
    claimedString: claimed ?? null,
    earlier,
  };
}

describe('the doctor, on signatures that Python and openssl made', () => {
  it.each(fixture.vectors)('$name: $verdict, $codes', async (vector) => {
    const result = await runDiagnosis(ask(vector));
    expect({ verdict: result.verdict, codes: result.causes.map(({ code }) => code).sort() }).toEqual({
      verdict: vector.verdict,
      codes: [...vector.codes].sort(),
    });
    expect(result.valid).toBe(vector.verdict === 'valid');
    expect(result.expectedString).toBe(readStringToSign(vector.body).text);
    expect(result.explanation).toMatch(/\.$/);
    expect(result.checks.length).toBeGreaterThan(1);
    for (const { message } of result.causes) expect(message).toMatch(/^.+\.$/s);
    if (result.verdict === 'explained' && result.digestHex !== null)
      expect(result.signedString).not.toBeNull();
  });
});
