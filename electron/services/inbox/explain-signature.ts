import type { MethodOutput } from '@shared/contract/contract';
import { findHeader } from '@shared/find-header';
import { CUT_REASON, readWebhookHead } from '../../listener/read-webhook';
import { judgeWebhook } from '../../platform/crypto/judge-webhook';

type Explained = MethodOutput<'inbox.explainSignature'>;

/** What explaining signatures is to the thread for long webhooks. */
export type ExplainWork = {
  explainSignature(given: {
    head: Uint8Array;
    body: Uint8Array;
    /** Only its beginning is kept. */
    isCut: boolean;
    receivedAt: number;
    keys: readonly string[];
  }): Explained;
};

/**
 * Judges the signature of a stored webhook as of the moment when it came, by the secrets that are known now.
 *
 * @throws {AppError} `signing.bad_webhook_key`
 */
export const explainSignature: ExplainWork['explainSignature'] = ({
  head,
  body,
  isCut,
  receivedAt,
  keys,
}) => {
  const { headers } = readWebhookHead(head);
  const header = (name: string): string | null => findHeader(headers, name);
  if (isCut && header('webhook-signature') !== null)
    return { verdict: 'unchecked', reason: CUT_REASON, keyIndex: null, causes: [] };
  const { causes, ...judged } = judgeWebhook({ header, body }, keys, receivedAt);
  return { ...judged, causes: [...causes] };
};
