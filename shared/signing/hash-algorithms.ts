/** Hash algorithms that signatures are often met with, by the name that `crypto.hash` takes; the right one first. */
export const HASHES = ['sha256', 'sha1', 'sha512', 'sha384', 'sha224', 'md5'] as const;

/** Those that are met now and then, and only by the name that a DigestInfo gives them. */
const RARE_HASHES = [
  'sha512-224',
  'sha512-256',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'ripemd160',
  'sm3',
] as const;
const ALL_HASHES = [...HASHES, ...RARE_HASHES];
export type HashName = (typeof ALL_HASHES)[number];

/** What is known of a hash algorithm. */
export interface HashAlgorithm {
  readonly label: string;
  readonly sizeBytes: number;
  /** Object identifier as DER in hex, tag and length included. */
  readonly oidHex: string;
}

/** The algorithms that a signature can name. @source RFC 8017, appendix B.1; RFC 8702; ISO/IEC 10118-3 */
export const HASH_ALGORITHMS: Readonly<Record<HashName, HashAlgorithm>> = {
  sha256: { label: 'SHA-256', sizeBytes: 32, oidHex: '0609608648016503040201' },
  sha1: { label: 'SHA-1', sizeBytes: 20, oidHex: '06052b0e03021a' },
  sha512: { label: 'SHA-512', sizeBytes: 64, oidHex: '0609608648016503040203' },
  sha384: { label: 'SHA-384', sizeBytes: 48, oidHex: '0609608648016503040202' },
  sha224: { label: 'SHA-224', sizeBytes: 28, oidHex: '0609608648016503040204' },
  md5: { label: 'MD5', sizeBytes: 16, oidHex: '06082a864886f70d0205' },
  'sha512-224': { label: 'SHA-512/224', sizeBytes: 28, oidHex: '0609608648016503040205' },
  'sha512-256': { label: 'SHA-512/256', sizeBytes: 32, oidHex: '0609608648016503040206' },
  'sha3-224': { label: 'SHA3-224', sizeBytes: 28, oidHex: '0609608648016503040207' },
  'sha3-256': { label: 'SHA3-256', sizeBytes: 32, oidHex: '0609608648016503040208' },
  'sha3-384': { label: 'SHA3-384', sizeBytes: 48, oidHex: '0609608648016503040209' },
  'sha3-512': { label: 'SHA3-512', sizeBytes: 64, oidHex: '060960864801650304020a' },
  ripemd160: { label: 'RIPEMD-160', sizeBytes: 20, oidHex: '06052b24030201' },
  sm3: { label: 'SM3', sizeBytes: 32, oidHex: '06082a811ccf55018311' },
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

/** A DigestInfo that was read, and how many bytes stand around it where nothing may. */
export interface DigestInfo {
  readonly hash: HashName;
  readonly digestHex: string;
  readonly hasNull: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Finds a whole DigestInfo in bytes written as hex; null where there is none, or it names a hash that is not in the table. */
export function findDigestInfo(hex: string): DigestInfo | null {
  for (const hash of ALL_HASHES) {
    for (const hasNull of [true, false]) {
      const head = writeDigestInfoHead(hash, hasNull);
      const at = hex.indexOf(head);
      const from = at + head.length;
      const bytesAfter = (hex.length - from) / 2 - HASH_ALGORITHMS[hash].sizeBytes;
      if (at === -1 || at % 2 !== 0 || bytesAfter < 0) continue;
      const digestHex = hex.slice(from, hex.length - bytesAfter * 2);
      return { hash, digestHex, hasNull, bytesBefore: at / 2, bytesAfter };
    }
  }
  return null;
}

function byteHex(value: number): string {
  return value.toString(16).padStart(2, '0');
}
