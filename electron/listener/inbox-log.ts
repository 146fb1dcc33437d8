import type { HeaderList } from '@shared/contract/common';
import { webhookTable, type WebhookRow } from '@shared/contract/webhook-columns';
import { maskHeaders } from '@shared/mask-secrets';
import { readWebhook, readWebhookHead } from './read-webhook';

export interface LogRow {
  id: number;
  received_at: number;
  responded_status: number;
  head_size: number;
  remote_address: string | null;
  rule: string | null;
  full_bytes: number | null;
  /** Head, then body. */
  raw: Buffer;
}

export interface StoredWebhook<Row extends WebhookRow = WebhookRow> {
  row: Row;
  headers: HeaderList;
  body: Uint8Array;
  remoteAddress: string | null;
}

/** Bytes up to the empty line, secrets and all. */
export function readLogHead({ raw, head_size }: LogRow): Buffer {
  return raw.subarray(0, head_size);
}

export function readLogBody({ raw, head_size }: LogRow): Buffer {
  return raw.subarray(head_size);
}

/** Headers as they are shown: secrets masked. */
export function readLogHeaders(logRow: LogRow): HeaderList {
  return maskHeaders(readWebhookHead(readLogHead(logRow)).headers);
}

/**
 * Reads a row of the log: what lists show of it, and the text that searches read.
 *
 * @param keys - what its signature is verified with
 */
export function readLogRow(
  logRow: LogRow,
  keys: readonly string[] = [],
): StoredWebhook & { searchText: string } {
  const body = readLogBody(logRow);
  const webhook = readWebhook({
    receivedAt: logRow.received_at,
    respondedStatus: logRow.responded_status,
    rule: logRow.rule,
    fullBytes: logRow.full_bytes,
    head: readLogHead(logRow),
    body,
    keys,
  });
  return {
    row: { id: logRow.id, ...webhookTable.readRow(webhook) },
    headers: webhook.headers,
    body,
    remoteAddress: logRow.remote_address,
    searchText: webhook.searchText,
  };
}
