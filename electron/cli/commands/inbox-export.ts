import { maskSecrets } from '@shared/mask-secrets';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { writeWebhookAsCurl, writeWebhookAsHttp } from '@shared/webhooks/write-webhook';
import type { Services } from '../../services/create-services';
import { defineCommand } from '../command';
import { printArchive } from '../write-har';
import {
  dataOption,
  describeWebhook,
  filterNotes,
  filterOption,
  listWebhooks,
  withInbox,
  type WholeWebhook,
} from '../stored-webhooks';
import { usageError } from '../usage-error';

/** Those that were named, or that pass, whole, newest first. */
async function* readAll(
  services: Services,
  filter: string,
  ids: readonly string[],
): AsyncGenerator<WholeWebhook> {
  if (ids.length > 0) {
    for (const id of ids) yield await services.router.call('inbox.get', { id, isWhole: true });
    return;
  }
  const query = { limit: Number.MAX_SAFE_INTEGER, search: '', filter };
  for await (const { id } of listWebhooks(services, query)) {
    yield await services.router.call('inbox.get', { id, isWhole: true });
  }
}

/** Where it was sent to, by its own word. */
function addressOf({ headers }: Pick<WholeWebhook, 'headers'>): string {
  return `http://${headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '127.0.0.1'}`;
}

function writeAs(format: string, webhook: WholeWebhook): string {
  if (format === 'curl') return writeWebhookAsCurl(webhook, addressOf(webhook));
  const title = `${webhook.clientReference ?? webhook.id} ${new Date(webhook.receivedAt).toISOString()}`;
  return writeWebhookAsHttp(webhook, addressOf(webhook), title);
}

/** One entry of an HTTP Archive. @source HAR 1.2 */
function describeEntry({ headers, ...webhook }: WholeWebhook): Record<string, unknown> {
  const named = headers.map(([name, value]) => ({ name, value }));
  const mimeType = webhook.contentType ?? 'application/octet-stream';
  const url = maskSecrets(addressOf({ headers }) + webhook.path);
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return {
    startedDateTime: new Date(webhook.receivedAt).toISOString(),
    time: webhook.answeredInMs ?? 0,
    request: {
      method: webhook.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named,
      queryString: query.map(([name, value]) => ({ name, value })),
      postData: {
        mimeType,
        text: webhook.body,
        _base64: webhook.bodyBase64,
      },
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

async function* describeAll(webhooks: AsyncIterable<WholeWebhook>): AsyncGenerator<unknown> {
  for await (const webhook of webhooks) yield describeEntry(webhook);
}

export const command = defineCommand({
  usage: 'inbox export [ID…] [--format jsonl|har|curl|http] [--filter EXPR] [--data DIR]',
  summary: 'Write webhooks to stdout, newest first, bodies included.',
  notes: filterNotes,
  options: {
    format: {
      type: 'text',
      placeholder: 'NAME',
      help: 'Form',
      choices: ['jsonl', 'har', 'curl', 'http'],
      fallback: 'jsonl',
    },
    filter: filterOption,
    data: dataOption,
  },
  positionals: [{ name: 'ID…', isRequired: false, isList: true, help: 'These alone' }],
  async run(context, values, ids) {
    if (ids.length > 0 && values.filter !== 'all') throw usageError('IDs exclude --filter.');
    parseFilter(values.filter);
    await withInbox(values.data, async (services) => {
      if (values.format === 'har')
        return printArchive(context, describeAll(readAll(services, values.filter, ids)));
      for await (const webhook of readAll(services, values.filter, ids)) {
        if (values.format === 'jsonl') context.printJson(describeWebhook(webhook));
        else context.print(writeAs(values.format, webhook));
      }
    });
    return 0;
  },
});
