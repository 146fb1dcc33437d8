import type { KeyObject } from 'node:crypto';

/**
 * Says what makes an RSA key one that proves nothing; null where its two public numbers can be those of a pair.
 *
 * OpenSSL takes any numbers: by exponent 1 whatever is padded well verifies, and everybody can make that.
 * @param key - public or private, RSA
 * @returns a whole sentence and what to do
 * @source RFC 8017 §3.1
 */
export function describeRsaFault(key: KeyObject): string | null {
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? 0n;
  if (exponent < 3n || exponent % 2n === 0n) {
    return `The public exponent of this RSA key is ${exponent}, which no pair has: what verifies by it proves nothing. Use a key whose exponent is 65537.`;
  }
  const modulus = Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url');
  if ((modulus.at(-1) ?? 0) % 2 === 0)
    return 'The modulus of this RSA key is even, which that of no pair is: it was changed. Take it from the original file again.';
  return null;
}
