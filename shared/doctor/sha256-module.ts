/** Fractional parts of the cube roots of the first 64 primes. @source FIPS 180-4, §4.2.2 */
const K: readonly number[] = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];

type Code = readonly number[];

function unsigned(value: number): number[] {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}

/** Instructions of WebAssembly, as far as they are needed. @source WebAssembly core specification, §5.4 */
const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number): Code => [0x21, ...unsigned(local)];
const number = (value: number): Code => [0x41, ...signed(value | 0)];
const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];
const ADD: Code = [0x6a];
const AND: Code = [0x71];
const OR: Code = [0x72];
const XOR: Code = [0x73];
const SHIFT: Code = [0x76];
const ROTATE: Code = [0x78];

/** Local 0 is the block's address, 1 to 8 hold a to h, 9 to 24 the schedule, 25 a sum. */
const BLOCK = 0;
const FIRST = 1;
const SUM = 25;
const word = (index: number): number => 9 + (index & 15);

const rotated = (local: number, count: number): Code => [...get(local), ...number(count), ...ROTATE];
const shifted = (local: number, count: number): Code => [...get(local), ...number(count), ...SHIFT];

/** Three terms, each made from one local, XORed. */
function mix(first: Code, second: Code, third: Code): Code {
  return [...first, ...second, ...XOR, ...third, ...XOR];
}

/** Reads a word in the byte order of the hash; memory has the other one. */
function loadWord(index: number): Code {
  return [
    ...get(BLOCK), ...load(index * 4), ...set(SUM),
    ...rotated(SUM, 8), ...number(0xff00ff00), ...AND,
    ...rotated(SUM, 24), ...number(0x00ff00ff), ...AND, ...OR,
    ...set(word(index)),
  ]; // prettier-ignore
}

function expandWord(index: number): Code {
  const [late, early] = [word(index - 2), word(index - 15)];
  return [
    ...mix(rotated(late, 17), rotated(late, 19), shifted(late, 10)),
    ...get(word(index - 7)), ...ADD,
    ...mix(rotated(early, 7), rotated(early, 18), shifted(early, 3)), ...ADD,
    ...get(word(index)), ...ADD, ...set(word(index)),
  ]; // prettier-ignore
}

/** One round; the eight variables take turns instead of moving. */
function round(index: number): Code {
  const at = (offset: number): number => FIRST + ((offset - index) & 7);
  const [a, b, c, d, e, f, g, h] = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)];
  return [
    ...get(h), ...mix(rotated(e, 6), rotated(e, 11), rotated(e, 25)), ...ADD,
    ...get(g), ...get(e), ...get(f), ...get(g), ...XOR, ...AND, ...XOR, ...ADD,
    ...number(K[index]!), ...ADD, ...get(word(index)), ...ADD, ...set(SUM),
    ...get(d), ...get(SUM), ...ADD, ...set(d),
    ...get(SUM), ...mix(rotated(a, 2), rotated(a, 13), rotated(a, 22)), ...ADD,
    ...get(a), ...get(b), ...AND, ...get(c), ...get(a), ...get(b), ...XOR, ...AND, ...XOR, ...ADD, ...set(h),
  ]; // prettier-ignore
}

function compressBody(): Code {
  const variables = Array.from({ length: 8 }, (_, index) => index);
  const steps = Array.from({ length: 64 }, (_, index) => index);
  return [
    ...steps.slice(0, 16).flatMap(loadWord),
    ...variables.flatMap((index) => [...number(0), ...load(index * 4), ...set(FIRST + index)]),
    ...steps.flatMap((index) => [...(index < 16 ? [] : expandWord(index)), ...round(index)]),
    ...variables.flatMap((index) => [
      ...number(0), ...number(0), ...load(index * 4), ...get(FIRST + index), ...ADD, ...store(index * 4),
    ]), // prettier-ignore
  ];
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

/**
 * Writes a WebAssembly module that compresses one SHA-256 block.
 *
 * All 64 rounds in a row on local variables: as fast as native code on a string of forty bytes, with a call that
 * costs nothing. It exports `memory` (`m`, the state in its first 32 bytes) and `compress(address)` (`f`).
 * @source FIPS 180-4, §6.2.2
 */
export function writeSha256Module(): Uint8Array<ArrayBuffer> {
  const locals: Code = [1, SUM, 0x7f];
  const body = [...locals, ...compressBody(), 0x0b];
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, 1, 0x66, 0, 0, 1, 0x6d, 2, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]); // prettier-ignore
}
