import { writeSha256Module } from './sha256-module';

/** The part of WebAssembly that is used here; every runtime of ours has it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { exports: { m: { buffer: ArrayBuffer }; f: (address: number) => void } };
};

const INPUT_ADDRESS = 64;

/** Longest input that {@link Sha256.hash} takes. */
export const SCRATCH_BYTES = 8192;

/** Beyond this a library is faster, its call included. */
const SHORT_BYTES = 1024;

/** A SHA-256 that allocates nothing: the doctor hashes hundreds of thousands of strings of some forty bytes. */
export interface Sha256 {
  /** Where a caller puts its input; bytes behind it belong to the padding. */
  readonly input: Uint8Array;
  /** Hashes the first bytes of `input`; gives the first 32 bits of the digest, signed. */
  hash(size: number): number;
  /** Gives the digest of the last input, 32 bytes. */
  digest(): Uint8Array;
}

let opened: Sha256 | null = null;

/**
 * Opens the SHA-256 of this thread; the first call compiles it, in a few milliseconds.
 *
 * @source FIPS 180-4
 */
export function openSha256(): Sha256 {
  opened ??= createSha256();
  return opened;
}

function createSha256(): Sha256 {
  const { m, f: compress } = new WebAssembly.Instance(new WebAssembly.Module(writeSha256Module())).exports;
  const state = new Int32Array(m.buffer, 0, 8);
  const input = new Uint8Array(m.buffer, INPUT_ADDRESS, SCRATCH_BYTES + 72);

  function hash(size: number): number {
    state[0] = 0x6a09e667;
    state[1] = 0xbb67ae85;
    state[2] = 0x3c6ef372;
    state[3] = 0xa54ff53a;
    state[4] = 0x510e527f;
    state[5] = 0x9b05688c;
    state[6] = 0x1f83d9ab;
    state[7] = 0x5be0cd19;
    const end = ((size + 72) >> 6) << 6;
    input[size] = 0x80;
    for (let at = size + 1; at < end; at += 1) input[at] = 0;
    const bits = size << 3;
    input[end - 3] = bits >>> 16;
    input[end - 2] = bits >>> 8;
    input[end - 1] = bits;
    for (let at = 0; at < end; at += 64) compress(INPUT_ADDRESS + at);
    return state[0];
  }

  function digest(): Uint8Array {
    const bytes = new Uint8Array(32);
    for (let at = 0; at < 32; at += 1) bytes[at] = state[at >> 2]! >>> (24 - (at & 3) * 8);
    return bytes;
  }

  return { input, hash, digest };
}

/** Hashes bytes: short ones here, longer ones by the function given. */
export function hashSha256(bytes: Uint8Array, hashLong: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  if (bytes.length > SHORT_BYTES) return hashLong(bytes);
  const sha256 = openSha256();
  sha256.input.set(bytes);
  sha256.hash(bytes.length);
  return sha256.digest();
}
