import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { AppError } from '@shared/errors';
import { findWorker } from '../../platform/workers/find-worker';
import type { SqlDatabase } from '../../platform/ports';
import type { CheckedKey } from './helper-thread';
import { SignatureChecks } from './signature-checks';

const FEWEST_BITS = 2048;
const MOST_KEYS = 20;

/** A registered key. `fingerprint`: SHA-256 of the SPKI, lower-case hex. */
export interface RegisteredKey extends CheckedKey {
  readonly fingerprint: string;
  readonly bits: number;
}

/** Public keys that request signatures are checked against. */
export interface PublicKeys {
  list(): readonly RegisteredKey[];
  /** @throws {AppError} `keys.*`, and nothing is changed */
  register(pems: readonly string[], mode: 'replace' | 'add'): void;
  /** Tells whether one of the keys made this signature; those of one turn of the event loop are checked together. @param signature - raw bytes */
  verify(text: string, signature: Buffer): Promise<boolean>;
  close(): void;
}

/**
 * Keeps the registered keys, several at a time so that a client can change its pair without a gap.
 *
 * @source payments-service-interface, part 5.5
 */
export function createPublicKeys(db: SqlDatabase): PublicKeys {
  const rows = db.prepare('SELECT pem FROM public_keys ORDER BY position').all() as { pem: string }[];
  let keys = rows.map(({ pem }) => readPublicKey(pem));
  const checks = new SignatureChecks(() => keys, findWorker('signatures'));

  const store = db.transaction((next: readonly RegisteredKey[]) => {
    db.exec('DELETE FROM public_keys');
    const insert = db.prepare('INSERT INTO public_keys (fingerprint, position, pem) VALUES (?, ?, ?)');
    next.forEach(({ fingerprint, pem }, position) => insert.run(fingerprint, position, pem));
  });

  return {
    list: () => keys,
    register(pems, mode) {
      const added = pems.flatMap(splitPems).map(readPublicKey);
      const all = mode === 'replace' ? added : [...keys, ...added];
      const next = [...new Map(all.map((one) => [one.fingerprint, one])).values()];
      if (next.length > MOST_KEYS) {
        throw new AppError(
          'keys.too_many',
          `At most ${MOST_KEYS} public keys can be registered. Replace them instead.`,
        );
      }
      store(next);
      keys = next;
    },
    verify: (text, signature) => checks.verify(text, signature),
    close: () => checks.close(),
  };
}

/** One text may hold several PEM blocks; what holds none is given on, to be refused with a reason. */
function splitPems(text: string): string[] {
  return text.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? [text];
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
  const spki = key.export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(spki).digest('hex');
  return { fingerprint, bits, key, pem: key.export({ type: 'spki', format: 'pem' }).toString() };
}
