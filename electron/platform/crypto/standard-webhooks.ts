import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { AppError } from '@shared/errors';
import type { WebhookVerdict } from '@shared/webhooks/filter/filter-fields';

/** Time between signature and arrival that receivers bear, either way. @source Standard Webhooks 1.0 */
export const USUAL_TOLERANCE_SECONDS = 300;

const SYMMETRIC = 'whsec_';
const PRIVATE = 'whsk_';
const PUBLIC = 'whpk_';
/** What stands before the 32 bytes of an Ed25519 key. @source RFC 8410 */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
/** @source Standard Webhooks 1.0, 'Symmetric': 24 to 64 bytes */
const FEWEST_SECRET_BYTES = 24;

/** What was signed, besides the key. */
export interface SignedWebhook {
  readonly id: string;
  /** Seconds since the epoch, as the header has it. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

const ED25519_BYTES = 64;

interface Scheme {
  readonly version: 'v1' | 'v1a';
  /** Null: the key can only verify. */
  readonly sign: ((message: Buffer) => Buffer) | null;
  /** Gives what tells of a signature whether it is one of this message. */
  verifierOf(message: Buffer): (signature: Buffer) => boolean;
}

/** A verdict with its reason: a sentence, null where the signature is valid or there is none. */
export interface SignatureVerdict {
  readonly verdict: WebhookVerdict;
  readonly reason: string | null;
  /** Which of the keys it was made with, from 0. */
  readonly keyIndex: number | null;
}

/** Makes a secret for signing webhooks: `whsec_` and 24 random bytes in Base64. */
export function createWebhookSecret(): string {
  return SYMMETRIC + randomBytes(24).toString('base64');
}

/**
 * Signs a webhook by one key or, while keys are being rotated, by several.
 *
 * @param keys - `whsec_…` (or its Base64 alone) gives `v1`, HMAC-SHA256; `whsk_…` gives `v1a`, Ed25519
 * @returns the value of `webhook-signature`
 * @throws {AppError} `signing.bad_webhook_key`
 * @source Standard Webhooks 1.0, 'Signature scheme'
 */
export function signWebhook(keys: readonly string[], webhook: SignedWebhook): string {
  const message = toMessage(webhook);
  return keys
    .map((key) => {
      const { version, sign } = readSigningKey(key);
      return `${version},${sign(message).toString('base64')}`;
    })
    .join(' ');
}

function readSigningKey(key: string): { version: string; sign: (message: Buffer) => Buffer } {
  const { version, sign } = readKey(key);
  if (sign === null) throw badKey(`${PUBLIC}… can only verify; sign with its ${PRIVATE}… half`);
  return { version, sign };
}

/**
 * Verifies a received webhook: valid where one of its signatures fits one of the keys, and its timestamp is near.
 *
 * @param header - gives a header by its name in lower case; null: it is not there
 * @param keys - `whsec_…`, `whpk_…` or `whsk_…`; several while they are rotated
 * @param atMs - when it came
 * @throws {AppError} `signing.bad_webhook_key`
 */
export function verifyWebhook(
  { header, body }: { header(name: string): string | null; body: Uint8Array },
  keys: readonly string[],
  atMs: number,
  toleranceSeconds = USUAL_TOLERANCE_SECONDS,
): SignatureVerdict {
  const given = header('webhook-signature');
  const nothing = { keyIndex: null };
  if (given === null) return { verdict: 'unsigned', reason: null, ...nothing };
  if (keys.length === 0) return { verdict: 'unchecked', reason: 'No webhook secret is known.', ...nothing };
  const invalid = (reason: string): SignatureVerdict => ({ verdict: 'invalid', reason, ...nothing });
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!id || timestamp === null) {
    const name = id ? 'webhook-timestamp' : 'webhook-id';
    return invalid(`It is signed, but the header ${name} is ${id === '' ? 'empty' : 'missing'}.`);
  }
  const signatures = readSignatures(given);
  if (signatures.length === 0) return invalid('webhook-signature holds no v1 or v1a signature in Base64.');
  const { keyIndex, isWrittenRight } = findKey(signatures, keys, toMessage({ id, timestamp, body }));
  if (keyIndex === -1)
    return invalid(
      'No signature fits: another secret signed it, its bytes were changed, or its sender signs otherwise.',
    );
  if (!isWrittenRight) {
    const fault =
      'The signature fits, but is not written in standard Base64, with +, / and the = at its end: receivers refuse it.';
    return { ...invalid(fault), keyIndex };
  }
  const fault = checkTimestamp(timestamp, atMs, toleranceSeconds);
  return fault === null ? { verdict: 'valid', reason: null, keyIndex } : { ...invalid(fault), keyIndex };
}

interface ReadSignature {
  readonly version: string;
  readonly bytes: Buffer;
  /** In standard Base64: receivers compare it as text. */
  readonly isWrittenRight: boolean;
}

