import { encodeBase64 } from '../../signing/base64';
import { HASH_ALGORITHMS, writeDigestInfoHead, type HashName } from '../../signing/hash-algorithms';
import { fromHex } from '../../signing/hex';
import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation, type Wrap } from '../search/draft';
import type { HashFunction } from '../decode/read-padding';

/** The cause code of a hash; the closed list has none for the rare ones, which are told in words. */
const HASH_CODES: Readonly<Partial<Record<HashName, CauseCode>>> = {
  md5: 'hash.md5',
  sha1: 'hash.sha1',
  sha384: 'hash.sha384',
  sha512: 'hash.sha512',
};

/** Says that another hash than SHA-256 was used; nothing for SHA-256. */
export function explainHash(hash: HashName): Cause[] {
  if (hash === 'sha256') return [];
  return [
    {
      code: HASH_CODES[hash] ?? null,
      phrase: `with ${HASH_ALGORITHMS[hash].label}`,
      remedy: 'use SHA-256 (RSA PKCS#1 v1.5 with SHA-256)',
      expected: 'SHA-256',
      actual: HASH_ALGORITHMS[hash].label,
    },
  ];
}

/** Says which hash made the digest that was hashed again for the signature; nothing for SHA-256, which is the one to use. */
export function explainInnerHash(hash: HashName): Cause[] {
  const { label } = HASH_ALGORITHMS[hash];
  return explainHash(hash).map((cause) => ({
    ...cause,
    phrase: `over ${label.startsWith('M') ? 'an' : 'a'} ${label} digest`,
    remedy: '',
  }));
}

interface WrapRow {
  readonly code: CauseCode;
  readonly what: string;
  /** What is hashed in place of the string, from the digest in hex; `again` hashes with the same algorithm. */
  readonly write: (
    digestHex: string,
    again: (data: string | Uint8Array) => string,
    inner: HashName,
  ) => string | Uint8Array;
}

const WRAPS: readonly WrapRow[] = [
  { code: 'hash.double', what: 'hashed twice', write: (digest) => fromHex(digest) },
  { code: 'hash.hex_text', what: 'over the digest as hex text', write: (digest) => digest },
  {
    code: 'hash.hex_text',
    what: 'over the digest as upper-case hex text',
    write: (digest) => digest.toUpperCase(),
  },
  {
    code: 'hash.base64_text',
    what: 'over the digest as Base64 text',
    write: (digest) => encodeBase64(fromHex(digest)),
  },
  {
    code: 'hash.base64_text',
    what: 'over the digest as URL-safe Base64 text',
    write: (digest) => toUrlSafe(digest).replace(/=/g, ''),
  },
  {
    code: 'hash.base64_text',
    what: 'over the digest as padded URL-safe Base64 text',
    write: (digest) => toUrlSafe(digest),
  },
  {
    code: 'hash.double',
    what: 'hashed twice, the second time with the DigestInfo of the first',
    write: (digest, _again, inner) => fromHex(writeDigestInfoHead(inner) + digest),
  },
  {
    code: 'hash.double',
    what: 'hashed three times',
    write: (digest, again) => fromHex(again(fromHex(digest))),
  },
  {
    code: 'hash.hex_text',
    what: 'over the digest of the digest as hex text, as hex text',
    write: (digest, again) => again(digest),
  },
  {
    code: 'hash.hex_text',
    what: 'over the digest of the digest, as hex text',
    write: (digest, again) => again(fromHex(digest)),
  },
];

/** The first of them: bytes, hex text, Base64 text. */
const SIMPLE_WRAPS = 4;

function toUrlSafe(digestHex: string): string {
  return encodeBase64(fromHex(digestHex)).replace(/\+/g, '-').replace(/\//g, '_');
}

const INNER: readonly HashName[] = ['sha256', 'sha1', 'md5', 'sha512', 'sha384'];

/**
 * Lists what comes of hashing before the signature call hashes again.
 *
 * @param outer - hash that the signature itself uses
 */
export function listDigestDeviations(outer: HashName, hash: HashFunction): Deviation[] {
  return INNER.flatMap((inner) => {
    const again = (data: string | Uint8Array): string => hash(inner, data);
    // The wraps of one hash are tried in a row on the same text.
    let last: string | Uint8Array | null = null;
    let lastDigest = '';
    return WRAPS.map(({ code, what, write }, index): Deviation => {
      const wrap: Wrap = (data) => {
        if (data !== last) {
          last = data;
          lastDigest = again(data);
        }
        return write(lastDigest, again, inner);
      };
      const isLikely = inner === 'sha256' || inner === outer;
      return {
        stage: STAGES.wrap,
        slot: 'wrap',
        // Another hash inside is a second deviation by itself.
        tier: isLikely ? 'common' : index < SIMPLE_WRAPS && inner !== 'sha384' ? 'seldom' : 'rare',
        apply: (draft) => void (draft.wrap = wrap),
        explain: () => [explainWrap(code, what), ...(inner === outer ? [] : explainInnerHash(inner))],
      };
    });
  });
}

/** Says that a digest was signed where the string belongs. */
export function explainWrap(code: CauseCode, what: string): Cause {
  return {
    code,
    phrase: what,
    remedy: 'give the string itself to the signature call, which hashes it once',
    expected: 'the string',
    actual: code === 'hash.double' ? 'its digest' : 'its digest as text',
  };
}
