import { getHashes, hash, type KeyObject } from 'node:crypto';
import type { DoctorKey } from '@shared/doctor/decode/key-search';
import type { DoctorPorts } from '@shared/doctor/question';
import { recoverBlock } from '../crypto/rsa-signatures';

/** Hashes that this runtime has: not every build of it knows the rare ones. */
const available = new Set(getHashes());

/** What the doctor's engine needs from Node: hashes and a clock. */
export const nodeDoctorPorts: DoctorPorts = {
  hash: (name, data) => (available.has(name) ? hash(name, data, 'hex') : ''),
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
    recover: (signature) => recoverBlock(signature, publicKey),
  };
}
