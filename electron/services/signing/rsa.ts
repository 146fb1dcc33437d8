import { createHash, sign, verify, type KeyObject } from 'node:crypto';

/** Beyond any RSA key that is read (16,384 bits), in Base64 characters. */
const MAX_SIGNATURE_LENGTH = 4096;

/**
 * Signs a text: RSA PKCS#1 v1.5 with SHA-256 over its UTF-8 bytes.
 *
 * @returns standard Base64 with padding, on one line
 * @source payments-service-interface, part 5.5; RFC 8017 §8.2.1
 */
export function signText(text: string, privateKey: KeyObject): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64');
}

/**
 * Verifies a signature as the service does: standard Base64 alone, RSA PKCS#1 v1.5 with SHA-256.
 *
 * What is not canonical Base64, is shorter or longer than the modulus, or is padded otherwise does not verify;
 * nothing is mended.
 * @source payments-service-interface, part 5.5; RFC 8017 §8.2.2
 */
export function verifyText(text: string, signatureBase64: string, publicKey: KeyObject): boolean {
  if (signatureBase64.length > MAX_SIGNATURE_LENGTH) return false;
  const signature = Buffer.from(signatureBase64, 'base64');
  // Node reads much that is not Base64; writing it again tells.
  if (signature.toString('base64') !== signatureBase64) return false;
  return verify('sha256', Buffer.from(text), publicKey, signature);
}

/** Gives the SHA-256 of a text's UTF-8 bytes, 64 hex digits. */
export function digestHex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
