import { constants, hash, publicEncrypt, type KeyObject } from 'node:crypto';
import type { DoctorPorts } from '@shared/doctor/diagnose';
import type { DoctorKey } from '@shared/doctor/key-search';

/** What the doctor's engine needs from Node: hashes and a clock. */
export const nodeDoctorPorts: DoctorPorts = {
  hash: (name, bytes) => hash(name, bytes, 'buffer'),
  monotonicMs: () => performance.now(),
};

/**
 * Makes a public key usable by the doctor's engine.
 *
 * @param facts - what a person knows the key by; null where it is not known
 */
export function createDoctorKey(
  publicKey: KeyObject,
  facts: { name: string | null; environment: string | null; fingerprint: string },
): DoctorKey {
  return {
    ...facts,
    bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0,
    recover(signature) {
      try {
        return publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, signature);
      } catch {
        // The number is not below the modulus: no signature of this key.
        return null;
      }
    },
  };
}
