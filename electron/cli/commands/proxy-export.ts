import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@shared/errors';
import { openExchangeStore, proxyFile } from '../../services/proxy/exchange-store';
import { describeExchange, type StoredExchange } from '../../services/proxy/stored-exchange';
import { defineCommand } from '../command';
import { openServices } from '../open-services';
import { printArchive } from '../write-har';
import { proxyDataOption } from './proxy';

/** One exchange with its bytes. */
function describeWhole(exchange: StoredExchange): Record<string, unknown> {
  const { detail, requestBody, answerBody } = exchange;
  return {
    ...describeExchange(exchange),
    origin: detail.origin,
    query: detail.query,
    string_to_sign: detail.stringToSign,
    request: {
      headers: detail.requestHeaders,
      body_base64: requestBody.toString('base64'),
      size_bytes: detail.requestBytes,
    },
    answer: {
      headers: detail.answerHeaders,
      body_base64: answerBody.toString('base64'),
      size_bytes: detail.answerBytes,
    },
  };
}

/** One entry of an HTTP Archive. @source HAR 1.2 */
function describeEntry(exchange: StoredExchange): Record<string, unknown> {
  const { detail, requestBody, answerBody, durationMs } = exchange;
  const nameHeaders = (headers: readonly (readonly [string, string])[]) =>
    headers.map(([name, value]) => ({ name, value }));
  const typeOf = (headers: readonly (readonly [string, string])[]): string =>
    headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/octet-stream';
  const base = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: new Date(exchange.at).toISOString(),
    time: durationMs,
    request: {
      ...base,
      method: exchange.method,
      url: detail.origin + exchange.path + (detail.query === '' ? '' : `?${detail.query}`),
      headers: nameHeaders(detail.requestHeaders),
      queryString: [...new URLSearchParams(detail.query)].map(([name, value]) => ({ name, value })),
      ...(detail.requestBytes === 0
        ? {}
        : { postData: { mimeType: typeOf(detail.requestHeaders), text: requestBody.toString('utf8') } }),
      bodySize: detail.requestBytes,
    },
    response: {
      ...base,
      status: exchange.httpStatus ?? 0,
      statusText: '',
      headers: nameHeaders(detail.answerHeaders),
      content: {
        size: detail.answerBytes,
        mimeType: typeOf(detail.answerHeaders),
        text: answerBody.toString('utf8'),
      },
      redirectURL: '',
      bodySize: detail.answerBytes,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `${exchange.id}${detail.reason === null ? '' : `: ${detail.reason}`}`,
  };
}

function* mapEach<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<U> {
  for (const item of items) yield change(item);
}

export const command = defineCommand({
  usage: 'proxy export [--format jsonl|har] [--data DIR]',
  summary: 'Write what passed the proxy to stdout, oldest first, bodies included, secrets masked.',
  options: {
    format: { type: 'text', placeholder: 'NAME', help: 'Form', choices: ['jsonl', 'har'], fallback: 'jsonl' },
    data: proxyDataOption,
  },
  async run(context, values) {
    const directory = openServices({ data: values.data, mustExist: true }).ports.dataDirectory!;
    if (!existsSync(join(directory, proxyFile))) {
      throw new AppError(
        'cli.no_data',
        `No proxy has kept anything in ${directory}. Run countersign proxy --data there first.`,
      );
    }
    const store = openExchangeStore(directory, null);
    try {
      const exchanges = store.readSince(0);
      if (values.format === 'har') await printArchive(context, mapEach(exchanges, describeEntry));
      else for (const exchange of exchanges) context.printJson(describeWhole(exchange));
    } finally {
      store.close();
    }
    return 0;
  },
});
