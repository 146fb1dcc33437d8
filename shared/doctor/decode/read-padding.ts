import { HASH_ALGORITHMS, HASHES, writeDigestInfoHead, type HashName } from '../../signing/hash-algorithms';
import { fromHex, toHex } from '../../signing/hex';

/** Gives a digest in hex; a text is hashed as UTF-8. */
export type HashFunction = (name: HashName, data: string | Uint8Array) => string;

/** What the public key makes of a signature. */
export type Padding =
  | {
      readonly kind: 'digest';
      readonly hash: HashName;
      readonly digestHex: string;
      readonly isStrict: boolean;
    }
  /** PKCS#1 v1.5 around something that is no DigestInfo. */
  | { readonly kind: 'bare'; readonly payload: Uint8Array; readonly isPadded: boolean }
  | {
      readonly kind: 'pss';
      readonly hash: HashName;
      readonly salt: Uint8Array;
      readonly digestHex: string;
      /** Its zeros prove the key; a salt that fills the block leaves one chance in some thousands. */
      readonly isCertain: boolean;
    };

/**
 * Reads the padding of a recovered block.
 *
 * @param block - result of the RSA public operation, as long as the modulus
 * @returns null where no padding fits: another key, or altered bytes
 * @source RFC 8017, §9.1.2 and §9.2
 */
export function readPadding(block: Uint8Array, bits: number, hash: HashFunction): Padding | null {
  return readPkcs1(block) ?? readPss(block, bits, hash) ?? readUnpadded(block);
}

function readPkcs1(block: Uint8Array): Padding | null {
  if (block[0] !== 0 || block[1] !== 1) return null;
  let at = 2;
  while (block[at] === 0xff) at += 1;
  if (at < 10 || block[at] !== 0) return null;
  const payload = block.subarray(at + 1);
  return readDigestInfo(payload) ?? { kind: 'bare', payload, isPadded: true };
}

function readDigestInfo(payload: Uint8Array): Padding | null {
  const payloadHex = toHex(payload);
  for (const hash of HASHES) {
    for (const isStrict of [true, false]) {
      const head = writeDigestInfoHead(hash, isStrict);
      if (!payloadHex.startsWith(head)) continue;
      const digestHex = payloadHex.slice(head.length);
      if (digestHex.length === HASH_ALGORITHMS[hash].sizeBytes * 2)
        return { kind: 'digest', hash, digestHex, isStrict };
    }
  }
  return null;
}

/** Textbook RSA leaves zeros in front; thirty-two of them do not happen by chance. */
function readUnpadded(block: Uint8Array): Padding | null {
  let at = 0;
  while (block[at] === 0) at += 1;
  if (at < 32 || at === block.length) return null;
  return { kind: 'bare', payload: block.slice(at), isPadded: false };
}

function readPss(block: Uint8Array, bits: number, hash: HashFunction): Padding | null {
  if (block.at(-1) !== 0xbc) return null;
  const spareBits = block.length * 8 - (bits - 1);
  if (spareBits > 8 || block[0]! >> (8 - spareBits) !== 0) return null;
  for (const name of HASHES) {
    for (const mask of HASHES) {
      const found = unmaskPss(block, spareBits, name, mask, hash);
      if (found !== null) return found;
    }
  }
  return null;
}

function unmaskPss(
  block: Uint8Array,
  spareBits: number,
  name: HashName,
  maskName: HashName,
  hash: HashFunction,
): Padding | null {
  const size = HASH_ALGORITHMS[name].sizeBytes;
  const dataSize = block.length - size - 1;
  const digest = block.slice(dataSize, dataSize + size);
  const data = generateMask(digest, dataSize, maskName, hash);
  for (let at = 0; at < dataSize; at += 1) data[at]! ^= block[at]!;
  data[0]! &= 0xff >> spareBits;
  let at = 0;
  while (data[at] === 0) at += 1;
  if (data[at] !== 1 || (at < 4 && name !== maskName && maskName !== 'sha1')) return null;
  return { kind: 'pss', hash: name, salt: data.slice(at + 1), digestHex: toHex(digest), isCertain: at >= 4 };
}

/** MGF1. @source RFC 8017, appendix B.2.1 */
function generateMask(seed: Uint8Array, size: number, name: HashName, hash: HashFunction): Uint8Array {
  const mask = new Uint8Array(size);
  const input = new Uint8Array(seed.length + 4);
  input.set(seed);
  for (let counter = 0, at = 0; at < size; counter += 1) {
    input[input.length - 1] = counter;
    const part = fromHex(hash(name, input));
    mask.set(part.subarray(0, Math.min(part.length, size - at)), at);
    at += part.length;
  }
  return mask;
}

/** Computes what a PSS signature holds for a message, in hex. @source RFC 8017, §9.1.2, steps 12 and 13 */
export function hashForPss(
  message: Uint8Array,
  salt: Uint8Array,
  name: HashName,
  hash: HashFunction,
): string {
  const { sizeBytes } = HASH_ALGORITHMS[name];
  const input = new Uint8Array(8 + sizeBytes + salt.length);
  input.set(fromHex(hash(name, message)), 8);
  input.set(salt, 8 + sizeBytes);
  return hash(name, input);
}
