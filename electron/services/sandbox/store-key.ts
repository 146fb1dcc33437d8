import type { Clock, Random } from '../../platform/ports';
import type { StoredRecord } from '../vault/vault-file';
import type { VaultStore } from '../vault/vault-store';

const KIND = 'store_key';
const NAME = 'sandbox';
const KEY_BYTES = 32;

const isOurs = ({ kind, name, isLocked }: StoredRecord): boolean =>
  kind === KIND && name === NAME && !isLocked;

/**
 * Reads the key that seals what the local sandbox's store keeps secret; makes it at the first start.
 *
 * @returns 32 bytes, Base64
 * @throws {AppError} `vault.locked`, `vault.damaged`, `vault.unreadable`
 */
export async function readStoreKey(
  vault: VaultStore,
  ports: { clock: Pick<Clock, 'now'>; random: Random },
): Promise<string> {
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
              name: NAME,
              environment: null,
              created_at: ports.clock.now(),
            },
            secret: Buffer.from(ports.random.bytes(KEY_BYTES)),
          },
        ],
    result: undefined,
  }));
  return readStoreKey(vault, ports);
}
