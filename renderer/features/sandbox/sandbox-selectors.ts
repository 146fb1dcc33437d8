import type { SandboxPayment, SandboxDelivery } from '@shared/contract/sandbox';
import { newBodies } from '@shared/http-file/new-bodies';
import { formatDuration } from '../../ui/format-time';
import type { Tone } from '../../ui/tag';

const verdictWords: Record<string, string> = {
  accepted: 'accepted',
  ok: 'answered',
  rate_limit: 'rate limited',
  body: 'body not readable',
  token: 'token refused',
  product: 'wrong product',
  signature: 'signature refused',
  fields: 'fields refused',
  duplicate: 'duplicate ignored',
  rules: 'refused by a rule',
  outcome: 'failed as asked',
  fault: 'fault injected',
  not_found: 'not found',
  error: 'failed inside',
};

/** Which check answered, in words, and how it went. */
export function describeVerdict(verdict: string): { text: string; tone: Tone } {
  const tones: Record<string, Tone> = {
    accepted: 'good',
    ok: 'good',
    duplicate: 'warn',
    fault: 'warn',
    rate_limit: 'warn',
  };
  return { text: verdictWords[verdict] ?? verdict, tone: tones[verdict] ?? 'bad' };
}

/** True where there is something to explain. */
export function isRefused(verdict: string): boolean {
  return verdict !== 'accepted' && verdict !== 'ok';
}

const paymentTones: Record<SandboxPayment['state'], Tone> = {
  processing: 'warn',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'quiet',
};

export function paymentTone(state: SandboxPayment['state']): Tone {
  return paymentTones[state];
}

/** How far a delivery is: the last answer, and when it is tried again. */
export function describeDelivery(delivery: SandboxDelivery, now: number): { text: string; tone: Tone } {
  const last = delivery.attempts.at(-1);
  const answer = last ? (last.httpStatus === null ? 'no answer' : `${last.httpStatus}`) : null;
  if (delivery.state === 'delivered') return { text: `delivered, ${answer ?? '2xx'}`, tone: 'good' };
  if (delivery.state === 'failed') return { text: `given up, ${answer ?? 'never tried'}`, tone: 'bad' };
  const wait = delivery.nextAttemptAt === null ? null : delivery.nextAttemptAt - now;
  // Until it is answered, or its receiver has a line free: fifteen seconds with one that never answers.
  const isDue = wait !== null && wait <= 0;
  const next =
    wait === null
      ? 'waiting'
      : isDue
        ? 'due now'
        : `next try in ${formatDuration(Math.ceil(wait / 1000) * 1000)}`;
  return { text: answer === null ? next : `${answer}, ${next}`, tone: 'warn' };
}

/** A clock that the tests may have moved: how far it is from the real one. */
export function describeClock(offsetMs: number): string {
  return offsetMs === 0 ? 'the real time' : `${formatDuration(offsetMs)} ahead of the real time`;
}

/** '30 s', '1 h', '2 d' or '90' (seconds) as seconds; null for anything else. */
export function readSeconds(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)(?:\s*(s|m|min|h|d))?\s*$/.exec(text);
  if (!match) return null;
  const units: Record<string, number> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
  const seconds = Number(match[1]) * (units[match[2] ?? 's'] ?? 1);
  return seconds > 0 && seconds <= 31_536_000 ? seconds : null;
}

export const snippetKinds = ['env', 'curl', 'docker'] as const;
export type SnippetKind = (typeof snippetKinds)[number];

export interface BackendAccess {
  consumerKey: string;
  consumerSecret: string;
}

/** Where tokens are asked for, below the base address. */
export const tokenPath = '/auth/v1/token';

const payoutPath = '/payments/v1/payouts';

/** A payout that the sandbox accepts; the shell puts reference and time in. */
function writeTrialPayout(listenerUrl: string): string {
  const transaction = {
    ...newBodies.payout.transaction,
    reference: '$reference',
    timestamp: '$(date -u +%Y-%m-%dT%H:%M:%SZ)',
  };
  const { originator, recipient } = newBodies.payout;
  const callback_url = `${listenerUrl}/webhooks`;
  const parts = Object.entries({ transaction, originator, recipient, callback_url });
  return `{${parts.map(([name, part]) => `"${name}":${JSON.stringify(part)}`).join(',\n ')}}`;
}

/** Text that points one's own backend at this sandbox; names in place of credentials that were not made yet, or are not told again. */
export function writeSnippet(
  kind: SnippetKind,
  { baseUrl, listenerUrl }: { baseUrl: string; listenerUrl: string },
  { consumerKey, consumerSecret }: Partial<BackendAccess>,
): string {
  const key = consumerKey ?? '<your consumer key>';
  const secret = consumerSecret ?? '<your consumer secret>';
  if (kind === 'env') {
    return [
      `PAYMENTS_BASE_URL=${baseUrl}`,
      `PAYMENTS_TOKEN_URL=${baseUrl}${tokenPath}`,
      `PAYMENTS_CONSUMER_KEY=${key}`,
      `PAYMENTS_CONSUMER_SECRET=${secret}`,
    ].join('\n');
  }
  if (kind === 'curl') {
    const { amount, service_code } = newBodies.payout.transaction;
    const { country } = newBodies.payout.originator;
    const body = JSON.stringify({ consumer_key: key, consumer_secret: secret, product: 'payout' });
    return [
      '# Your private key in private.pem, its public half registered here.',
      `token=$(curl -s ${baseUrl}${tokenPath} \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${body}' \\`,
      `  | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
      '',
      'reference=trial-$(date +%s)',
      `signature=$(printf %s "\${reference}${amount}${country}${service_code}" \\`,
      '  | openssl dgst -sha256 -sign private.pem | openssl base64 -A)',
      `curl -s ${baseUrl}${payoutPath} \\`,
      `  -H "Authorization: Bearer $token" -H "X-Custom-Signature: $signature" \\`,
      `  -H 'Content-Type: application/json' -d @- <<END`,
      writeTrialPayout(listenerUrl),
      'END',
    ].join('\n');
  }
  const port = /:(\d+)/.exec(baseUrl.replace(/^https?:/, ''))?.[1] ?? '4010';
  return [
    '# From a container, the host is reached by its own name:',
    'docker run --add-host=host.docker.internal:host-gateway \\',
    `  -e PAYMENTS_BASE_URL=http://host.docker.internal:${port} \\`,
    `  -e PAYMENTS_CONSUMER_KEY='${key}' \\`,
    `  -e PAYMENTS_CONSUMER_SECRET='${secret}' your-image`,
  ].join('\n');
}
