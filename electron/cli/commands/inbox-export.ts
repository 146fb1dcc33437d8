import { maskSecrets } from '@shared/mask-secrets';
import type { StoredWebhook } from '../../listener/inbox-log';
import type { InboxReader } from '../../listener/inbox-reader';
import { defineCommand } from '../command';
import { dataOption, describeWebhook, openInboxReader } from '../open-inbox-reader';
import { readVersion } from '../read-version';

const pageSize = 500;

function* readAll(reader: InboxReader): Generator<StoredWebhook> {
  let before: number | null = null;
  for (;;) {
    const { rows } = reader.list({ limit: pageSize, before, search: '', filter: 'all' });
    for (const { id } of rows) {
      const webhook = reader.get(id);
      if (webhook !== null) yield webhook;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    before = last.id;
  }
}

/** One entry of an HTTP Archive. @source HAR 1.2 */
function describeEntry({ row, headers, body }: StoredWebhook): Record<string, unknown> {
  const named = headers.map(([name, value]) => ({ name, value }));
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '127.0.0.1';
  const mimeType = row.content_type ?? 'application/octet-stream';
  const url = maskSecrets(`http://${host}${row.path}`);
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return {
    startedDateTime: new Date(row.received_at).toISOString(),
    time: row.answered_ms ?? 0,
    request: {
      method: row.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named,
      queryString: query.map(([name, value]) => ({ name, value })),
      postData: {
        mimeType,
        text: new TextDecoder().decode(body),
        _base64: Buffer.from(body).toString('base64'),
      },
      headersSize: -1,
      bodySize: body.length,
    },
    response: {
      status: row.responded_status,
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
    timings: { send: 0, wait: row.answered_ms ?? 0, receive: 0 },
  };
}

export const command = defineCommand({
  usage: 'inbox export [--format jsonl|har] [--data DIR]',
  summary: 'Write all webhooks to stdout, newest first, bodies included.',
  options: {
    format: { type: 'text', placeholder: 'NAME', help: 'Form', choices: ['jsonl', 'har'], fallback: 'jsonl' },
    data: dataOption,
  },
  async run(context, values) {
    const reader = openInboxReader(values.data);
    const webhooks = reader === null ? [] : readAll(reader);
    if (values.format === 'jsonl') {
      for (const webhook of webhooks) context.printJson(describeWebhook(webhook));
      return 0;
    }
    const head = { version: '1.2', creator: { name: 'Countersign', version: readVersion() } };
    context.print(`${JSON.stringify({ log: head }).slice(0, -2)},"entries":[`);
    let isFirst = true;
    for (const webhook of webhooks) {
      context.print(`${isFirst ? '' : ','}${JSON.stringify(describeEntry(webhook))}`);
      isFirst = false;
    }
    context.print(']}}');
    return 0;
  },
});
