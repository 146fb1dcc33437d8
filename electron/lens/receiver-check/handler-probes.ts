import { createHmac } from 'node:crypto';
import { listBodyForms } from '@shared/webhooks/deviations/body-forms';
import { listContentForms, type SignedFrame } from '@shared/webhooks/deviations/content-forms';
import { listSecretForms } from '@shared/webhooks/deviations/secret-forms';
import { signWebhook } from '../../platform/crypto/standard-webhooks';
import { findTelling, type PlayedWebhook } from './played-webhook';

/** A webhook signed as one mistake of a handler would have it: who takes it makes that mistake. */
export interface Probe {
  /** Goes on after 'It takes the same webhook '. */
  readonly phrase: string;
  /** What to do, an imperative without a full stop. */
  readonly remedy: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Names = readonly [id: string, timestamp: string, signature: string];

const OURS: Names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const RENAMED: readonly Names[] = [
  ['Webhook-Id', 'Webhook-Timestamp', 'Webhook-Signature'],
  ['WEBHOOK-ID', 'WEBHOOK-TIMESTAMP', 'WEBHOOK-SIGNATURE'],
  ['svix-id', 'svix-timestamp', 'svix-signature'],
  ['webhook-id', 'webhook-timestamp', 'X-Webhook-Signature'],
  ['X-Webhook-Id', 'X-Webhook-Timestamp', 'X-Webhook-Signature'],
];
/** Time zones that are not UTC: a clock that is read as one of them is off by whole hours. */
const HOURS = [1, 2, 3, -1, -2, -3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -4, -5, -6, -7, -8, -9, -10, -11, -12];
/** A clock that goes wrong: each of these is taken by one that is up to five minutes off it. Then zones of half hours. */
const MINUTES = [9, -9, 18, -18, 27, -27, 36, -36, 45, -45, 330, 345, 390, 210, 270, 570, -210, -150];
const OFFSETS = [...MINUTES.slice(0, 4), ...HOURS.map((hours) => hours * 60), ...MINUTES.slice(4)];

const remedies = {
  secret: 'the key is what stands behind whsec_, decoded from Base64 into bytes',
  content: 'compute the signature over webhook-id, webhook-timestamp and the body, with a dot between them',
  timestamp:
    'compute the signature over the very text of webhook-timestamp, and compare that with your clock in seconds',
  body: 'compute the signature over the bytes as they came, before anything parses, trims or decodes them',
  hash: 'use HMAC-SHA256',
  encoding: 'compare with standard Base64, behind “v1,”',
  header:
    'look for webhook-id, webhook-timestamp and webhook-signature, whatever their case, which means nothing in HTTP',
  age: 'compare webhook-timestamp, seconds since 1970 in UTC, with a clock in seconds that is right, and refuse what is no number',
  clock: 'compare webhook-timestamp, seconds since 1970 in UTC, with a clock that is right, in UTC, too',
};

/** Signs a webhook right; a handler that takes a probe has to refuse this. */
export function writeRight(secret: string, { id, body }: PlayedWebhook, atMs: number): Probe['headers'] {
  const timestamp = String(Math.floor(atMs / 1000));
  return {
    [OURS[0]]: id,
    [OURS[1]]: timestamp,
    [OURS[2]]: signWebhook([secret], { id, timestamp, body: Buffer.from(body) }),
  };
}

/**
 * Lists what a handler may take in the place of a webhook that is signed right: one thing done otherwise each.
 *
 * @param secret - `whsec_…`
 */
export function* listProbes(secret: string, { id, body }: PlayedWebhook, atMs: number): Generator<Probe> {
  const bytes = Buffer.from(body);
  const seconds = Math.floor(atMs / 1000);
  const timestamp = String(seconds);
  const secrets = listSecretForms(secret);
  const contents = listContentForms(id, timestamp);
  const key = secrets[0]!.value;
  const sign = (
    frame: SignedFrame,
    { by = key, over = bytes, hash = 'sha256' }: { by?: Uint8Array; over?: Uint8Array; hash?: string } = {},
  ): Buffer => {
    const sum = createHmac(hash, by).update(frame.head);
    if (frame.hasBody) sum.update(over);
    return sum.update(frame.tail).digest();
  };
  const write = (signature: Buffer | string, at = timestamp, names = OURS): Record<string, string> => ({
    [names[0]]: id,
    [names[1]]: at,
    [names[2]]: typeof signature === 'string' ? signature : `v1,${signature.toString('base64')}`,
  });
  const right = contents[0]!.value;
  const digest = sign(right);
  for (const { value, deviation } of secrets.slice(1))
    yield tell(`signed ${deviation!.phrase}`, 'secret', write(sign(right, { by: value })));
  for (const names of RENAMED)
    yield tell(`with its headers named ${names.join(', ')}`, 'header', write(digest, timestamp, names));
  for (const [text, how] of listEncodings(digest))
    yield tell(`with its signature ${how}`, 'encoding', write(text));
  for (const { value, deviation, isCommon } of contents.slice(1)) {
    if (isCommon && deviation?.part === 'content')
      yield tell(`signed ${deviation.phrase}`, 'content', write(sign(value)));
    if (deviation?.part === 'timestamp')
      yield tell(`signed ${deviation.phrase}`, 'timestamp', write(sign(value)));
  }
  const writeAt = (at: string): Record<string, string> => write(sign(listContentForms(id, at)[0]!.value), at);
  const inMs = String(atMs);
  yield tell('with webhook-timestamp in milliseconds', 'timestamp', writeAt(inMs));
  yield tell('with webhook-timestamp in microseconds', 'timestamp', writeAt(`${inMs}000`));
  yield tell('with webhook-timestamp in nanoseconds', 'timestamp', writeAt(`${inMs}000000`));
  for (const hash of ['sha1', 'sha512', 'sha384', 'md5'])
    yield tell(`signed with HMAC-${hash.toUpperCase()}`, 'hash', write(sign(right, { hash })));
  for (const minutes of OFFSETS) {
    // One that URL-safe Base64 writes alike would tell nothing of the clock.
    const at = String(Math.floor(findTelling(secret, { id, body }, atMs + minutes * 60_000) / 1000));
    const where = `${describeMinutes(Math.abs(minutes))} ${minutes > 0 ? 'ahead' : 'ago'}`;
    yield tell(`with a webhook-timestamp ${where}, signed right`, 'clock', writeAt(at));
  }
  // No age comes out of a text that is no number, which is then not too old: it tells of the clock, and so would a date.
  yield tell('with a webhook-timestamp that is no number, signed right', 'age', writeAt('soon'));
  const date = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  yield tell('with webhook-timestamp as a date', 'timestamp', writeAt(date));
  for (const { value, deviation } of listBodyForms(bytes)) {
    if (deviation === null) continue;
    const phrase = deviation.phrase.replace(', which is not what came', '');
    yield tell(`signed ${phrase}`, 'body', write(sign(right, { over: value })));
  }
}

function tell(phrase: string, part: keyof typeof remedies, headers: Readonly<Record<string, string>>): Probe {
  return { phrase, remedy: remedies[part], headers };
}

const describeMinutes = (minutes: number): string =>
  minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`;

function listEncodings(digest: Buffer): (readonly [text: string, how: string])[] {
  const base64 = digest.toString('base64');
  const hex = digest.toString('hex');
  return [
    [base64, 'without “v1,” in front'],
    [`v1,${hex}`, 'as hex behind “v1,”'],
    [`v1,${hex.toUpperCase()}`, 'as hex in capitals behind “v1,”'],
    [hex, 'as hex, without “v1,” in front'],
    [`sha256=${hex}`, 'as hex behind “sha256=”'],
    [`v1=${hex}`, 'as hex behind “v1=”'],
    [`v1=${base64}`, 'behind “v1=”'],
    [`v1,${base64.replace(/\+/g, '-').replace(/\//g, '_')}`, 'as URL-safe Base64'],
    [`v1,${digest.toString('base64url')}`, 'as URL-safe Base64 without the “=” at its end'],
    [`v1,${base64.replace(/=$/, '')}`, 'without the “=” at its end'],
    [`v1,${Buffer.from(hex).toString('base64')}`, 'as Base64 of the hex text'],
    [`v1,b'${base64}'`, 'as Python prints bytes, behind “v1,”'],
  ];
}