function findKey(
  signatures: readonly ReadSignature[],
  keys: readonly string[],
  message: Buffer,
): { keyIndex: number; isWrittenRight: boolean } {
  let found = { keyIndex: -1, isWrittenRight: false };
  for (const [keyIndex, scheme] of keys.map(readKey).entries()) {
    const own = signatures.filter(({ version }) => version === scheme.version);
    if (own.length === 0) continue;
    const fits = scheme.verifierOf(message);
    const fitting = own.filter(({ bytes }) => fits(bytes));
    if (fitting.some(({ isWrittenRight }) => isWrittenRight)) return { keyIndex, isWrittenRight: true };
    if (fitting.length > 0 && found.keyIndex === -1) found = { keyIndex, isWrittenRight: false };
  }
  return found;
}

function checkTimestamp(timestamp: string, atMs: number, toleranceSeconds: number): string | null {
  if (/^\d{13}$/.test(timestamp)) {
    return 'The signature fits, but webhook-timestamp is in milliseconds; receivers read seconds.';
  }
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp is no number of seconds.';
  const ageSeconds = Math.floor(atMs / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return null;
  const by = `${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? 'before it came' : 'after it came'}`;
  return `The signature fits, but was made ${by}; ${toleranceSeconds} s are tolerated.`;
}

/** So many signatures of one header are tried. */
const MOST_SIGNATURES = 20;

function readSignatures(header: string): ReadSignature[] {
  return header
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .map((one) => /^(v1a?),([A-Za-z0-9+/_-]+={0,2})$/.exec(one))
    .filter((match) => match !== null)
    .map(([, version = '', text = '']) => {
      const bytes = /^[0-9a-f]{64}(?:[0-9a-f]{64})?$/i.test(text)
        ? Buffer.from(text, 'hex')
        : Buffer.from(text, 'base64');
      return { version, bytes, isWrittenRight: bytes.toString('base64') === text };
    });
}

function toMessage({ id, timestamp, body }: SignedWebhook): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}

function readKey(key: string): Scheme {
  if (key.startsWith(PUBLIC)) return readPublic(decodeKey(key, PUBLIC));
  if (key.startsWith(PRIVATE)) return readPrivate(decodeKey(key, PRIVATE));
  const secret = decodeKey(key, SYMMETRIC);
  const compute = (message: Buffer): Buffer => createHmac('sha256', secret).update(message).digest();
  return {
    version: 'v1',
    sign: compute,
    verifierOf(message) {
      // Once, however many signatures a sender wrote: a body may have 64 MiB.
      const expected = compute(message);
      return (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
}

function decodeKey(key: string, prefix: string): Buffer {
  const text = key.startsWith(prefix) ? key.slice(prefix.length) : key;
  // As Base64 it would be another secret, without a word: none of its signatures would fit.
  if (/^wh(?:sec|sk|pk)[_-]/i.test(text))
    throw badKey(`it should begin with ${SYMMETRIC}, ${PRIVATE} or ${PUBLIC}, in small letters and once`);
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && text.replace(/(?<!=)=+$/, '').length % 4 !== 1;
  if (!isBase64) throw badKey(`it should be ${SYMMETRIC}, ${PRIVATE} or ${PUBLIC} and Base64`);
  // A word is Base64, too: without the prefix only what is long enough is taken for a secret.
  if (text === key && bytes.length < FEWEST_SECRET_BYTES) {
    throw badKey(
      `without ${SYMMETRIC} in front it should be Base64 of ${FEWEST_SECRET_BYTES} bytes or more, and is of ${bytes.length}`,
    );
  }
  return bytes;
}

function readPublic(bytes: Buffer): Scheme {
  if (bytes.length !== KEY_BYTES) throw badKey(`${PUBLIC}… has ${KEY_BYTES} bytes, not ${bytes.length}`);
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, bytes]), format: 'der', type: 'spki' });
  return {
    version: 'v1a',
    sign: null,
    verifierOf: (message) => (signature) =>
      signature.length === ED25519_BYTES && verify(null, message, key, signature),
  };
}

/** A seed, or as others write it the seed and the public half behind it. */
function readPrivate(bytes: Buffer): Scheme {
  if (bytes.length !== KEY_BYTES && bytes.length !== 2 * KEY_BYTES) {
    throw badKey(`${PRIVATE}… has ${KEY_BYTES} or ${2 * KEY_BYTES} bytes, not ${bytes.length}`);
  }
  const der = Buffer.concat([PKCS8_HEAD, bytes.subarray(0, KEY_BYTES)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    version: 'v1a',
    sign: (message) => sign(null, message, key),
    verifierOf(message) {
      const publicKey = createPublicKey(key);
      return (signature) => signature.length === ED25519_BYTES && verify(null, message, publicKey, signature);
    },
  };
}

function badKey(what: string): AppError {
  return new AppError('signing.bad_webhook_key', `The webhook secret cannot be used: ${what}.`);
}

/** Checks a key before anything is signed with it. @throws {AppError} `signing.bad_webhook_key` */
export function checkSigningSecret(key: string): void {
  readSigningKey(key);
}

/** Checks keys before they are used. @throws {AppError} `signing.bad_webhook_key` */
export function checkWebhookKeys(keys: readonly string[]): void {
  for (const key of keys) readKey(key);
}
