import type { KeyObject } from 'node:crypto';
import { errorsOf } from '../errors-of';
import { readPublicKey } from '../vault/key-forms/key-reading';
import type { KeySource } from './key-source';

const SigningError = errorsOf<'signing.verify'>();

/** A public key to verify with, and what to call it. */
export interface ResolvedPublicKey {
  readonly key: KeyObject;
  readonly pem: string;
  readonly fingerprint: string;
  /** Id in the vault; null for a pasted key. */
  readonly id: string | null;
  readonly name: string | null;
  readonly environment: string | null;
}

const KEPT_KEYS = 32;

/**
 * Resolves public keys, pasted or named, and keeps what was read: parsing a PEM costs as much as verifying.
 *
 * @throws {AppError} (from the returned function) `keys.unknown`, `keys.needed`, and those of reading a key
 */
export function createPublicKeyResolver(
  keys: Pick<KeySource, 'listPublicKeys'>,
): (input: { publicKeyPem?: string | undefined; keyId?: string | undefined }) => Promise<ResolvedPublicKey> {
  const kept = new Map<string, { key: KeyObject; fingerprint: string }>();

  function read(pem: string): { key: KeyObject; fingerprint: string } {
    const known = kept.get(pem);
    if (known !== undefined) return known;
    const { publicKey, fingerprint } = readPublicKey(pem);
    if (kept.size >= KEPT_KEYS) kept.clear();
    const found = { key: publicKey, fingerprint };
    kept.set(pem, found);
    return found;
  }

  return async ({ publicKeyPem, keyId }) => {
    if (publicKeyPem !== undefined && publicKeyPem.trim() !== '') {
      return { ...read(publicKeyPem), pem: publicKeyPem, id: null, name: null, environment: null };
    }
    if (keyId === undefined) {
      throw new SigningError(
        'keys.needed',
        'No public key was given. Paste one as PEM, or choose a key of the vault.',
      );
    }
    const entry = (await keys.listPublicKeys()).find(({ id }) => id === keyId);
    if (entry === undefined) {
      throw new SigningError('keys.unknown', 'The vault has no key with this id. Choose one that it has.', {
        details: { keyId },
      });
    }
    const { id, name, environment, publicKeyPem: pem } = entry;
    return { ...read(pem), pem, id, name, environment };
  };
}
