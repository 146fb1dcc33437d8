import type { DoctorResult } from '@shared/contract/doctor';
import { recoverBlock } from '../../platform/rsa-signatures';
import { runDiagnosis, type PlainKey } from '../../platform/run-diagnosis';
import type { RegisteredKey } from '../admission/public-keys';

/**
 * Asks the doctor what a refused signature did sign; requests are answered in between.
 *
 * @param keys - registered keys, at least one; the others are tried too
 * @throws {AppError} `signing.*` where the body has no string to sign
 */
export async function diagnoseRefusal(
  body: string,
  signature: string,
  keys: readonly RegisteredKey[],
): Promise<DoctorResult> {
  const bytes = Buffer.from(signature, 'base64');
  // Any registered key is a right one: the one that the signature was made with is what it is held against.
  const right = Math.max(
    0,
    keys.findIndex((key) => isMadeWith(key, bytes)),
  );
  const plain = keys.map(({ pem, fingerprint }, index): PlainKey => {
    return { pem, fingerprint, name: `registered key ${index + 1}`, environment: null };
  });
  const otherKeys = plain.filter((_, index) => index !== right);
  return runDiagnosis({ body, signature, key: plain[right]!, otherKeys, claimedString: null, earlier: [] });
}

/** Tells whether a key opens a signature to something that is padded as PKCS#1 v1.5 pads it. */
function isMadeWith({ key }: RegisteredKey, signature: Uint8Array): boolean {
  const opened = recoverBlock(signature, key);
  return opened !== null && opened[0] === 0 && opened[1] === 1 && opened[2] === 0xff;
}
