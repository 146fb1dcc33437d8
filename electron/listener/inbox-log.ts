import type { HeaderList } from '@shared/contract/common';
import { webhookTable, type WebhookRow } from '@shared/contract/webhook-columns';
import { readWebhook } from './read-webhook';

/** One row of the log: a webhook as it was received. */
export interface LogRow {
  id: number;
  received_at: number;
  responded_status: number;
  head_size: number;
  remote_address: string | null;
  /** Head, then body. */
  raw: Buffer;
}

/** A webhook that is kept: its row, and its bytes. */
export interface StoredWebhook<Row extends WebhookRow = WebhookRow> {
  row: Row;
  headers: HeaderList;
  body: Uint8Array;
  remoteAddress: string | null;
}

/** Reads a row of the log: what lists show of it, and the text that searches read. */
export function readLogRow(logRow: LogRow): StoredWebhook & { searchText: string } {
  const { raw } = logRow;
  const body = raw.subarray(logRow.head_size);
  const webhook = readWebhook({
    receivedAt: logRow.received_at,
    respondedStatus: logRow.responded_status,
    head: raw.subarray(0, logRow.head_size),
    body,
  });
  return {
    row: { id: logRow.id, ...webhookTable.readRow(webhook) },
    headers: webhook.headers,
    body,
    remoteAddress: logRow.remote_address,
    searchText: webhook.searchText,
  };
}
