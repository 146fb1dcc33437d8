import type * as http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { QUOTED_BYTES, quoteAnswer } from '@shared/quote-answer';
import { isLoopback, readTarget } from '../../platform/http/call-target';
import { createHiding, type Hide } from '../../platform/mask-message';
import { describeNetworkError, MOST_HEADER_BYTES } from '../../platform/http/http-errors';

/** How a webhook is put on its way; plainly where nothing is said. */
export interface SendingManner {
  /** The body goes out in so many pieces, with a pause between them. */
  readonly pieces?: number;
  readonly pauseMs?: number;
  /** The body waits for this: two that wait for one signal arrive at the same moment. */
  readonly release?: Promise<void>;
  /** The connection is cut once all is sent, as if the answer had been lost on its way. */
  readonly isAnswerLost?: boolean;
  /** Takes out of the answer's words what must not be shown. */
  readonly hide?: Hide;
  /** Cuts it at once, and whatever would come after it. */
  readonly signal?: AbortSignal;
}

/** What became of one webhook. */
export interface ReceiverAnswer {
  /** Null: there was none; `error` says why. */
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly location: string | null;
  /** What the answer says of itself, in quotation marks; empty: nothing. */
  readonly quote: string;
  /** It came before all of the webhook had been sent. */
  readonly isEarly: boolean;
  /** From the last byte sent to the end of the answer. */
  readonly elapsedMs: number;
}

/** Of an answer so much is read; its status says all that counts. */
const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Sends one webhook on a connection of its own: no redirect is followed, nothing is sent twice.
 *
 * As in the sandbox, a receiver on this machine may show a certificate of its own making.
 * @param timeoutMs - from the last byte sent to the answer
 */
export async function postWebhook(
  url: URL,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: Buffer },
  timeoutMs: number,
  manner: SendingManner = {},
): Promise<ReceiverAnswer> {
  const isTls = url.protocol === 'https:';
  const transport = isTls ? await import('node:https') : await import('node:http');
  const request = transport.request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    ...(manner.signal && { signal: manner.signal }),
    ...(isTls ? { rejectUnauthorized: !isLoopback(readTarget(url)) } : {}),
  });
  const outcome = awaitOutcome(request, url, manner.hide ?? createHiding([]));
  const stopAfter = (ms: number): NodeJS.Timeout => setTimeout(() => outcome.giveUp(timeoutMs), ms);
  const plannedMs = (manner.pieces ?? 0) * (manner.pauseMs ?? 0);
  // A receiver that reads no further must not hold us, either.
  const sending = stopAfter(timeoutMs + plannedMs);
  await Promise.race([writeBody(request, body, manner), outcome.end]);
  clearTimeout(sending);
  const isEarly = outcome.hasBegun() && !request.writableEnded;
  const sentAt = performance.now();
  if (manner.isAnswerLost === true) {
    await wait(LOST_ANSWER_MS);
    request.destroy();
    return { httpStatus: null, error: null, location: null, quote: '', isEarly: false, elapsedMs: 0 };
  }
  const timer = stopAfter(timeoutMs);
  const answer = await outcome.end;
  clearTimeout(timer);
  request.destroy();
  return { ...answer, isEarly, elapsedMs: Math.round((performance.now() - sentAt) * 10) / 10 };
}

/** A receiver that was sent everything gets so long to begin with it before the connection is cut. */
const LOST_ANSWER_MS = 50;

type Outcome = Pick<ReceiverAnswer, 'httpStatus' | 'error' | 'location' | 'quote'>;

function awaitOutcome(request: http.ClientRequest, url: URL, hide: Hide) {
  let response: http.IncomingMessage | null = null;
  const beginning: Buffer[] = [];
  let settle: (outcome: Outcome) => void = () => undefined;
  const end = new Promise<Outcome>((resolve) => (settle = resolve));
  const finish = (error: string | null): void =>
    settle({
      httpStatus: response?.statusCode ?? null,
      error: response === null ? error : null,
      location: response?.headers.location === undefined ? null : hide(response.headers.location),
      quote: quoteAnswer(Buffer.concat(beginning), response?.headers ?? {}, hide),
    });
  request.on('error', (error) => finish(describeFailure(error, url)));
  request.on('close', () => finish(droppedBy(url)));
  // It goes on in another protocol (101): that is all of its answer.
  request.on('upgrade', (incoming, socket) => {
    response = incoming;
    socket.destroy();
    finish(null);
  });
  request.on('response', (incoming) => {
    response = incoming;
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      if (bytes < QUOTED_BYTES) beginning.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_ANSWER_BYTES) request.destroy();
    });
    incoming.on('end', () => finish(null));
    incoming.on('error', () => finish(null));
    incoming.on('close', () => finish(null));
  });
  return {
    end,
    hasBegun: () => response !== null,
    /** As the service does: an answer that does not end in time is none. */
    giveUp(timeoutMs: number) {
      const what = response === null ? 'it did not answer' : 'its answer had begun, but did not end';
      settle({ httpStatus: null, error: `${what} within ${timeoutMs / 1000} s`, location: null, quote: '' });
      request.destroy();
    },
  };
}

function describeFailure(error: NodeJS.ErrnoException, url: URL): string {
  if (error.code === undefined) return error.message;
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return `it answered with headers of more than ${MOST_HEADER_BYTES / 1024} KiB`;
  if (error.code.startsWith('HPE_')) return `what it answered cannot be read as HTTP/1.1${hintAtTls(url)}`;
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return droppedBy(url);
  return describeNetworkError(error, readTarget(url), false, 'webhook').message.replace(/\.$/, '');
}

/** A port that expects TLS does just that to whoever speaks without. */
const droppedBy = (url: URL): string => `it dropped the connection without an answer${hintAtTls(url)}`;

/** Said of a receiver that is not known to speak HTTP. */
export const TLS_HINT = ' (should that port speak TLS, its address begins with https://)';

const hintAtTls = ({ protocol }: URL): string => (protocol === 'http:' ? TLS_HINT : '');

async function writeBody(request: http.ClientRequest, body: Buffer, manner: SendingManner): Promise<void> {
  const { pieces = 1, pauseMs = 0, release } = manner;
  if (release !== undefined) {
    request.flushHeaders();
    await release;
  }
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length - size && !request.destroyed; at += size) {
    await new Promise<void>((resolve) => request.write(body.subarray(at, at + size), () => resolve()));
    await wait(pauseMs);
  }
  await new Promise<void>((resolve) => request.end(body.subarray(size * (pieces - 1)), resolve));
}
