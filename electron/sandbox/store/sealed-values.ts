import { randomBytes } from 'node:crypto';
import { AppError } from '@shared/errors';
import { openBytes, sealBytes } from '../../platform/crypto/sealed-frame';

const PREFIX = 'sealed:';
const NONCE_BYTES = 12;

/** Seals values of the store that are secret, where the one who started the sandbox has a vault. */
export interface SealedValues {
  /** @param name - what the value is; a sealed one opens under its own name alone */
  seal(name: string, plain: string): string;
  /** Opens a value, sealed or not. @throws {AppError} `sandbox.sealed` */
  open(name: string, stored: string): string;
  /** Tells whether a value should be sealed and is not: one of an earlier version. */
  isBare(stored: string): boolean;
}

/**
 * Makes the seal of a store.
 *
 * @param storeKey - 32 bytes, Base64; left out: there is no vault, and values are kept as they are
 */
export function createSealedValues(storeKey: string | undefined): SealedValues {
  const key = storeKey === undefined ? null : Buffer.from(storeKey, 'base64');
  return {
    seal(name, plain) {
      if (key === null) return plain;
      const sealed = sealBytes(key, randomBytes(NONCE_BYTES), Buffer.from(plain, 'utf8'), name);
      return `${PREFIX}${sealed.toString('base64')}`;
    },
    open(name, stored) {
      if (!stored.startsWith(PREFIX)) return stored;
      const sealed = Buffer.from(stored.slice(PREFIX.length), 'base64');
      const plain = key === null ? null : openBytes(key, sealed, name);
      if (plain !== null) return plain.toString('utf8');
      throw new AppError(
        'sandbox.sealed',
        'The secret that webhooks are signed with was sealed by the app whose data this is. Start the sandbox there, or give it a folder of its own.',
      );
    },
    isBare: (stored) => key !== null && !stored.startsWith(PREFIX),
  };
}
