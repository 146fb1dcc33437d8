import type { HeaderList } from '../../contract/common';
import { webhookTable } from '../../contract/webhook-columns';
import { findHeader } from '../../find-header';
import { maskSecrets } from '../../mask-secrets';
import { readQuery } from '../rules/fill-template';
import { writeWebhookAsCurl, writeWebhookAsHttp } from '../write-webhook';

/** A webhook with its bytes, as the contract shows it; secrets are masked there. */
export interface ExportedWebhook {
  readonly id: string;
  readonly receivedAt: number;
  readonly method: string;
  readonly path: string;
  readonly contentType: string | null;
  readonly clientReference: string | null;
  readonly respondedStatus: number;
  readonly answeredInMs: number | null;
  readonly sizeBytes: number;
  readonly headers: HeaderList;
  readonly body: string;
  readonly bodyBase64: string;
}

/** Forms in which webhooks are written, with what a file of it is called. */
export const webhookExportFormats = {
  jsonl: { label: 'JSON lines', hint: 'One object a line, bodies in Base64', extension: 'jsonl' },
  har: { label: 'HAR', hint: 'HTTP Archive 1.2, for browsers and proxies', extension: 'har' },
  curl: { label: 'cURL', hint: 'Commands that send the same bytes again', extension: 'sh' },
  http: { label: '.http', hint: 'Requests for an editor or a collection', extension: 'http' },
} as const satisfies Readonly<Record<string, { label: string; hint: string; extension: string }>>;

export type WebhookExportFormat = keyof typeof webhookExportFormats;
export const webhookExportNames = Object.keys(webhookExportFormats) as [
  WebhookExportFormat,
  ...WebhookExportFormat[],
];

/** One webhook as text that sends it again. @param show - what becomes of a text where it is written */
export function writeExportedWebhook(
  format: 'curl' | 'http',
  webhook: ExportedWebhook,
  show?: (text: string) => string,
): string {
  const address = addressOf(webhook);
  if (format === 'curl') return writeWebhookAsCurl(webhook, address);
  const title = `${webhook.clientReference ?? webhook.id} ${new Date(webhook.receivedAt).toISOString()}`;
  return writeWebhookAsHttp(webhook, address, title, show);
}

/** Writes webhooks as one file. */
export function writeWebhookFile(
  format: WebhookExportFormat,
  webhooks: readonly ExportedWebhook[],
  version: string,
): string {
  if (format === 'har') {
    const { head, separator, tail } = writeHarFrame(version);
    return `${head}\n${webhooks.map((one) => JSON.stringify(describeHarEntry(one))).join(`${separator}\n`)}\n${tail}\n`;
  }
  const write = (one: ExportedWebhook): string =>
    format === 'jsonl' ? JSON.stringify(describeExportedWebhook(one)) : writeExportedWebhook(format, one);
  return webhooks.map((one) => `${write(one)}\n`).join(format === 'jsonl' ? '' : '\n');
}

/** One webhook as a line of JSON has it: columns by their own names, the body in Base64. */
export function describeExportedWebhook(webhook: ExportedWebhook): Record<string, unknown> {
  const { id, headers, bodyBase64 } = webhook;
  return { id, ...webhookTable.jsonOfView({ ...webhook }), headers, body_base64: bodyBase64 };
}

/** Where it was sent to, by its own word where that is a host. */
function addressOf({ headers }: Pick<ExportedWebhook, 'headers'>): string {
  const host = findHeader(headers, 'host') ?? '';
  return `http://${/^[\w.:[\]-]+$/.test(host) ? host : '127.0.0.1'}`;
}

/** One entry of an HTTP Archive. @source HAR 1.2 */
export function describeHarEntry({ headers, ...webhook }: ExportedWebhook): Record<string, unknown> {
  const named = headers.map(([name, value]) => ({ name, value }));
  const mimeType = webhook.contentType ?? 'application/octet-stream';
  const url = maskSecrets(addressOf({ headers }) + webhook.path);
  return {
    startedDateTime: new Date(webhook.receivedAt).toISOString(),
    time: webhook.answeredInMs ?? 0,
    request: {
      method: webhook.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named,
      queryString: readQuery(url).map(([name, value]) => ({ name, value })),
      ...(webhook.bodyBase64 === ''
        ? {}
        : { postData: { mimeType, text: webhook.body, _base64: webhook.bodyBase64 } }),
      headersSize: -1,
      bodySize: webhook.sizeBytes,
    },
    response: {
      status: webhook.respondedStatus,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'text/plain' },
      redirectURL: '',
      headersSize: -1,
      bodySize: 0,
    },
    cache: {},
    timings: { send: 0, wait: webhook.answeredInMs ?? 0, receive: 0 },
  };
}

/** What stands before, between and after the entries of an HTTP Archive. @source HAR 1.2 */
export function writeHarFrame(version: string): { head: string; separator: string; tail: string } {
  const head = JSON.stringify({ log: { version: '1.2', creator: { name: 'Countersign', version } } });
  return { head: `${head.slice(0, -2)},"entries":[`, separator: ',', tail: ']}}' };
}
