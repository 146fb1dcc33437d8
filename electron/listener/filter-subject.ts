import type { WebhookRow } from '@shared/contract/webhook-columns';
import type { JsonNode } from '@shared/json/json-tree';
import { MOST_READ_BYTES } from '@shared/webhooks/read-limit';
import type { FilterFieldName } from '@shared/webhooks/filter/filter-fields';
import { FAILED_STATUSES, type FilterSubject } from '@shared/webhooks/filter/match-filter';
import type { StoredWebhook } from './inbox-log';
import { readPayload } from './read-webhook';

export const fieldColumns = {
  status: 'status',
  reference: 'client_reference',
  path: 'path',
  method: 'method',
  verdict: 'verdict',
  rule: 'rule',
  amount: 'amount',
  code: 'code',
  payment_uuid: 'payment_uuid',
  payment_reference: 'payment_reference',
  webhook_id: 'webhook_id',
  content_type: 'content_type',
  http_status: 'responded_status',
  size: 'size_bytes',
  tag: 'tags',
  note: 'note',
} as const satisfies Readonly<Record<Exclude<FilterFieldName, 'received_at' | 'age'>, keyof WebhookRow>>;

/** Shows a webhook to a filter. Its body is read as JSON once, when a condition first asks for it. */
export function toFilterSubject(webhook: Pick<StoredWebhook, 'row' | 'headers' | 'body'>): FilterSubject {
  const { row } = webhook;
  let tree: JsonNode | null | undefined;
  return {
    field(name) {
      const value = row[fieldColumns[name]];
      if (name === 'tag') return row.tags.split(' ');
      return value === null ? null : String(value);
    },
    receivedAt: row.received_at,
    // Nothing that is too long to be looked into is fetched, either: of a hundred such, that is gigabytes.
    body: () =>
      tree === undefined
        ? (tree = row.size_bytes > MOST_READ_BYTES ? null : readPayload(webhook.body))
        : tree,
    headers: (name) =>
      webhook.headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value),
    isRead: row.is_read === 1,
    isPinned: row.is_pinned === 1,
    isFailed:
      FAILED_STATUSES.includes(row.status ?? '') || row.responded_status < 200 || row.responded_status > 299,
  };
}
