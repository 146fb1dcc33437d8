import { findOtherSignature } from '@shared/webhooks/other-signature';
import type { RequestInsight } from '../editor/inspect-request';

const operationWords: Partial<Record<string, string>> = {
  status: 'A status query',
  balances: 'A balance query',
  token: 'A token request',
  send_test: 'The webhook simulator',
  collection: 'A collection',
};

/** Says of a request that is not signed what goes out all the same: a signature that is typed is not nothing. */
export function describeUnsigned({ block, prepared }: Pick<RequestInsight, 'block' | 'prepared'>): string {
  const what = operationWords[block?.operation ?? ''] ?? 'This request';
  if (prepared?.isSignatureTyped)
    return `${what} is not signed. The X-Custom-Signature that is typed is sent.`;
  const other = findOtherSignature(prepared?.headers ?? []);
  return other === null
    ? `${what} carries no signature.`
    : `${what} is not signed. Its header ${other} is sent as it is.`;
}
