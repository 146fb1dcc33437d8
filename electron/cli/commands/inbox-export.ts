import { maskSecrets } from '@shared/mask-secrets';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
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

/** Those that pass, whole, newest first. */
async function* readAll(services: Services, filter: string): AsyncGenerator<WholeWebhook> {
  const query = { limit: Number.MAX_SAFE_INTEGER, search: '', filter };
  for await (const { id } of listWebhooks(services, query)) {
    yield await services.router.call('inbox.get', { id, isWhole: true });
  }
}

/** One entry of an HTTP Archive. @source HAR 1.2 */
function describeEntry({ headers, ...webhook }: WholeWebhook): Record<string, unknown> {
  const named = headers.map(([name, value]) => ({ name, value }));
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '127.0.0.1';
  const mimeType = webhook.contentType ?? 'application/octet-stream';
  const url = maskSecrets(`http://${host}${webhook.path}`);
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
  usage: 'inbox export [--format jsonl|har] [--filter EXPR] [--data DIR]',
  summary: 'Write webhooks to stdout, newest first, bodies included.',
  notes: filterNotes,
  options: {
    format: { type: 'text', placeholder: 'NAME', help: 'Form', choices: ['jsonl', 'har'], fallback: 'jsonl' },
    filter: filterOption,
    data: dataOption,
  },
  async run(context, values) {
    parseFilter(values.filter);
    await withInbox(values.data, async (services) => {
      if (values.format === 'har')
        return printArchive(context, describeAll(readAll(services, values.filter)));
      for await (const webhook of readAll(services, values.filter))
        context.printJson(describeWebhook(webhook));
    });
    return 0;
  },
});
