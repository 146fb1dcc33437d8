import { STATUS_CODES } from 'node:http';

/** What a webhook is answered with. */
export interface AnswerRule {
  readonly respondStatus: number;
  readonly delayMs: number;
}

const cache = new Map<string, Buffer>();
let cachedSecond = 0;
let cachedDate = '';

/**
 * Builds the bytes of an answer; the same for a whole second, so that nothing is composed a webhook.
 *
 * @param note - text of the body; empty: none
 */
export function answerBytes(httpStatus: number, isKeepAlive: boolean, nowMs: number, note = ''): Buffer {
  const second = Math.floor(nowMs / 1000);
  if (second !== cachedSecond) {
    cachedSecond = second;
    cachedDate = new Date(nowMs).toUTCString();
    cache.clear();
  }
  const key = `${httpStatus} ${isKeepAlive} ${note}`;
  let bytes = cache.get(key);
  if (bytes === undefined) {
    bytes = compose(httpStatus, isKeepAlive, note);
    if (cache.size < 100) cache.set(key, bytes);
  }
  return bytes;
}

function compose(httpStatus: number, isKeepAlive: boolean, note: string): Buffer {
  const hasBody = httpStatus >= 200 && httpStatus !== 204 && httpStatus !== 304;
  const lines = [`HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus] ?? 'Status'}`, `Date: ${cachedDate}`];
  if (hasBody) {
    if (note !== '') lines.push('Content-Type: text/plain; charset=utf-8');
    lines.push(`Content-Length: ${Buffer.byteLength(note)}`);
  }
  lines.push(`Connection: ${isKeepAlive ? 'keep-alive' : 'close'}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${hasBody ? note : ''}`);
}
