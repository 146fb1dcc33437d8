/** Fractional parts of the cube roots of the first 64 primes. @source FIPS 180-4, §4.2.2 */
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

const words = new Int32Array(64);
/** State of the hash that was computed last. */
const state = new Int32Array(8);

/** Longest input that {@link hashBlocks} takes with its padding. */
export const SCRATCH_BYTES = 8192;
/** Where a caller of {@link hashBlocks} puts its input; nine bytes behind it belong to the padding. */
export const scratch = new Uint8Array(SCRATCH_BYTES + 72);

function resetState(): void {
  state[0] = 0x6a09e667;
  state[1] = 0xbb67ae85;
  state[2] = 0x3c6ef372;
  state[3] = 0xa54ff53a;
  state[4] = 0x510e527f;
  state[5] = 0x9b05688c;
  state[6] = 0x1f83d9ab;
  state[7] = 0x5be0cd19;
}

/**
 * Hashes the first bytes of {@link scratch} without allocating anything.
 *
 * The doctor hashes hundreds of thousands of strings of some forty bytes; a call into a library costs more than
 * the hash itself.
 * @param size - at most {@link SCRATCH_BYTES}
 * @returns the first 32 bits of the digest, signed; {@link lastDigest} gives all of it
 * @source FIPS 180-4, §6.2.2
 */
export function hashBlocks(size: number): number {
  resetState();
  const blocks = (size + 72) >> 6;
  const end = blocks << 6;
  scratch[size] = 0x80;
  for (let at = size + 1; at < end; at += 1) scratch[at] = 0;
  const bits = size << 3;
  scratch[end - 4] = bits >>> 24;
  scratch[end - 3] = bits >>> 16;
  scratch[end - 2] = bits >>> 8;
  scratch[end - 1] = bits;
  for (let at = 0; at < end; at += 64) compress(at);
  return state[0]!;
}

/** Gives the digest that {@link hashBlocks} computed last, 32 bytes. */
export function lastDigest(): Uint8Array {
  const digest = new Uint8Array(32);
  for (let at = 0; at < 32; at += 1) digest[at] = state[at >> 2]! >>> (24 - (at & 3) * 8);
  return digest;
}

/** Beyond this a library is faster, its call included. */
const SHORT_BYTES = 256;

/** Hashes bytes: short ones here, longer ones by the function given. */
export function hashSha256(bytes: Uint8Array, hashLong: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  if (bytes.length > SHORT_BYTES) return hashLong(bytes);
  scratch.set(bytes);
  hashBlocks(bytes.length);
  return lastDigest();
}

function compress(from: number): void {
  for (let index = 0, at = from; index < 16; index += 1, at += 4) {
    words[index] =
      (scratch[at]! << 24) | (scratch[at + 1]! << 16) | (scratch[at + 2]! << 8) | scratch[at + 3]!;
  }
  for (let index = 16; index < 64; index += 1) {
    const w15 = words[index - 15]!;
    const w2 = words[index - 2]!;
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    words[index] = (words[index - 16]! + s0 + words[index - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let index = 0; index < 64; index += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + K[index]! + words[index]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (c & (a ^ b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
