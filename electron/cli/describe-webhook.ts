import type { MethodOutput } from '@shared/contract/contract';
import { toPlainLine } from '@shared/plain-text';

type Webhook = Pick<
  MethodOutput<'inbox.get'>,
  | 'respondedStatus'
  | 'rule'
  | 'verdict'
  | 'verdictReason'
  | 'webhookId'
  | 'earlierAttempts'
  | 'answers'
  | 'clientReference'
  | 'paymentUuid'
>;

/** What is known of a webhook beside its bytes, a line each: its answer, signature, attempt, and the request that it answers. */
export function describeWebhook(webhook: Webhook): string[] {
  const { respondedStatus, rule, verdict, verdictReason, webhookId, earlierAttempts } = webhook;
  const byRule = rule === null ? '' : ` by the rule ${rule}`;
  const lines = [
    respondedStatus === 0 ? `Connection closed${byRule}` : `Answered HTTP ${respondedStatus}${byRule}`,
    `Signature: ${verdict ?? 'not looked at'}${verdictReason === null ? '' : `, ${verdictReason}`}`,
    ...(webhookId !== null && earlierAttempts > 0
      ? [`Attempt ${earlierAttempts + 1} with the webhook-id ${webhookId}`]
      : []),
    ...describeAnswered(webhook),
  ];
  return lines.map(toPlainLine);
}

function describeAnswered({ answers, clientReference, paymentUuid }: Webhook): string[] {
  if (answers !== null)
    return [`It answers ${answers.title}, sent ${new Date(answers.sentAt).toISOString()}`];
  return clientReference === null && paymentUuid === null ? [] : ['It answers no request known here'];
}
