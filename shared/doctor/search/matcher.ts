import type { HashName } from '../../signing/hash-algorithms';
import type { Cause } from '../causes';
import { hashForPss, type HashFunction, type Padding } from '../decode/read-padding';
import { writeDraft, type Draft } from './draft';

const utf8 = new TextEncoder();

/** One way to read what a signature holds, and what is wrong where that way is the right one. */
export interface PayloadReading {
  readonly fits: (draft: Draft) => boolean;
  readonly causes: readonly Cause[];
}

/** Tells of any string whether it is the one that was signed. */
export interface Matcher {
  /** How many strings were tried. */
  searched: number;
  /** The reading that fitted; null before one did. */
  matched: PayloadReading | null;
  matches(draft: Draft): boolean;
}

/** Makes the test for a digest. */
export function readAsDigest(
  name: HashName,
  digestHex: string,
  hash: HashFunction,
  causes: readonly Cause[] = [],
): PayloadReading {
  return {
    causes,
    fits: (draft) => hash(name, writeDraft(draft)) === digestHex,
  };
}

/** Makes the test for a PSS padding. */
export function readAsPss(padding: Extract<Padding, { kind: 'pss' }>, hash: HashFunction): PayloadReading {
  const { salt, hash: name, digestHex } = padding;
  return { causes: [], fits: (draft) => hashForPss(writeDraft(draft), salt, name, hash) === digestHex };
}

/** Makes the test for bytes that were padded as they are. */
export function readAsBytes(payload: Uint8Array): PayloadReading {
  return {
    causes: [],
    fits: (draft) => {
      const data = writeDraft(draft);
      // UTF-8 has a byte for a character at least.
      if (data.length > payload.length) return false;
      const bytes = typeof data === 'string' ? utf8.encode(data) : data;
      return bytes.length === payload.length && bytes.every((byte, index) => byte === payload[index]);
    },
  };
}

/** Makes a test of several readings. */
export function createMatcher(readings: readonly PayloadReading[]): Matcher {
  return {
    searched: 0,
    matched: null,
    matches(draft) {
      this.searched += 1;
      this.matched = readings.find(({ fits }) => fits(draft)) ?? null;
      return this.matched !== null;
    },
  };
}
