import type { HeaderList } from '../contract/common';

/** Words that name a header which carries a signature: `X-Hub-Signature-256`, `Stripe-Signature`, `X-Hmac-SHA256`. */
const namesSignature = /(?:^|[-_])(?:signature|hmac)(?:$|[-_])/i;
/** Named alike, and read by us. */
const ours = new Set(['webhook-signature', 'x-custom-signature']);
/** Says beside a signature how, when or of what it was made; that alone is none. */
const describesSignature =
  /[-_](?:input|alg|algorithm|method|type|version|timestamp|time|date|nonce|key|key[-_]?id|id|headers|params|url|cert|certificate)$/i;

/**
 * Finds the header in which another scheme than those of the service carries a signature: who reads of a request that has one
 * must not read that there is none.
 *
 * @returns its name as it was written; null: there is none
 */
export function findOtherSignature(headers: HeaderList): string | null {
  const found = headers.find(
    ([name, value]) =>
      namesSignature.test(name) &&
      !ours.has(name.toLowerCase()) &&
      !describesSignature.test(name) &&
      value.trim() !== '',
  );
  return found?.[0] ?? null;
}
