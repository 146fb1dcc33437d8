import { AppError } from '@shared/errors';
import type { ReadPrivateKey } from '../services/vault/key-reading';
import type { KeySource } from '../services/signing/key-source';

/** Stands in for the vault where the key comes from a file: `--key` signs for any environment. */
export function createFileKeys(key: ReadPrivateKey | null): KeySource {
  return {
    getSigningKey() {
      if (key === null)
        throw new AppError('keys.needed', 'Signing needs a private key: give it with --key PEM.');
      const { fingerprint, publicKeyPem, privateKey } = key;
      return Promise.resolve({ id: 'file', name: 'key file', fingerprint, publicKeyPem, privateKey });
    },
    listPublicKeys: () => [],
  };
}
