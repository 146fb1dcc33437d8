import { createHash } from 'node:crypto';
import type { HashName } from '../../shared/signing/hash-algorithms';
import { fromHex } from '../../shared/signing/hex';
import type { HashFunction } from '../../shared/doctor/decode/read-padding';

/** The hash of the runtime, as the doctor is given it. */
export const hash: HashFunction = (name, data) => createHash(name).update(data).digest('hex');

const digest = (name: HashName, ...parts: Uint8Array[]): Uint8Array =>
  createHash(name).update(Buffer.concat(parts)).digest();

/** Puts PKCS#1 v1.5 padding around bytes. @source RFC 8017, §9.2 */
export function padPkcs1(payload: Uint8Array, size = 256): Uint8Array {
  const fill = new Uint8Array(size - payload.length - 3).fill(0xff);
  return Uint8Array.of(0, 1, ...fill, 0, ...payload);
}

/** Puts zeros before bytes, as textbook RSA does. */
export function padZeros(payload: Uint8Array, size = 256): Uint8Array {
  return Uint8Array.of(...new Uint8Array(size - payload.length), ...payload);
}

/** Writes a DigestInfo of SHA-256 over a text. */
export function infoOf(text: string): Uint8Array {
  return fromHex(`3031300d060960864801650304020105000420${hash('sha256', text)}`);
}

/** Puts PSS padding around a text. @source RFC 8017, §9.1.1 */
export function padPss(
  text: string,
  salt: Uint8Array,
  bits = 2048,
  name: HashName = 'sha256',
  mask: HashName = name,
): Uint8Array {
  const size = Math.ceil((bits - 1) / 8);
  const inner = digest(name, new Uint8Array(8), fromHex(hash(name, text)), salt);
  const data = new Uint8Array(size - inner.length - 1);
  data.set([1, ...salt], data.length - salt.length - 1);
  for (let at = 0, counter = 0; at < data.length; counter += 1)
    for (const byte of digest(mask, inner, Uint8Array.of(0, 0, 0, counter))) {
      if (at < data.length) data[at]! ^= byte;
      at += 1;
    }
  data[0]! &= 0xff >> (size * 8 - (bits - 1));
  // As long as the modulus: a byte more, where that has 8n + 1 bits.
  return padZeros(Uint8Array.of(...data, ...inner, 0xbc), Math.ceil(bits / 8));
}
