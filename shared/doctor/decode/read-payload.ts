import { decodeBase64 } from '../../signing/base64';
import { HASH_ALGORITHMS, HASHES, type HashName } from '../../signing/hash-algorithms';
import { toHex } from '../../signing/hex';
import type { Cause } from '../causes';
import { explainHash, explainInnerHash, explainWrap } from '../hypotheses/digest-deviations';
import type { HideKnown } from '../hypotheses/known-deviations';
import { compareClaimed } from '../hypotheses/whole-deviations';
import {
  createMatcher,
  readAsBytes,
  readAsDigest,
  readAsPss,
  type Matcher,
  type PayloadReading,
} from '../search/matcher';
import type { Found } from '../search/search';
import type { Subject } from '../subject';
import type { HashFunction, Padding } from './read-padding';

/** Names what is wrong with padding and hash. */
export function explainPadding(padding: Padding): Cause[] {
  switch (padding.kind) {
    case 'digest':
      return [...explainHash(padding.hash), ...(padding.fault === null ? [] : [oddPadding(padding.fault)])];
    case 'pss':
      return [
        {
          code: 'padding.pss',
          phrase: 'with PSS padding',
          remedy: 'use PKCS#1 v1.5 padding (RS256, SHA256withRSA)',
          expected: 'PKCS#1 v1.5',
          actual: 'PSS',
        },
        ...explainHash(padding.hash),
      ];
    case 'bare':
      if (padding.isBrokenInfo) return [oddPadding(BROKEN_INFO)];
      return [
        {
          code: 'hash.missing',
          phrase: describeBare(padding),
          remedy:
            'use the call that hashes and signs (RSA PKCS#1 v1.5 with SHA-256), not the one that encrypts',
          expected: 'a SHA-256 digest in its DigestInfo',
          actual: 'bare bytes',
        },
      ];
  }
}

/** Bytes of a digest's length that are no text were hashed: what they lack is what says by which hash. */
function describeBare({ payload, isPadded }: Extract<Padding, { kind: 'bare' }>): string {
  const isDigest = HASHES.some((one) => HASH_ALGORITHMS[one].sizeBytes === payload.length);
  if (isDigest && toText(payload) === null) {
    return isPadded
      ? 'over the digest padded as it is, without its DigestInfo'
      : 'over the digest as it is, without padding and without its DigestInfo';
  }
  return isPadded ? 'without hashing, the bytes padded as they are' : 'without padding and without hashing';
}

const BROKEN_INFO = 'a DigestInfo of a hash that is not known, or with a digest of another length';

function oddPadding(fault: string): Cause {
  return {
    code: null,
    phrase: `with ${fault}`,
    remedy: 'let the call that signs write padding and DigestInfo (RFC 8017, 9.2)',
    expected: null,
    actual: null,
  };
}

/**
 * Makes the test for what a padding holds.
 *
 * Bytes that were padded as they are may be the string, or a digest of it, as bytes or as text: all are tried.
 * @returns `outer`: the hash that the signature itself used
 */
export function chooseMatcher(padding: Padding, hash: HashFunction): { matcher: Matcher; outer: HashName } {
  switch (padding.kind) {
    case 'digest':
      return {
        matcher: createMatcher([readAsDigest(padding.hash, padding.digestHex, hash)]),
        outer: padding.hash,
      };
    case 'pss':
      return { matcher: createMatcher([readAsPss(padding, hash)]), outer: padding.hash };
    case 'bare': {
      const digest = readAsBareDigest(padding.payload, hash);
      const readings = [readAsBytes(padding.payload), ...(digest === null ? [] : [digest.reading])];
      return { matcher: createMatcher(readings), outer: digest?.name ?? 'sha256' };
    }
  }
}

function readAsBareDigest(
  payload: Uint8Array,
  hash: HashFunction,
): { reading: PayloadReading; name: HashName } | null {
  const textual = readDigestText(toText(payload) ?? '');
  if (textual !== null) {
    const causes = [explainWrap(textual.code, textual.what), ...explainInnerHash(textual.hash)];
    return { reading: readAsDigest(textual.hash, textual.digestHex, hash, causes), name: textual.hash };
  }
  const name = HASHES.find((one) => HASH_ALGORITHMS[one].sizeBytes === payload.length);
  if (name === undefined) return null;
  return { reading: readAsDigest(name, toHex(payload), hash, explainHash(name)), name };
}

function readDigestText(
  text: string,
): { code: 'hash.hex_text' | 'hash.base64_text'; what: string; hash: HashName; digestHex: string } | null {
  const isHex = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text);
  const isBase64 = !isHex && /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  if (!isHex && !isBase64) return null;
  const digestHex = isHex ? text.toLowerCase() : toHex(decodeBase64(text));
  const hash = HASHES.find((name) => HASH_ALGORITHMS[name].sizeBytes * 2 === digestHex.length);
  if (hash === undefined) return null;
  return isHex
    ? { code: 'hash.hex_text', what: 'over the digest as hex text', hash, digestHex }
    : { code: 'hash.base64_text', what: 'over the digest as Base64 text', hash, digestHex };
}

/** Gives the text that bytes are in UTF-8; null where they are none, or hold control characters that no text has. */
function toText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- a text with these is no text that anyone signs
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** So many of the four values must stand in a text before it counts as an attempt at the string. */
const FEWEST_VALUES = 2;

/**
 * Reads what was padded without a hash as it stands, where no known deviation explains it.
 *
 * A text that has hardly one of the values in it, such as somebody's digest, is not explained by what it lacks.
 */
export function readPayload(padding: Padding, { values }: Subject, hide?: HideKnown): Found | null {
  if (padding.kind !== 'bare') return null;
  const text = toText(padding.payload);
  if (text === null || readDigestText(text) !== null) return null;
  const signed = values.slice(0, 4).map((value) => value.text);
  if (signed.filter((value) => value.length > 1 && text.includes(value)).length < FEWEST_VALUES) return null;
  const causes = compareClaimed(text, signed, hide);
  return {
    text,
    deviations: [{ stage: 0, slot: 'payload', tier: 'alone', apply: () => undefined, explain: () => causes }],
  };
}
