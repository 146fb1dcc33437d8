import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { AppError } from '@shared/errors';

const CHECKSUM_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Wraps what a secret box made: magic (4 bytes), checksum, the header's length, header, sealed bytes.
 *
 * The checksum says nothing secret; it tells damage (mend the file) from a wrong key (bring the right one).
 * @param magic - four ASCII characters that name the box and the form
 */
export function writeFrame(magic: string, header: Uint8Array, sealed: Uint8Array): Buffer {
  const rest = Buffer.concat([Buffer.from([header.length]), header, sealed]);
  return Buffer.concat([Buffer.from(magic, 'latin1'), checksum(magic, rest), rest]);
}

/** Takes a frame apart. @throws {AppError} `vault.damaged` */
export function readFrame(
  magic: string,
  frame: Uint8Array,
  headerBytes: number,
): { header: Buffer; sealed: Buffer } {
  const bytes = Buffer.from(frame);
  const rest = bytes.subarray(4 + CHECKSUM_BYTES);
  const isWhole =
    bytes.subarray(0, 4).toString('latin1') === magic &&
    bytes.subarray(4, 4 + CHECKSUM_BYTES).equals(checksum(magic, rest)) &&
    rest[0] === headerBytes;
  if (!isWhole) throw describeDamage('The sealed master key in vault.json is damaged.');
  return { header: rest.subarray(1, 1 + headerBytes), sealed: rest.subarray(1 + headerBytes) };
}

/** Seals bytes with AES-256-GCM. @returns nonce, ciphertext and tag, in this order */
export function sealBytes(
  key: Uint8Array,
  nonce: Uint8Array,
  plain: Uint8Array,
  associated: string | Uint8Array,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(associated as string, 'utf8'));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what {@link sealBytes} made. @returns null when key, bytes or associated data are not those it was made with */
export function openBytes(
  key: Uint8Array,
  sealed: Uint8Array,
  associated: string | Uint8Array,
): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associated as string, 'utf8'));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return null;
  }
}

/** Says that sealed bytes were changed, and what to do. */
export function describeDamage(what: string): AppError {
  return new AppError(
    'vault.damaged',
    `${what} Nothing was changed: put a copy of vault.json from a backup back in its place.`,
  );
}

/** Says that the key at hand is not the one that sealed. */
export function describeWrongKey(message: string): AppError {
  return new AppError('vault.wrong_key', message);
}

function checksum(magic: string, rest: Uint8Array): Buffer {
  return createHash('sha256').update(magic, 'latin1').update(rest).digest().subarray(0, CHECKSUM_BYTES);
}
