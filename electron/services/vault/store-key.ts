import { AppError } from '@shared/errors';
import type { Clock, Random } from '../../platform/ports';
import type { StoredRecord } from './vault-file';
import type { VaultStore } from './vault-store';

const KIND = 'store_key';
const KEY_BYTES = 32;

/** Who has a key: the local sandbox for what its store keeps secret, the listener for its private key. */
export type StoreKeyName = 'sandbox' | 'listener';

/**
 * Reads the key that seals what somebody keeps secret outside of the vault; makes it the first time.
 *
 * @returns 32 bytes, Base64
 * @throws {AppError} `vault.locked`, `vault.damaged`, `vault.unreadable`
 */
export async function readStoreKey(
  vault: VaultStore,
  ports: { clock: Pick<Clock, 'now'>; random: Random },
  owner: StoreKeyName,
): Promise<string> {
  const isOurs = ({ kind, name, isLocked }: StoredRecord): boolean =>
    kind === KIND && name === owner && !isLocked;
  const known = (await vault.list(KIND)).find(isOurs);
  if (known !== undefined) return (await vault.open(known)).toString('base64');
  await vault.edit((records) => ({
    // Another process may have been quicker: then its key counts.
    changes: records.some(isOurs)
      ? []
      : [
          {
            kind: 'add',
            fields: {
              id: ports.random.uuid(),
              kind: KIND,
              name: owner,
              environment: null,
              created_at: ports.clock.now(),
            },
            secret: Buffer.from(ports.random.bytes(KEY_BYTES)),
          },
        ],
    result: undefined,
  }));
  return readStoreKey(vault, ports, owner);
}

/** As {@link readStoreKey}; null where the vault cannot be opened or has no folder. */
export async function tryReadStoreKey(...of: Parameters<typeof readStoreKey>): Promise<string | null> {
  try {
    return await readStoreKey(...of);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
