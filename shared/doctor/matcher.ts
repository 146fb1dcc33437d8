import type { Draft } from './draft';
import { composeDraft, writePieces } from './draft';
import { hashForPss, type HashFunction, type HashName, type Padding } from './read-padding';
import { openSha256, SCRATCH_BYTES } from './sha256';

const utf8 = new TextEncoder();

/** Tells of any string whether it is the one that was signed. */
export interface Matcher {
  /** How many strings were tried. */
  searched: number;
  matches(draft: Draft): boolean;
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** Gives the bytes that a draft stands for. */
export function writeDraft(draft: Draft): Uint8Array {
  const text = composeDraft(draft);
  const bytes = draft.encode === null ? utf8.encode(text) : draft.encode(text);
  return draft.wrap === null ? bytes : draft.wrap(bytes);
}

/**
 * Makes the test for what a signature holds.
 *
 * SHA-256 of short strings, nearly all there is to do, runs without allocation.
 */
export function createMatcher(padding: Padding, hash: HashFunction): Matcher {
  switch (padding.kind) {
    case 'digest':
      return createDigestMatcher(padding.hash, padding.digest, hash);
    case 'pss':
      return createSlowMatcher((bytes) =>
        isEqual(hashForPss(bytes, padding.salt, padding.hash, hash), padding.digest),
      );
    case 'bare':
      return createSlowMatcher((bytes) => isEqual(bytes, padding.payload));
  }
}

function createSlowMatcher(test: (bytes: Uint8Array) => boolean): Matcher {
  return {
    searched: 0,
    matches(draft) {
      this.searched += 1;
      return test(writeDraft(draft));
    },
  };
}

/** Makes the test for a digest. */
export function createDigestMatcher(name: HashName, digest: Uint8Array, hash: HashFunction): Matcher {
  if (name !== 'sha256') return createSlowMatcher((bytes) => isEqual(hash(name, bytes), digest));
  const sha256 = openSha256();
  const { input } = sha256;
  const first = (digest[0]! << 24) | (digest[1]! << 16) | (digest[2]! << 8) | digest[3]!;
  const isSigned = (size: number): boolean => sha256.hash(size) === first && isEqual(sha256.digest(), digest);
  return {
    searched: 0,
    matches(draft) {
      this.searched += 1;
      const size = writePieces(draft, input, SCRATCH_BYTES);
      if (size >= 0) return isSigned(size);
      if (draft.encode === null && draft.wrap === null) {
        const text = composeDraft(draft);
        if (text.length * 3 <= SCRATCH_BYTES) return isSigned(utf8.encodeInto(text, input).written);
      }
      const bytes = writeDraft(draft);
      if (bytes.length > SCRATCH_BYTES) return isEqual(hash('sha256', bytes), digest);
      input.set(bytes);
      return isSigned(bytes.length);
    },
  };
}
