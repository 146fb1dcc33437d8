import { HASH_ALGORITHMS, HASHES, findDigestInfo, type HashName } from '../../signing/hash-algorithms';
import { fromHex, toHex } from '../../signing/hex';

/** Gives a digest in hex; a text is hashed as UTF-8. Empty where the runtime has no such hash. */
export type HashFunction = (name: HashName, data: string | Uint8Array) => string;

/** What the public key makes of a signature. */
export type Padding =
  | {
      readonly kind: 'digest';
      readonly hash: HashName;
      readonly digestHex: string;
      /** What is wrong about the block, in words that follow 'with'; null: nothing. */
      readonly fault: string | null;
    }
  /** PKCS#1 v1.5, or nothing, around something that is no DigestInfo. */
  | {
      readonly kind: 'bare';
      readonly payload: Uint8Array;
      readonly isPadded: boolean;
      /** Its beginning is that of a DigestInfo, of a hash that is not known or with a digest of another length. */
      readonly isBrokenInfo: boolean;
    }
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
 * @returns one reading that is certain, or those that may be chance; none: another key, or altered bytes
 * @source RFC 8017, §9.1.2 and §9.2
 */
export function readPaddings(block: Uint8Array, bits: number, hash: HashFunction): Padding[] {
  const padding = readPkcs1(block) ?? readUnpadded(block);
  return padding === null ? readPss(block, bits, hash) : [padding];
}

function readPkcs1(block: Uint8Array): Padding | null {
  if (block[0] !== 0 || block[1] !== 1) return null;
  let at = 2;
  while (block[at] === 0xff) at += 1;
  if (at < 10 || block[at] !== 0) return null;
  return readPayload(block.subarray(at + 1), true);
}

function readPayload(payload: Uint8Array, isPadded: boolean): Padding {
  const hex = toHex(payload);
  const info = findDigestInfo(hex);
  // SEQUENCE { SEQUENCE { OBJECT IDENTIFIER, …
  const isBrokenInfo = /^30..30..06/.test(hex);
  if (info === null) return { kind: 'bare', payload, isPadded, isBrokenInfo };
  const faults = [
    ...(isPadded ? [] : ['no padding around the DigestInfo']),
    ...(info.hasNull ? [] : ['a DigestInfo that lacks its NULL']),
    ...(info.bytesBefore === 0 ? [] : [`${countBytes(info.bytesBefore)} before the DigestInfo`]),
    ...(info.bytesAfter === 0 ? [] : [`${countBytes(info.bytesAfter)} after the DigestInfo`]),
  ];
  const fault = faults.length === 0 ? null : faults.join(' and ');
  return { kind: 'digest', hash: info.hash, digestHex: info.digestHex, fault };
}

const countBytes = (count: number): string => (count === 1 ? 'one byte' : `${count} bytes`);

/** Textbook RSA leaves zeros in front; sixteen of them do not happen by chance. */
function readUnpadded(block: Uint8Array): Padding | null {
  let at = 0;
  while (block[at] === 0) at += 1;
  if (at < 16 || at === block.length) return null;
  return readPayload(block.slice(at), false);
}

function readPss(block: Uint8Array, bits: number, hash: HashFunction): Padding[] {
  if (block.at(-1) !== 0xbc) return [];
  // One bit less than the modulus: of 8n + 1 bits, what is encoded is a byte shorter than the block, behind a zero.
  const spareBits = block.length * 8 - (bits - 1);
  if (block[0]! >> (8 - spareBits) !== 0) return [];
  const encoded = block.subarray(Math.floor(spareBits / 8));
  const readings = HASHES.flatMap((name) =>
    HASHES.flatMap((mask) => unmaskPss(encoded, spareBits % 8, name, mask, hash) ?? []),
  );
  const certain = readings.find(({ isCertain }) => isCertain);
  return certain === undefined ? readings : [certain];
}

type PssPadding = Extract<Padding, { kind: 'pss' }>;

/** Four zeros and more are no chance. With none, the salt fills the block, as several libraries have it. */
function unmaskPss(
  block: Uint8Array,
  spareBits: number,
  name: HashName,
  maskName: HashName,
  hash: HashFunction,
): PssPadding | null {
  const size = HASH_ALGORITHMS[name].sizeBytes;
  const dataSize = block.length - size - 1;
  const digest = block.slice(dataSize, dataSize + size);
  const data = generateMask(digest, dataSize, maskName, hash);
  for (let at = 0; at < dataSize; at += 1) data[at]! ^= block[at]!;
  data[0]! &= 0xff >> spareBits;
  let at = 0;
  while (data[at] === 0) at += 1;
  const isCertain = at >= 4;
  if (data[at] !== 1 || (!isCertain && at > 0)) return null;
  if (!isCertain && name !== maskName && maskName !== 'sha1') return null;
  return { kind: 'pss', hash: name, salt: data.slice(at + 1), digestHex: toHex(digest), isCertain };
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
  message: string | Uint8Array,
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
