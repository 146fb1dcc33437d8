import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { AppError } from '@shared/errors';
import { describeRsaFault } from '../../platform/crypto/rsa-faults';
import type { CheckedKey } from './helper-thread';

const FEWEST_BITS = 2048;

/** A registered key. `fingerprint`: SHA-256 of the SPKI, lower-case hex. */
export interface RegisteredKey extends CheckedKey {
  readonly fingerprint: string;
  readonly bits: number;
}

/** Reads an SPKI PEM. @throws {AppError} `keys.private_for_public`, `keys.not_a_key`, `keys.unsupported`, `keys.too_small` */
export function readPublicKey(pem: string): RegisteredKey {
  if (/PRIVATE KEY-----/.test(pem)) {
    throw new AppError(
      'keys.private_for_public',
      'This is a private key. Keep it to yourself and register its public half (BEGIN PUBLIC KEY).',
    );
  }
  if (!/-----BEGIN PUBLIC KEY-----/.test(pem)) {
    throw new AppError(
      'keys.not_a_key',
      'This is not a public key in X.509 SPKI form. Send a PEM that begins with -----BEGIN PUBLIC KEY-----.',
    );
  }
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw new AppError(
      'keys.not_a_key',
      'The public key cannot be read: its PEM is damaged. Copy it again.',
      {
        cause,
      },
    );
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa') {
    throw new AppError('keys.unsupported', 'Only RSA keys are taken. Make an RSA pair of 2048 bits.');
  }
  if (bits < FEWEST_BITS) {
    throw new AppError('keys.too_small', `The key has ${bits} bits. Make an RSA pair of at least 2048 bits.`);
  }
  const fault = describeRsaFault(key);
  if (fault !== null) throw new AppError('keys.not_a_key', fault);
  const spki = key.export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(spki).digest('hex');
  return { fingerprint, bits, key, pem: key.export({ type: 'spki', format: 'pem' }).toString() };
}
