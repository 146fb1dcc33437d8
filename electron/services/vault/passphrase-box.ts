import { createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import type { AppError } from '@shared/errors';
import type { Random, SecretBox } from '../../platform/ports';
import {
  describeDamage,
  openBytes,
  readFrame,
  sealBytes,
  writeFrame,
} from '../../platform/crypto/sealed-frame';
import { errorsOf } from '../errors-of';

const VaultError = errorsOf<'vault'>();

const MAGIC = 'CSP1';
/** scrypt's cost: 64 MiB, about a third of a second. Kept with each sealed value, so that it can rise later. */
const COST = { logN: 16, r: 8, p: 2 };
const LIMITS = { logN: 20, r: 16, p: 8 };
const SALT_BYTES = 16;
const PROOF_BYTES = 16;
const HEADER_BYTES = 3 + SALT_BYTES + PROOF_BYTES;

/**
 * Makes a box that seals with a passphrase: scrypt, then AES-256-GCM, a fresh salt and nonce each time.
 *
 * The header holds a proof derived beside the key, so that a wrong passphrase is told from damage.
 * @source RFC 7914; NIST SP 800-38D
 */
export function createPassphraseBox(passphrase: string, random: Random): SecretBox {
  // The same passphrase typed on another keyboard may come in another Unicode form.
  const secret = passphrase.normalize('NFKC');
  return {
    kind: 'passphrase',
    warning: null,
    async seal(plain) {
      const salt = random.bytes(SALT_BYTES);
      const { key, proof } = await derive(secret, salt, COST);
      const header = Buffer.concat([Buffer.from([COST.logN, COST.r, COST.p]), salt, proof]);
      const sealed = sealBytes(key, random.bytes(12), plain, header);
      key.fill(0);
      return writeFrame(MAGIC, header, sealed);
    },
    async open(frame) {
      const { header, sealed } = readFrame(MAGIC, frame, HEADER_BYTES);
      const cost = { logN: header[0]!, r: header[1]!, p: header[2]! };
      if (
        cost.logN > LIMITS.logN ||
        cost.r > LIMITS.r ||
        cost.p > LIMITS.p ||
        cost.logN < 1 ||
        cost.r < 1 ||
        cost.p < 1
      ) {
        throw describeDamage('The sealed master key asks for more work than this version allows.');
      }
      const { key, proof } = await derive(secret, header.subarray(3, 3 + SALT_BYTES), cost);
      if (!timingSafeEqual(proof, header.subarray(3 + SALT_BYTES))) throw wrongPassphrase();
      const plain = openBytes(key, sealed, header);
      key.fill(0);
      if (plain === null) throw describeDamage('The sealed master key in vault.json is damaged.');
      return plain;
    },
  };
}

export function wrongPassphrase(): AppError {
  return new VaultError(
    'vault.wrong_passphrase',
    'The passphrase does not open the vault. Check it (case and spaces count) and try again.',
  );
}

function derive(
  passphrase: string,
  salt: Uint8Array,
  { logN, r, p }: { logN: number; r: number; p: number },
): Promise<{ key: Buffer; proof: Buffer }> {
  const N = 2 ** logN;
  const options = { N, r, p, maxmem: 128 * N * r + 128 * r * p + 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, options, (error, key) => {
      if (error !== null) return reject(error);
      const proof = createHmac('sha256', key).update('countersign vault passphrase proof').digest();
      resolve({ key, proof: proof.subarray(0, PROOF_BYTES) });
    });
  });
}
