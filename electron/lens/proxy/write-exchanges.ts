import { findHeader } from '@shared/find-header';
import { describeExchange, type StoredExchange } from './stored-exchange';

/** One exchange with its bytes: a line of JSON Lines. */
export function describeWhole(exchange: StoredExchange): Record<string, unknown> {
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

type Headers = StoredExchange['detail']['requestHeaders'];

const nameHeaders = (headers: Headers) => headers.map(([name, value]) => ({ name, value }));

function typeOf(headers: Headers): string {
  return findHeader(headers, 'content-type') ?? 'application/octet-stream';
}

/** One entry of an HTTP Archive. @source HAR 1.2 */
export function describeEntry(exchange: StoredExchange): Record<string, unknown> {
  const { detail, requestBody, answerBody, durationMs } = exchange;
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
