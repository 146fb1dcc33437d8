import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import type { webhookDetail, WebhookSummary } from '@shared/contract/inbox';
import { shownBodySize } from '@shared/contract/shown-size';
import { webhookTable } from '@shared/contract/webhook-columns';
import type { ListedWebhook } from '../../listener/inbox-reader';
import { remarkBody } from '@shared/webhooks/body-remarks';
import { decodeBody } from '../../listener/read-webhook';
import { formatSortableId } from '../../platform/sortable-id';
import { findArrivalRemarks, type PaymentSources } from './find-arrival-remarks';
import type { InboxSource, SourceWebhook } from './inbox-source';
import { nothingAnswered } from '../history/choose-answered';
import type { HistoryService } from '../history/create-history-service';

type History = Pick<HistoryService['store'], 'findAnswered'>;

/** Makes the summary of a webhook, with the exchange that it answers. */
export function summariseWebhook(row: ListedWebhook, history: History): WebhookSummary {
  const isOfPayment = row.client_reference !== null || row.payment_uuid !== null;
  const { row: answered, oneOf } = isOfPayment ? findAnswered(row, history) : nothingAnswered;
  return {
    id: formatSortableId(row.id),
    ...webhookTable.view(row, 'list'),
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
    ...(oneOf > 0 ? { answersOneOf: oneOf } : {}),
  };
}

/** Makes the whole view of a webhook, with its bytes: all of them, or as far as a screen shows them. */
export async function describeWebhook(
  stored: SourceWebhook,
  { source, ...sources }: PaymentSources & { source: Pick<InboxSource, 'findEarlier'> },
  isWhole: boolean,
): Promise<z.output<typeof webhookDetail>> {
  const { row, headers, body, remoteAddress, lastMark = null } = stored;
  const shown = isWhole ? body : body.subarray(0, shownBodySize);
  return {
    ...summariseWebhook(row, sources.history),
    ...webhookTable.view(row, 'detail'),
    headers,
    body: decodeBody(shown),
    bodyBase64: Buffer.from(shown.buffer, shown.byteOffset, shown.length).toString('base64'),
    isBodyCut: body.length > shown.length,
    remoteAddress,
    lastMark,
    remarks: [
      // Of one that was kept cut, a character may be, too.
      ...remarkBody(headers, { sizeBytes: body.length, isUtf8: () => row.is_cut !== 0 || isUtf8(body) }),
      ...(await findArrivalRemarks(stored, source, sources)),
    ],
  };
}

/** A history that cannot be read must not hide what was received. */
function findAnswered(row: ListedWebhook, history: History): ReturnType<History['findAnswered']> {
  try {
    return history.findAnswered(row.client_reference, row.payment_uuid);
  } catch {
    return nothingAnswered;
  }
}
