import { AppError } from '@shared/errors';
import type { StoredRecord } from './vault-file';
import type { VaultStore } from './vault-store';

/** What a service is given of an environment, and may send back: how it lies in its record. */
const readers: Readonly<Record<string, (plain: string) => string>> = {
  credentials: (plain) => (JSON.parse(plain) as { consumer_secret?: string }).consumer_secret ?? '',
  token: (plain) => plain.split('\n', 1)[0]!,
  variable: (plain) => plain,
  connection: (plain) => plain,
};

/**
 * Lists the consumer secrets, tokens, variables and secret parts of its connection (a proxy's password) that are kept for an
 * environment, so that they can be masked.
 *
 * What cannot be opened now cannot be sent either, and is left out.
 */
export async function listSecrets(store: VaultStore, environment: string): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, read] of Object.entries(readers)) {
    for (const record of await listOpen(store, kind, environment)) {
      const plain = await openQuietly(store, record);
      if (plain !== null) found.push(read(plain));
    }
  }
  return found;
}

async function listOpen(store: VaultStore, kind: string, environment: string): Promise<StoredRecord[]> {
  try {
    return (await store.list(kind)).filter((one) => one.environment === environment && !one.isLocked);
  } catch (error) {
    return passOver(error, []);
  }
}

async function openQuietly(store: VaultStore, record: StoredRecord): Promise<string | null> {
  try {
    const plain = await store.open(record);
    const text = plain.toString('utf8');
    plain.fill(0);
    return text;
  } catch (error) {
    return passOver(error, null);
  }
}

/** A vault that is locked or damaged says so where one of its secrets is wanted. */
function passOver<T>(error: unknown, instead: T): T {
  if (error instanceof AppError && error.code.startsWith('vault.')) return instead;
  throw error;
}
