import type { GivenKey } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { KeySource } from './key-source';

const SigningError = errorsOf<'signing.sign'>();

/**
 * Signs with the key that a run was given, in the vault's place and for any environment.
 *
 * @param given - null: signing is refused; a run without a data directory has no other key
 * @param vault - whose public keys are known all the same
 */
export function createGivenKeys(given: GivenKey | null, vault: Pick<KeySource, 'listPublicKeys'>): KeySource {
  return {
    async getSigningKey() {
      if (given !== null) return { id: 'file', name: 'key file', ...given };
      throw new SigningError('keys.needed', 'Signing needs a private key: give it with --key PEM.');
    },
    listPublicKeys: () => vault.listPublicKeys(),
  };
}
