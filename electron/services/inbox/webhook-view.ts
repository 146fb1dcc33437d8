import type { WebhookSummary } from '@shared/contract/inbox';
import type { WebhookRow } from '../../listener/inbox-indexer';
import { formatSortableId } from '../../platform/sortable-id';
import type { HistoryService } from '../history/create-history-service';

/** Makes the summary of a webhook, with the exchange that it answers. */
export function summariseWebhook(
  row: WebhookRow & { earlier_attempts: number },
  history: Pick<HistoryService['store'], 'findAnswered'>,
): WebhookSummary {
  const answered =
    row.client_reference === null && row.payment_uuid === null ? null : findAnswered(row, history);
  return {
    id: formatSortableId(row.id),
    receivedAt: row.received_at,
    method: row.method,
    path: row.path,
    sizeBytes: row.size_bytes,
    contentType: row.content_type,
    isRead: row.is_read === 1,
    status: row.status,
    amount: row.amount,
    clientReference: row.client_reference,
    paymentUuid: row.payment_uuid,
    webhookId: row.webhook_id,
    earlierAttempts: row.earlier_attempts,
    answers:
      answered === null
        ? null
        : {
            exchangeId: formatSortableId(answered.id),
            title: answered.title,
            operation: answered.operation,
            sentAt: answered.sent_at,
            currency: answered.currency,
          },
    respondedStatus: row.responded_status,
  };
}

/** A history that cannot be read must not hide what was received. */
function findAnswered(
  row: WebhookRow,
  history: Pick<HistoryService['store'], 'findAnswered'>,
): ReturnType<HistoryService['store']['findAnswered']> {
  try {
    return history.findAnswered(row.client_reference, row.payment_uuid);
  } catch {
    return null;
  }
}
