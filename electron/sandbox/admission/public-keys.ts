import { AppError } from '@shared/errors';
import { findWorker } from '../../platform/workers/find-worker';
import type { SqlDatabase } from '../../platform/ports';
import { readPublicKey, type RegisteredKey } from './read-public-key';
import { SignatureChecks } from './signature-checks';

const MOST_KEYS = 20;

/** Public keys that request signatures are checked against. */
export interface PublicKeys {
  list(): readonly RegisteredKey[];
  /** @throws {AppError} `keys.*`, and nothing is changed */
  register(pems: readonly string[], mode: 'replace' | 'add'): void;
  /** Takes what stands in the store now, where it was written past this. */
  reload(): void;
  /** Tells whether one of the keys made this signature; those of one turn of the event loop are checked together. @param signature - raw bytes */
  verify(text: string, signature: Buffer): Promise<boolean>;
  close(): void;
}

/** Reads the registered keys of a store, in order. */
export function readKeys(db: SqlDatabase): RegisteredKey[] {
  const rows = db.prepare('SELECT pem FROM public_keys ORDER BY position').all() as { pem: string }[];
  return rows.map(({ pem }) => readPublicKey(pem));
}

/**
 * Puts keys in the place of those of a store, each once, inside the caller's transaction.
 *
 * @returns those that stand there now
 * @throws {AppError} `keys.too_many`, and nothing is changed
 */
export function storeKeys(db: SqlDatabase, keys: readonly RegisteredKey[]): RegisteredKey[] {
  const next = [...new Map(keys.map((one) => [one.fingerprint, one])).values()];
  if (next.length > MOST_KEYS) {
    throw new AppError(
      'keys.too_many',
      `At most ${MOST_KEYS} public keys can be registered. Replace them instead.`,
    );
  }
  db.exec('DELETE FROM public_keys');
  const insert = db.prepare('INSERT INTO public_keys (fingerprint, position, pem) VALUES (?, ?, ?)');
  next.forEach(({ fingerprint, pem }, position) => insert.run(fingerprint, position, pem));
  return next;
}

/**
 * Keeps the registered keys, several at a time so that a client can change its pair without a gap.
 *
 * @source payments-service-interface, part 5.5
 */
export function createPublicKeys(db: SqlDatabase): PublicKeys {
  let keys = readKeys(db);
  const checks = new SignatureChecks(() => keys, findWorker('signatures'));
  const store = db.transaction((next: readonly RegisteredKey[]) => storeKeys(db, next));

  return {
    list: () => keys,
    register(pems, mode) {
      const added = pems.flatMap(splitPems).map(readPublicKey);
      keys = store(mode === 'replace' ? added : [...keys, ...added]);
    },
    reload: () => void (keys = readKeys(db)),
    verify: (text, signature) => checks.verify(text, signature),
    close: () => checks.close(),
  };
}

/** One text may hold several PEM blocks; what holds none is given on, to be refused with a reason. */
function splitPems(text: string): string[] {
  return text.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? [text];
}
