import type { DoctorResult } from '@shared/contract/doctor';
import type { KnownValue } from '@shared/doctor/hypotheses/known-deviations';
import { decodeSignature } from '@shared/doctor/decode/decode-signature';
import { findKeys, sizeOf } from '@shared/doctor/decode/key-search';
import { createDoctorKey, nodeDoctorPorts } from '../../platform/doctor/doctor-ports';
import { runDiagnosis, type PlainKey } from '../../platform/doctor/run-diagnosis';
import type { RegisteredKey } from '../admission/read-public-key';

/**
 * Finds the registered key that a refused signature is to be judged by: the one that it was made with, in whatever form
 * it came; the first where none of them made it.
 */
export function chooseKey(signature: string, keys: readonly RegisteredKey[]): RegisteredKey | undefined {
  const doctorKeys = keys.map(({ key, fingerprint }) =>
    createDoctorKey(key, { name: null, environment: null, fingerprint }),
  );
  for (const size of new Set(doctorKeys.map(sizeOf))) {
    const { bytes } = decodeSignature(signature, size);
    const finding = bytes === null ? undefined : findKeys(bytes, doctorKeys, nodeDoctorPorts.hash)[0];
    if (finding !== undefined) return keys[doctorKeys.indexOf(finding.key)];
  }
  return keys[0];
}

/**
 * Asks the doctor what a refused signature did sign; requests are answered in between.
 *
 * @param judge - the key that it is held against; any registered key is a right one
 * @param keys - all registered keys: the others are tried too
 * @param known - tokens and credentials, which may stand in what was signed
 * @throws {AppError} `signing.*` where the body has no string to sign
 */
export function diagnoseRefusal(
  body: string,
  signature: string,
  judge: RegisteredKey,
  keys: readonly RegisteredKey[],
  known: readonly KnownValue[] = [],
): Promise<DoctorResult> {
  const toPlain = ({ pem, fingerprint }: RegisteredKey): PlainKey => {
    const number = 1 + keys.findIndex((key) => key.fingerprint === fingerprint);
    return { pem, fingerprint, name: `registered key ${number}`, environment: null };
  };
  const otherKeys = keys.filter((key) => key !== judge).map(toPlain);
  const asked = { body, signature, key: toPlain(judge), otherKeys, claimedString: null, earlier: [], known };
  return runDiagnosis(asked);
}
