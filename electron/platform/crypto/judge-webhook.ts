import { describeDeviations, type WebhookDeviation } from '@shared/webhooks/deviations/deviation';
import { explainWebhook } from './explain-webhook';
import { verifyWebhook, type SignatureVerdict } from './standard-webhooks';

/** A verdict with what the sender did otherwise, as far as it is known. */
export interface JudgedWebhook extends SignatureVerdict {
  /** Empty: it is valid, or nothing that was tried gives its signature. */
  readonly causes: readonly { readonly part: WebhookDeviation['part']; readonly message: string }[];
}

/**
 * Verifies a webhook, and where no signature fits says what its sender did otherwise.
 *
 * The search takes up to five seconds of this thread; it is for a webhook that somebody asks about.
 * @throws {AppError} `signing.bad_webhook_key`
 */
export function judgeWebhook(...given: Parameters<typeof verifyWebhook>): JudgedWebhook {
  const [{ header, body }, keys] = given;
  const judged = verifyWebhook(...given);
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const signature = header('webhook-signature');
  const isSearched = judged.verdict === 'invalid' && judged.keyIndex === null;
  if (!isSearched || id === null || timestamp === null || signature === null)
    return { ...judged, causes: [] };
  const { deviations, keyIndex, tried, isCut } = explainWebhook(signature, { id, timestamp, body }, keys);
  if (deviations.length > 0) {
    const causes = deviations.map(({ part, phrase, remedy }) => ({
      part,
      message: `Signed ${phrase}: ${remedy}.`,
    }));
    return { verdict: 'invalid', reason: describeDeviations(deviations), keyIndex, causes };
  }
  const ways = `${tried.toLocaleString('en')} ways to sign it otherwise were tried`;
  const none = `${isCut ? 'The search ended after five seconds: ' : ''}${ways}, and none of them gives this signature.`;
  return { ...judged, reason: tried === 0 ? judged.reason : `${judged.reason} ${none}`, causes: [] };
}
