import type { Cause } from '../causes';
import { explainHash, explainWrap } from '../hypotheses/digest-deviations';
import { createDigestMatcher, createMatcher, type Matcher } from '../search/matcher';
import { HASH_ALGORITHMS, HASHES, type HashName } from '../../signing/hash-algorithms';
import { decodeBase64 } from '../../signing/base64';
import { toHex } from '../../signing/hex';
import type { HashFunction, Padding } from './read-padding';
import type { Found } from '../search/search';
import type { Subject } from '../subject';
import { compareClaimed } from '../hypotheses/whole-deviations';

/** Names what is wrong with padding and hash. */
export function explainPadding(padding: Padding): Cause[] {
  switch (padding.kind) {
    case 'digest': {
      return explainHash(padding.hash);
    }
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
      return [
        {
          code: 'hash.missing',
          phrase: padding.isPadded
            ? 'without hashing, the bytes padded as they are'
            : 'without padding and without hashing',
          remedy:
            'use the call that hashes and signs (RSA PKCS#1 v1.5 with SHA-256), not the one that encrypts',
          expected: 'a SHA-256 digest in its DigestInfo',
          actual: 'bare bytes',
        },
      ];
  }
}

/** A bare payload may itself be a digest, as bytes or as text: then the string behind it is searched. */
export function chooseMatcher(
  padding: Padding,
  hash: HashFunction,
): { matcher: Matcher; causes: Cause[]; outer: HashName } {
  if (padding.kind !== 'bare')
    return { matcher: createMatcher(padding, hash), causes: [], outer: padding.hash };
  const text = toText(padding.payload);
  const size = padding.payload.length;
  const bytesOf = HASHES.find((name) => HASH_ALGORITHMS[name].sizeBytes === size && text === null);
  if (bytesOf !== undefined) {
    return {
      matcher: createDigestMatcher(bytesOf, toHex(padding.payload), hash),
      causes: explainHash(bytesOf),
      outer: bytesOf,
    };
  }
  const textual = readDigestText(text ?? '');
  if (textual === null) return { matcher: createMatcher(padding, hash), causes: [], outer: 'sha256' };
  const causes = [explainWrap(textual.code, textual.what), ...explainHash(textual.hash)];
  return { matcher: createDigestMatcher(textual.hash, textual.digestHex, hash), causes, outer: textual.hash };
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

/** What was padded without a hash can be read as it stands, even where nothing known explains it. */
export function readPayload(padding: Padding, { values }: Subject): Found | null {
  if (padding.kind !== 'bare') return null;
  const text = toText(padding.payload);
  if (text === null) return null;
  const causes = compareClaimed(
    text,
    values.map((value) => value.text),
  );
  return { text, deviations: [{ stage: 0, slot: 'payload', apply: () => undefined, explain: () => causes }] };
}
