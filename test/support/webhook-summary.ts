import type { WebhookSummary } from '@shared/contract/inbox';
import { webhookTable, type WebhookReading } from '@shared/contract/webhook-columns';

/** What came: two bytes in which nothing can be read. */
const bare: WebhookReading = {
  receivedAt: 1,
  respondedStatus: 200,
  method: 'POST',
  path: '/h',
  bodyBytes: 2,
  fullBytes: null,
  rule: null,
  signature: { verdict: 'unsigned', reason: null },
  header: () => null,
  field: () => null,
};

/** Makes a webhook as lists show it, with whatever columns there are. @param change - what the test is about */
export function makeWebhookSummary(change: Partial<WebhookSummary>): WebhookSummary {
  const shown = webhookTable.view(webhookTable.readRow(bare), 'list');
  return { id: '1', ...shown, earlierAttempts: 0, answers: null, ...change };
}
