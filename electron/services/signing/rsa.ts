import { sign, type KeyObject } from 'node:crypto';
import { digestHex, readModulusBytes, verifyDigest } from '../../platform/rsa-pkcs1';

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
 * What is not canonical Base64, or is shorter or longer than the modulus, does not verify; nothing is mended.
 * @source payments-service-interface, part 5.5; RFC 8017 §8.2.2
 */
export function verifyText(text: string, signatureBase64: string, publicKey: KeyObject): boolean {
  if (signatureBase64.length !== Math.ceil(readModulusBytes(publicKey) / 3) * 4) return false;
  const signature = Buffer.from(signatureBase64, 'base64');
  // Node reads much that is not Base64; writing it again tells.
  if (signature.toString('base64') !== signatureBase64) return false;
  return verifyDigest(digestHex(text), signature, publicKey);
}
