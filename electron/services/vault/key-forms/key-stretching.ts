import { readChildren, readElement, readOid, TAG, type DerElement } from './der';

/** Deriving a key from a passphrase takes so many rounds of a hash: half a second with OpenSSL. Usual are 2,048 to 600,000. */
export const MOST_ROUNDS = 2_000_000;
/** The same without OpenSSL, where one round takes fifty times as long. */
export const MOST_ROUNDS_IN_SCRIPT = 100_000;
const SCRYPT = '1.3.6.1.4.1.11591.4.11';
/** Deeper than any scheme nests its parameters. */
const MOST_DEPTH = 6;

/**
 * Counts the rounds that opening an encrypted PKCS#8 key takes, as the key itself says: whoever made the file chose them, and
 * nothing can interrupt them once they have begun.
 *
 * @param der - EncryptedPrivateKeyInfo
 * @returns rounds of a hash; infinite for a number that no computer comes to the end of
 * @source RFC 8018 (PBES1, PBES2, PBKDF2), RFC 7914 (scrypt), RFC 7292 appendix C
 */
export function countRounds(der: Uint8Array): number {
  const outer = readElement(der, 0);
  const algorithm = outer === null ? undefined : readChildren(der, outer)?.[0];
  return algorithm === undefined ? 0 : countIn(der, algorithm, 0);
}

function countIn(der: Uint8Array, element: DerElement, depth: number): number {
  if (element.tag !== TAG.sequence || depth > MOST_DEPTH) return 0;
  const children = readChildren(der, element) ?? [];
  const [first, second] = children;
  if (first?.tag === TAG.oid && second?.tag === TAG.sequence && readOid(der, first) === SCRYPT) {
    return countOfScrypt(listIntegers(der, second));
  }
  const own = listIntegers(der, element);
  return Math.max(0, ...own, ...children.map((child) => countIn(der, child, depth + 1)));
}

/** Cost, size of a block and parallel runs, after the salt: each of their product takes about what a round takes. */
const countOfScrypt = ([cost = 0, blockSize = 0, parallel = 0]: readonly number[]): number =>
  cost * blockSize * parallel;

function listIntegers(der: Uint8Array, sequence: DerElement): number[] {
  return (readChildren(der, sequence) ?? [])
    .filter(({ tag }) => tag === TAG.integer)
    .map((one) => readNumber(der, one));
}

function readNumber(der: Uint8Array, { start, end }: DerElement): number {
  if (end - start > 6) return Infinity;
  return der.subarray(start, end).reduce((value, byte) => value * 256 + byte, 0);
}
