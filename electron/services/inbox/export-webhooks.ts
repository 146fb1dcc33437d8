import { setImmediate as giveWay } from 'node:timers/promises';
import { webhookTable } from '@shared/contract/webhook-columns';
import {
  writeWebhookFile,
  type ExportedWebhook,
  type WebhookExportFormat,
} from '@shared/webhooks/export/webhook-export';
import { decodeBody } from '../../listener/read-webhook';
import { createLongWork, type LongWork } from '../../platform/workers/long-work';
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

/** A webhook as it is kept, its bytes not read as text yet. */
type KeptWebhook = Omit<ExportedWebhook, 'body' | 'bodyBase64'> & { readonly bytes: Uint8Array };

interface ExportGiven {
  readonly format: WebhookExportFormat;
  readonly webhooks: readonly KeptWebhook[];
  readonly version: string;
}

/** What writing an export is to the thread for long webhooks. */
export type ExportWork = { writeExport(given: ExportGiven): string };

export const writeExport: ExportWork['writeExport'] = ({ format, webhooks, version }) =>
  writeWebhookFile(format, webhooks.map(readBytes), version);

function readBytes({ bytes, ...webhook }: KeptWebhook): ExportedWebhook {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { ...webhook, body: decodeBody(body), bodyBase64: body.toString('base64') };
}

/** Writes webhooks as one file; reads a page at a time, so that nobody waits for it. */
export async function exportWebhooks(
  source: Pick<InboxSource, 'list' | 'get'>,
  { format, ...query }: ExportQuery,
  version: string,
  longWork: LongWork<ExportWork> = createLongWork<ExportWork>(null, { writeExport }),
): Promise<{ text: string; count: number; isCut: boolean }> {
  const webhooks: KeptWebhook[] = [];
  let bytes = 0;
  const write = async (isCut: boolean) => ({
    text: await longWork.call('writeExport', { format, webhooks, version }, bytes),
    count: webhooks.length,
    isCut,
  });
  for await (const id of listIds(source, query)) {
    const webhook = await readKept(source, id);
    if (webhook === null) continue;
    const size = webhook.bytes.length;
    if (webhooks.length === MOST || (webhooks.length > 0 && bytes + size > MOST_BODY_BYTES))
      return write(true);
    bytes += size;
    webhooks.push(webhook);
  }
  return write(false);
}

async function* listIds(
  source: Pick<InboxSource, 'list' | 'get'>,
  { ids, search, filter }: Omit<ExportQuery, 'format'>,
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

async function readKept(source: Pick<InboxSource, 'get'>, id: number): Promise<KeptWebhook | null> {
  const stored = await source.get(id);
  if (stored === null) return null;
  const { row, headers, body } = stored;
  return {
    id: formatSortableId(row.id),
    ...webhookTable.view(row, 'list'),
    ...webhookTable.view(row, 'detail'),
    headers,
    bytes: body,
  };
}
