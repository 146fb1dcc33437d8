import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Where the sandbox's identifiers and fault draws come from. */
export interface SandboxRandom {
  /** A version 4 UUID. */
  uuid(): string;
  /** Fifteen digits, the first not 0. */
  numericId(): string;
  /** A service-side reference: `PR` and twelve characters that are not mistaken for each other. */
  reference(): string;
  /** A number from 0 up to, not including, 1. */
  unit(): number;
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Makes the source of random values; the same seed and run give the same values in the same order.
 *
 * @param seed - null: from the operating system
 * @param run - counts the starts of one store, so that a seeded sandbox does not repeat its identifiers after a restart
 */
export function createSandboxRandom(seed: string | number | null = null, run = 0): SandboxRandom {
  const word = seed === null ? createSystemWords() : createSeededWords(`${seed}/${run}`);
  const unit = (): number => word() / 0x1_0000_0000;
  return {
    unit,
    uuid: seed === null ? randomUUID : () => formatUuid(word(), word(), word(), word()),
    numericId() {
      const head = 1 + Math.floor(unit() * 9);
      const rest = Math.floor(unit() * 1e7) * 1e7 + Math.floor(unit() * 1e7);
      return `${head}${String(rest).padStart(14, '0')}`;
    },
    reference() {
      let text = 'PR';
      for (let half = 0; half < 2; half++) {
        let bits = word();
        for (let index = 0; index < 6; index++) {
          text += ALPHABET[bits & 31];
          bits >>>= 5;
        }
      }
      return text;
    },
  };
}

function formatUuid(a: number, b: number, c: number, d: number): string {
  const hex = [a, (b & 0xffff0fff) | 0x4000, (c & 0x3fffffff) | 0x80000000, d]
    .map((value) => (value >>> 0).toString(16).padStart(8, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Gives 32-bit words of the system's randomness, fetched a page at a time. */
function createSystemWords(): () => number {
  let page = Buffer.alloc(0);
  let offset = 0;
  return () => {
    if (offset >= page.length) {
      page = randomBytes(4096);
      offset = 0;
    }
    offset += 4;
    return page.readUInt32LE(offset - 4);
  };
}

/** Gives the 32-bit words of sfc32, started from the SHA-256 of the seed. */
function createSeededWords(seed: string): () => number {
  const start = createHash('sha256').update(seed).digest();
  let a = start.readInt32LE(0);
  let b = start.readInt32LE(4);
  let c = start.readInt32LE(8);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
