import { createHash, createHmac } from 'node:crypto';
import { listBodyForms } from '@shared/webhooks/deviations/body-forms';
import {
  listContentForms,
  listMilliseconds,
  type SignedFrame,
} from '@shared/webhooks/deviations/content-forms';
import type { Form, WebhookDeviation } from '@shared/webhooks/deviations/deviation';
import { listSecretForms } from '@shared/webhooks/deviations/secret-forms';
import { listSignatureForms } from '@shared/webhooks/deviations/signature-forms';
import type { SignedWebhook } from './standard-webhooks';

/** What a signature that does not fit was made of; found by trying, and proved by the secret. */
export interface WebhookExplanation {
  /** Empty: nothing that was tried gives this signature. */
  readonly deviations: readonly WebhookDeviation[];
  /** Which of the keys made it; null: none is known. */
  readonly keyIndex: number | null;
  /** How many messages were tried. */
  readonly tried: number;
  /** The time was up before all were tried. */
  readonly isCut: boolean;
}

const MOST_MS = 5000;
const HASHES = ['sha256', 'sha1', 'sha512', 'sha384', 'md5'] as const;
const NAMES = { sha256: 'SHA-256', sha1: 'SHA-1', sha512: 'SHA-512', sha384: 'SHA-384', md5: 'MD5' };
type Hash = (typeof HASHES)[number];

type Compute = (key: Uint8Array, ...pieces: readonly Uint8Array[]) => Buffer;

/** How the digest was computed, the right way first. */
const macs: readonly Form<Compute>[] = [
  ...HASHES.map((hash) => ({
    value: hmac(hash),
    deviation: hashDeviation(hash),
    isCommon: hash === 'sha256',
  })),
  plain('with SHA-256 over the secret and the content, without HMAC', (key, pieces) => [key, ...pieces]),
  plain('with SHA-256 over the content and the secret, without HMAC', (key, pieces) => [...pieces, key]),
  plain('with SHA-256 over the content, without the secret', (_key, pieces) => pieces),
];

function hmac(hash: Hash): Compute {
  return (key, ...pieces) => {
    const sum = createHmac(hash, key);
    for (const piece of pieces) sum.update(piece);
    return sum.digest();
  };
}

function hashDeviation(hash: Hash): WebhookDeviation | null {
  if (hash === 'sha256') return null;
  return { part: 'hash', phrase: `with HMAC-${NAMES[hash]}`, remedy: 'use HMAC-SHA256' };
}

function plain(
  phrase: string,
  arrange: (key: Uint8Array, pieces: readonly Uint8Array[]) => readonly Uint8Array[],
): Form<Compute> {
  const value: Compute = (key, ...pieces) => {
    const sum = createHash('sha256');
    for (const piece of arrange(key, pieces)) sum.update(piece);
    return sum.digest();
  };
  return { value, deviation: { part: 'hash', phrase, remedy: 'use HMAC-SHA256' }, isCommon: false };
}

interface Try {
  readonly secret: Form<Uint8Array>;
  readonly mac: Form<Compute>;
  readonly content: Form<SignedFrame>;
  readonly body: Form<Uint8Array>;
}

/**
 * Finds out what a sender did otherwise, where none of its signatures fits.
 *
 * What it names gives the very signature that came, by the secret: it does not guess.
 * @param signature - the whole value of `webhook-signature`
 * @param keys - `whsec_…` alone are looked at: what an Ed25519 key signed cannot be told from its signature
 */
export function explainWebhook(
  signature: string,
  webhook: SignedWebhook,
  keys: readonly string[],
  monotonicMs: () => number = () => performance.now(),
): WebhookExplanation {
  const wanted = new Map<string, readonly WebhookDeviation[]>();
  for (const { bytes, deviations } of listSignatureForms(signature)) {
    const digest = Buffer.from(bytes).toString('latin1');
    if (!wanted.has(digest)) wanted.set(digest, deviations);
  }
  const endsAt = monotonicMs() + MOST_MS;
  const bodies = [...listBodyForms(webhook.body)];
  const contents = listContentForms(webhook.id, webhook.timestamp);
  let tried = 0;
  // One thing done otherwise by any of the secrets, before two by the first: they may take all of the time.
  for (const listTries of [listSingles, listCombined]) {
    for (const [keyIndex, key] of keys.entries()) {
      if (!isSymmetric(key)) continue;
      for (const one of listTries(listSecretForms(key), contents, bodies, webhook)) {
        if (monotonicMs() > endsAt) return { deviations: [], keyIndex: null, tried, isCut: true };
        tried += 1;
        const written = wanted.get(compute(one).toString('latin1'));
        if (written === undefined) continue;
        const { secret, mac, content, body } = one;
        const made = [secret, mac, content, body].map(({ deviation }) => deviation);
        const deviations = [...written, ...made.filter((deviation) => deviation !== null)];
        return { deviations, keyIndex, tried, isCut: false };
      }
    }
  }
  return { deviations: [], keyIndex: null, tried, isCut: false };
}

const isSymmetric = (key: string): boolean => !/^whpk_|^whsk_/.test(key);

function compute({ secret, mac, content, body }: Try): Buffer {
  const { head, tail, hasBody } = content.value;
  return mac.value(secret.value, Buffer.from(head), ...(hasBody ? [body.value] : []), Buffer.from(tail));
}

/** One thing done otherwise. */
function* listSingles(
  secrets: readonly Form<Uint8Array>[],
  contents: readonly Form<SignedFrame>[],
  bodies: readonly Form<Uint8Array>[],
): Generator<Try> {
  const right = { secret: secrets[0]!, mac: macs[0]!, content: contents[0]!, body: bodies[0]! };
  for (const secret of secrets) yield { ...right, secret };
  for (const body of bodies) yield { ...right, body };
  for (const content of contents) yield { ...right, content };
  for (const mac of macs) yield { ...right, mac };
}

/** Two things and more, as far as they are met; the likely ones first. */
function* listCombined(
  secrets: readonly Form<Uint8Array>[],
  contents: readonly Form<SignedFrame>[],
  bodies: readonly Form<Uint8Array>[],
  { id, timestamp }: SignedWebhook,
): Generator<Try> {
  const common = <Value>(forms: readonly Form<Value>[]): Form<Value>[] =>
    forms.filter(({ isCommon }) => isCommon);
  yield* combine(secrets, [macs[0]!], common(contents), bodies);
  yield* combine(secrets, macs, contents, common(bodies).slice(0, 4));
  const milliseconds = [...listMilliseconds(id, timestamp)];
  yield* combine(secrets.slice(0, 3), [macs[0]!], milliseconds, common(bodies).slice(0, 4));
}

function* combine(
  secrets: readonly Form<Uint8Array>[],
  allMacs: readonly Form<Compute>[],
  contents: readonly Form<SignedFrame>[],
  bodies: readonly Form<Uint8Array>[],
): Generator<Try> {
  for (const secret of secrets)
    for (const mac of allMacs)
      for (const content of contents) for (const body of bodies) yield { secret, mac, content, body };
}
