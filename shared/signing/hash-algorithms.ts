/** Hash algorithms that signatures are met with, by the name that `crypto.hash` takes; the right one first. */
export const HASHES = ['sha256', 'sha1', 'sha512', 'sha384', 'sha224', 'md5'] as const;
export type HashName = (typeof HASHES)[number];

/** What is known of a hash algorithm. */
export interface HashAlgorithm {
  readonly label: string;
  readonly sizeBytes: number;
  /** Object identifier as DER in hex, tag and length included. */
  readonly oidHex: string;
}

/** The algorithms that a signature can name. @source RFC 8017, appendix B.1 */
export const HASH_ALGORITHMS: Readonly<Record<HashName, HashAlgorithm>> = {
  sha256: { label: 'SHA-256', sizeBytes: 32, oidHex: '0609608648016503040201' },
  sha1: { label: 'SHA-1', sizeBytes: 20, oidHex: '06052b0e03021a' },
  sha512: { label: 'SHA-512', sizeBytes: 64, oidHex: '0609608648016503040203' },
  sha384: { label: 'SHA-384', sizeBytes: 48, oidHex: '0609608648016503040202' },
  sha224: { label: 'SHA-224', sizeBytes: 28, oidHex: '0609608648016503040204' },
  md5: { label: 'MD5', sizeBytes: 16, oidHex: '06082a864886f70d0205' },
};

/**
 * Writes what stands in a DigestInfo before its digest, in hex.
 *
 * @param hasNull - with the NULL of the parameters, as everyone must write it; some leave it out
 * @source RFC 8017, §9.2, note 1
 */
export function writeDigestInfoHead(name: HashName, hasNull = true): string {
  const { sizeBytes, oidHex } = HASH_ALGORITHMS[name];
  const algorithm = hasNull ? `${oidHex}0500` : oidHex;
  const size = algorithm.length / 2;
  return `30${byteHex(size + sizeBytes + 4)}30${byteHex(size)}${algorithm}04${byteHex(sizeBytes)}`;
}

function byteHex(value: number): string {
  return value.toString(16).padStart(2, '0');
}
