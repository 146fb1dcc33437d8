import { setImmediate } from 'node:timers/promises';
import type { DoctorResult } from '@shared/contract/doctor';
import type { DoctorKey } from '@shared/doctor/key-search';
import { diagnoseSignature } from '@shared/doctor/diagnose';
import { createDoctorKey, nodeDoctorPorts } from '../../platform/doctor-ports';
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
  const doctorKeys = keys.map((registered, index) =>
    createDoctorKey(registered.key, {
      name: `registered key ${index + 1}`,
      environment: null,
      fingerprint: registered.fingerprint,
    }),
  );
  // Any registered key is a right one: the one that the signature was made with is what it is held against.
  const key = doctorKeys.find((one) => isMadeWith(one, bytes)) ?? doctorKeys[0];
  const otherKeys = doctorKeys.filter((one) => one !== key);
  const question = { body, signature, key: key!, otherKeys, claimedString: null, earlier: [] };
  const steps = diagnoseSignature(question, nodeDoctorPorts);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

/** Tells whether a key opens a signature to something that is padded as PKCS#1 v1.5 pads it. */
function isMadeWith(key: DoctorKey, signature: Uint8Array): boolean {
  const opened = key.recover(signature);
  return opened !== null && opened[0] === 0 && opened[1] === 1 && opened[2] === 0xff;
}
