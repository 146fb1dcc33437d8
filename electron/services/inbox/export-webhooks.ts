import { setImmediate as giveWay } from 'node:timers/promises';
import { webhookTable } from '@shared/contract/webhook-columns';
import {
  writeWebhookFile,
  type ExportedWebhook,
  type WebhookExportFormat,
} from '@shared/webhooks/export/webhook-export';
import { decodeBody } from '../../listener/read-webhook';
import { formatSortableId, parseSortableId } from '../../platform/sortable-id';
import type { InboxSource } from './inbox-source';

/** One answer holds so many webhooks, and bodies of so many bytes. */
const MOST = 10_000;
const MOST_BODY_BYTES = 24 * 1024 * 1024;
const PAGE = 200;

interface ExportQuery {
  ids?: readonly string[] | undefined;
  search: string;
  filter: string;
  format: WebhookExportFormat;
}

/** Writes webhooks as one file; reads a page at a time, so that nobody waits for it. */
export async function exportWebhooks(
  source: Pick<InboxSource, 'list' | 'get'>,
  query: ExportQuery,
  version: string,
): Promise<{ text: string; count: number; isCut: boolean }> {
  const chosen: ExportedWebhook[] = [];
  let bytes = 0;
  for await (const id of listIds(source, query)) {
    const webhook = await readWhole(source, id);
    if (webhook === null) continue;
    bytes += webhook.body.length;
    if (chosen.length === MOST || (chosen.length > 0 && bytes > MOST_BODY_BYTES)) {
      return { text: writeWebhookFile(query.format, chosen, version), count: chosen.length, isCut: true };
    }
    chosen.push(webhook);
  }
  return { text: writeWebhookFile(query.format, chosen, version), count: chosen.length, isCut: false };
}

async function* listIds(
  source: Pick<InboxSource, 'list' | 'get'>,
  { ids, search, filter }: ExportQuery,
): AsyncGenerator<number> {
  if (ids !== undefined) {
    // Newest first, whatever the order in which they were chosen.
    yield* ids
      .map(parseSortableId)
      .filter((id) => id !== null)
      .toSorted((left, right) => right - left);
    return;
  }
  for (let before: number | null = null; ;) {
    const page = await source.list({ limit: PAGE, before, search, filter });
    yield* page.rows.map(({ id }) => id);
    before = page.next;
    if (before === null) return;
    await giveWay();
  }
}

async function readWhole(source: Pick<InboxSource, 'get'>, id: number): Promise<ExportedWebhook | null> {
  const stored = await source.get(id);
  if (stored === null) return null;
  const { row, headers, body } = stored;
  return {
    id: formatSortableId(row.id),
    ...webhookTable.view(row, 'list'),
    ...webhookTable.view(row, 'detail'),
    headers,
    body: decodeBody(body),
    bodyBase64: Buffer.from(body).toString('base64'),
  };
}
