import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainKey, PlainQuestion } from '../../electron/platform/doctor/run-diagnosis';
import { fingerprintOf } from '../../electron/services/vault/key-forms/key-reading';

/** A signature that was made with one thing done otherwise, or two, and what the doctor has to say of it. */
export interface DoctorVector {
  name: string;
  codes: string[];
  verdict: string;
  body: string;
  signature: string;
  vault?: { pem: string; name: string; environment: string | null }[];
  earlier?: PlainQuestion['earlier'];
  claimed?: string;
}

const fixture = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/signing/doctor-vectors.json'), 'utf8'),
) as { publicKeyPem: string; vectors: DoctorVector[] };

/** Made by test/fixtures/signing/make-doctor-vectors.py with Python and openssl. */
export const doctorVectors: readonly DoctorVector[] = fixture.vectors;

function toKey(key: Omit<PlainKey, 'fingerprint'>): PlainKey {
  return { ...key, fingerprint: fingerprintOf(createPublicKey(key.pem)) };
}

/** The question that a vector puts to the doctor. */
export function askOfVector({
  body,
  signature,
  vault = [],
  earlier = [],
  claimed,
}: DoctorVector): PlainQuestion {
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
