import { randomInt, randomUUID } from 'node:crypto';
import { createWebhookSecret, signWebhook } from '../../platform/crypto/standard-webhooks';
import type { FinalState } from '../../sandbox/store/payment-store';
import { writeSampleBody, writeWebhookBody, type ReportedPayment } from '../../sandbox/webhooks/webhook-body';

/** A webhook as the service sends it: one id for all of its attempts. */
export interface PlayedWebhook {
  readonly id: string;
  readonly body: string;
}

/**
 * Which signature goes along. `other`: of another secret; `old`: an hour ago; `rotated`: another's before ours; `rotated-last`:
 * another's behind it; `none`: no header; `empty`: a signature without a byte; `cut`: ours up to its last byte, which is
 * another.
 */
export type SignatureForm = 'right' | 'other' | 'old' | 'rotated' | 'rotated-last' | 'none' | 'empty' | 'cut';

const HOUR_SECONDS = 3600;
const AMOUNT_MINOR = 100_000n;

/** Makes up a payment that no receiver has heard of. */
export function createPayment(): ReportedPayment {
  return {
    reference: `check-${randomUUID()}`,
    amountMinor: AMOUNT_MINOR,
    paymentUuid: `${randomInt(1_000_000_000, 9_999_999_999)}${randomInt(10_000, 99_999)}`,
    paymentReference: `PR${randomInt(1_000_000_000, 9_999_999_999)}`,
    metaJson: '{"order":"A-1001","source":"countersign check-receiver"}',
  };
}

function withId(body: string): PlayedWebhook {
  return { id: `msg_${randomUUID().replaceAll('-', '')}`, body };
}

/** The webhook of a final state, as the sandbox writes it. */
export function reportPayment(payment: ReportedPayment, state: FinalState = 'succeeded'): PlayedWebhook {
  return withId(writeWebhookBody(payment, state));
}

/** A webhook with a status or a form of the amount that the sandbox itself does not send. */
export function reportAs(
  payment: ReportedPayment,
  { status = 'SUCCESS', amount = '1000' }: { status?: string; amount?: string },
): PlayedWebhook {
  const value = {
    status,
    code: '200.100',
    client_reference: payment.reference,
    payment_uuid: payment.paymentUuid,
    payment_reference: payment.paymentReference,
  };
  return withId(writeSampleBody(value, amount, payment.metaJson));
}

/** Puts members into a webhook that no receiver knows; its line end tells who trims before verifying. */
export function addMembers(webhook: PlayedWebhook): PlayedWebhook {
  const added =
    ',"settlement":{"batch":"B/17","lines":[1,2.50,null]},"fee":null,"payer":"Zoë Łukasz €😀","is_final":true,"":""';
  return { ...webhook, body: `${webhook.body.slice(0, -1)}${added}}\n` };
}

/** Takes the metadata out, which stand last. */
export function removeMetadata(webhook: PlayedWebhook): PlayedWebhook {
  return { ...webhook, body: `${webhook.body.slice(0, webhook.body.lastIndexOf(',"metadata":'))}}` };
}

/** Three of four signatures hold one of the two characters that URL-safe Base64 writes otherwise. */
const MOST_EARLIER_SECONDS = 8;

/** Finds a time, a few seconds ago at most, whose signature tells who compares with URL-safe Base64. */
export function findTelling(secret: string, { id, body }: PlayedWebhook, atMs: number): number {
  for (let earlier = 0; earlier <= MOST_EARLIER_SECONDS; earlier += 1) {
    const at = atMs - earlier * 1000;
    const timestamp = String(Math.floor(at / 1000));
    const signature = signWebhook([secret], { id, timestamp, body: Buffer.from(body) });
    if (/[+/]/.test(signature)) return at;
  }
  return atMs;
}

/** Changes every bit of the last byte that a signature holds. */
function changeEnd(signature: string): string {
  const [version = '', encoded = ''] = signature.split(',');
  const bytes = Buffer.from(encoded, 'base64');
  bytes[bytes.length - 1]! ^= 0xff;
  return `${version},${bytes.toString('base64')}`;
}

/** Writes the headers of a delivery; without a secret it is not signed, as the interface has it. */
export function writeDeliveryHeaders(
  { id, body }: PlayedWebhook,
  secret: string | null,
  form: SignatureForm,
): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Countersign-Receiver-Check/1',
    'webhook-id': id,
  };
  if (secret === null || form === 'none') return headers;
  const age = form === 'old' ? HOUR_SECONDS : 0;
  const atMs = Date.now() - age * 1000;
  const timestamp = String(
    Math.floor((form === 'right' ? findTelling(secret, { id, body }, atMs) : atMs) / 1000),
  );
  const keys = {
    right: [secret],
    old: [secret],
    cut: [secret],
    other: [createWebhookSecret()],
    rotated: [createWebhookSecret(), secret],
    'rotated-last': [secret, createWebhookSecret()],
  };
  const signature =
    form === 'empty' ? 'v1,' : signWebhook(keys[form], { id, timestamp, body: Buffer.from(body) });
  if (form === 'cut')
    return { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': changeEnd(signature) };
  return { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}
