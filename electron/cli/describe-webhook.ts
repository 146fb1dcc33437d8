import type { MethodOutput } from '@shared/contract/contract';
import { toPlainLine } from '@shared/plain-text';
import { findOtherSignature } from '@shared/webhooks/other-signature';

type Webhook = Pick<
  MethodOutput<'inbox.get'>,
  | 'respondedStatus'
  | 'rule'
  | 'verdict'
  | 'verdictReason'
  | 'webhookId'
  | 'earlierAttempts'
  | 'answers'
  | 'answersOneOf'
  | 'clientReference'
  | 'paymentUuid'
  | 'headers'
>;

/** What is known of a webhook beside its bytes, a line each: its answer, signature, attempt, and the request that it answers. */
export function describeWebhook(webhook: Webhook): string[] {
  const { respondedStatus, rule, webhookId, earlierAttempts } = webhook;
  const byRule = rule === null ? '' : ` by the rule ${rule}`;
  const lines = [
    respondedStatus === 0 ? `Connection closed${byRule}` : `Answered HTTP ${respondedStatus}${byRule}`,
    describeSignature(webhook),
    ...(webhookId !== null && earlierAttempts > 0
      ? [`Attempt ${earlierAttempts + 1} with the webhook-id ${webhookId}`]
      : []),
    ...describeAnswered(webhook),
  ];
  return lines.map(toPlainLine);
}

function describeSignature({ verdict, verdictReason, headers }: Webhook): string {
  const other = verdict === 'unsigned' ? findOtherSignature(headers) : null;
  if (other !== null)
    return `Signature: none by Standard Webhooks; ${other} is another scheme's, not looked at`;
  return `Signature: ${verdict ?? 'not looked at'}${verdictReason === null ? '' : `, ${verdictReason}`}`;
}

function describeAnswered({ answers, answersOneOf, clientReference, paymentUuid }: Webhook): string[] {
  if (answers !== null)
    return [`It answers ${answers.title}, sent ${new Date(answers.sentAt).toISOString()}`];
  if (answersOneOf !== undefined)
    return [
      `It answers one of ${answersOneOf} payments with its reference, each at a service of its own: nobody can tell which`,
    ];
  return clientReference === null && paymentUuid === null ? [] : ['It answers no request known here'];
}
