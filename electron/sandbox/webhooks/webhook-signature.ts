import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Makes a secret for signing webhooks: `whsec_` and 24 random bytes in Base64. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(24).toString('base64');
}

/**
 * Signs one attempt as Standard Webhooks says: HMAC-SHA256 over `id.timestamp.body`.
 * @param timestamp - seconds since the epoch, of this attempt
 * @returns the value of `webhook-signature`: `v1,` and the signature in Base64
 * @source Standard Webhooks 1.0, 'Signature scheme'; assumption A3
 */
export function signWebhook(secret: string, webhookId: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
}
