/** Failures before the first byte of a request has left: nothing can have been taken. */
const notSentCodes: ReadonlySet<string> = new Set([
  'sending.bad_url',
  'sending.dns',
  'sending.not_sent',
  'sending.proxy',
  'sending.tls',
  'sending.unreachable',
]);

/** Tells whether a request failed before anything of it left. @param errorCode - null: it did not fail */
export function isNeverSent(errorCode: string | null): boolean {
  return errorCode !== null && notSentCodes.has(errorCode);
}

/**
 * Tells whether a payment may have been taken though nobody said so.
 *
 * After a connection lost half-way, an HTTP 500 or an answer in no known form, the payment must not simply be sent again:
 * its status has to be asked first.
 * @param outcome - of the answer's reading; null: no answer came
 * @param errorCode - why no answer came, where none did
 */
export function isOutcomeUnknown(outcome: string | null, errorCode: string | null): boolean {
  if (outcome === null) return !notSentCodes.has(errorCode ?? '');
  return outcome === 'failed' || outcome === 'unknown';
}
