import type * as http from 'node:http';
import { crowdedMessage, isCrowded } from '@shared/errors';
import { describeNetworkError, MOST_HEADER_BYTES } from '../../platform/http/http-errors';
import { GrowingBytes } from '../../platform/http1/growing-bytes';
import { readLogBody, readLogHead } from '../inbox-log';
import type { Carrier, ForwardOutcome, OutgoingForward, RelayedAnswer } from './delivery';
import { ID_HEADER } from './find-original';
import { keepOfMessage, readForwardedHead, withoutSecret } from './forward-head';
import type { ForwardTarget } from './forward-target';

const CONCURRENCY = 32;
/** Shorter than the five seconds after which many servers drop an idle connection. */
const KEEP_ALIVE_MS = 4000;
/** A whole attempt: backends that take half a minute are slow, and not gone. */
const ATTEMPT_MS = 60_000;
/** An answer may have so many bytes; it is kept where it goes back to the sender. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** As much as is quoted of one that is not handed on. */
const QUOTED_BYTES = 4096;

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ETIMEDOUT: 'it did not take the connection in time',
};
const GOES_ROUND: ForwardOutcome = {
  isDelivered: false,
  httpStatus: null,
  reason:
    'The address is the listener’s own: each webhook would come back. Forward to the address of your backend.',
  isUnreachable: true,
};
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

export interface BackendOptions {
  target: ForwardTarget;
  /** Whether answers go back to the senders. */
  keepsAnswers: boolean;
  /** First parts of paths that the backend is not to know. */
  secretPaths(): readonly string[];
  /** Whether the listener itself answers there now. */
  isOwn(): boolean;
  attemptMs?: number;
}

interface OpenAgent {
  readonly transport: Pick<typeof http, 'request' | 'Agent'>;
  readonly agent: http.Agent;
}

/**
 * Carries webhooks to a backend: method, headers and body as they came, on kept connections.
 *
 * Redirects are not followed, nothing is added but two headers of ours, and no proxy of the environment is used.
 */
export function createBackendCarrier(options: BackendOptions): Carrier {
  const { target } = options;
  let opening: Promise<OpenAgent> | null = null;
  return {
    concurrency: CONCURRENCY,
    async deliver(webhook) {
      if (options.isOwn()) return GOES_ROUND;
      const open = await (opening ??= openAgent(target));
      const first = await exchange(open, webhook, options, open.agent);
      // The backend closed a kept connection just as it was used again: that says nothing about this webhook.
      return first === 'stale' ? notStale(await exchange(open, webhook, options, false), target) : first;
    },
    async close() {
      (await opening)?.agent.destroy();
    },
  };
}

async function openAgent({ isTls }: ForwardTarget): Promise<OpenAgent> {
  // Loaded with the first webhook: a listener that forwards nothing starts without it.
  const transport = isTls ? await import('node:https') : await import('node:http');
  const agent = new transport.Agent({ keepAlive: true, maxSockets: CONCURRENCY, timeout: KEEP_ALIVE_MS });
  return { transport, agent };
}

function exchange(
  { transport }: OpenAgent,
  webhook: OutgoingForward,
  options: BackendOptions,
  agent: http.Agent | false,
): Promise<ForwardOutcome | 'stale'> {
  const { keepsAnswers, attemptMs = ATTEMPT_MS } = options;
  const body = readLogBody(webhook.row);
  const request = transport.request({ ...describeRequest(webhook, options, body), agent });
  return new Promise((resolve) => {
    const answer = new IncomingAnswer(webhook, options.target, keepsAnswers);
    const finish = (failure: Error | null): void => {
      clearTimeout(timer);
      const isStale = request.reusedSocket && !answer.hasBegun && CLOSED.has(codeOf(failure));
      if (isStale) resolve('stale');
      else void answer.judge(failure).then(resolve);
    };
    const stop = (why: Error): void => {
      finish(why);
      request.destroy();
    };
    const timer = setTimeout(() => stop(new TookTooLong(attemptMs)), attemptMs);
    request.on('error', finish);
    // It goes on in another protocol (101): that is all of its answer.
    request.on('upgrade', (response, socket) => {
      answer.start(response);
      socket.destroy();
      finish(null);
    });
    // Gone: nothing else tells of it.
    request.on('close', () => {
      if (!answer.hasBegun) finish(new EndedUnanswered());
    });
    request.on('response', (response) => {
      answer.start(response);
      response.on('data', (chunk: Buffer) => {
        if (!answer.take(chunk)) stop(new Error('the answer is too long'));
      });
      response.on('end', () => finish(null));
      response.on('error', finish);
    });
    request.end(body);
  });
}

function describeRequest(
  { row, id, attempt }: OutgoingForward,
  { target: to, secretPaths }: BackendOptions,
  body: Buffer,
): http.RequestOptions & { rejectUnauthorized?: boolean } {
  const { hostname, port, host, path, isTls, isLoopback } = to;
  const { method, target, headers } = readForwardedHead(readLogHead(row));
  const hasLength = body.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH';
  return {
    method,
    hostname,
    port,
    path: path ?? withoutSecret(target, secretPaths()),
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: [
      'Host',
      host,
      ...headers,
      ...(hasLength ? ['Content-Length', String(body.length)] : []),
      ID_HEADER,
      id,
      'Countersign-Attempt',
      String(attempt),
    ],
    // A server on this machine shows a certificate of its own making.
    ...(isTls ? { rejectUnauthorized: !isLoopback } : {}),
  };
}

function notStale(delivery: ForwardOutcome | 'stale', target: ForwardTarget): ForwardOutcome {
  if (delivery === 'stale') return describeFailure(new EndedUnanswered(), target);
  if (!delivery.isUnreachable || delivery.reason === null) return delivery;
  // It was there a moment ago: it may be this webhook that ended it.
  const first = 'The backend closed the connection as it was handed this webhook. Its log may tell why.';
  return { ...delivery, reason: `${first} ${delivery.reason}` };
}

class TookTooLong extends Error {
  constructor(readonly limitMs: number) {
    super();
  }
}

class EndedUnanswered extends Error {}

/** The answer to one webhook, as far as it has come. */
class IncomingAnswer {
  #response: http.IncomingMessage | null = null;
  #bytes = 0;
  readonly #body = new GrowingBytes(MAX_ANSWER_BYTES);

  constructor(
    readonly webhook: OutgoingForward,
    readonly target: ForwardTarget,
    readonly isKept: boolean,
  ) {}

  get hasBegun(): boolean {
    return this.#response !== null;
  }

  start(response: http.IncomingMessage): void {
    this.#response = response;
  }

  /** @returns whether more may come */
  take(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    const isWhole = this.#bytes <= MAX_ANSWER_BYTES;
    // What is not handed on is kept no further than an answer is quoted.
    if (isWhole && (this.isKept || this.#body.size < QUOTED_BYTES)) this.#body.append(chunk);
    return isWhole;
  }

  /** The status decides, even where the rest of the answer never came. */
  async judge(failure: Error | null): Promise<ForwardOutcome> {
    const { statusCode: httpStatus, rawHeaders = [] } = this.#response ?? {};
    if (httpStatus === undefined) return describeFailure(failure, this.target);
    const isDelivered = httpStatus >= 200 && httpStatus <= 299;
    const answer: RelayedAnswer = {
      httpStatus,
      headers: keepOfMessage(rawHeaders),
      body: this.#body.view(),
    };
    return {
      isDelivered,
      httpStatus,
      reason: isDelivered ? null : await this.#describeRefusal(httpStatus),
      isUnreachable: false,
      ...(this.isKept && failure === null ? { answer } : {}),
    };
  }

  /** The backend's own words tell what no status does, such as that it exempts no webhook from its protection of forms. */
  async #describeRefusal(httpStatus: number): Promise<string> {
    const { headers = {} } = this.#response ?? {};
    if (httpStatus === 101)
      return `The backend answered HTTP ${httpStatus}: it goes on in another protocol, which nobody asked it for.`;
    if (httpStatus <= 399 && headers.location !== undefined)
      return `The backend answered HTTP ${httpStatus}: redirects are not followed.`;
    const body = this.#body.view();
    // Loaded with the first that has something to say.
    const quote =
      body.length === 0 ? '' : (await import('./quote-refusal')).quoteRefusal(this.webhook, body, headers);
    return `The backend answered HTTP ${httpStatus}${quote && `: ${quote}`}.`;
  }
}

function describeFailure(failure: Error | null, target: ForwardTarget): ForwardOutcome {
  const failed = (reason: string, isUnreachable: boolean): ForwardOutcome => ({
    isDelivered: false,
    httpStatus: null,
    reason,
    isUnreachable,
  });
  if (failure instanceof TookTooLong) {
    return failed(`The backend did not answer within ${failure.limitMs / 1000} s.`, false);
  }
  // Where several addresses were tried, the first failure tells the most.
  const first = failure instanceof AggregateError ? (failure.errors[0] as Error) : failure;
  const code = codeOf(first);
  if (isCrowded(first)) return failed(`The webhook could not be delivered. ${crowdedMessage}`, false);
  const known = UNREACHABLE[code];
  if (known !== undefined) return failed(`The backend cannot be reached: ${known}.`, true);
  // One webhook may do that to a backend that takes all others; one that is gone refuses the next connection.
  if (CLOSED.has(code) || failure instanceof EndedUnanswered) {
    // A port that expects TLS does just that to whoever speaks without.
    const hint = target.isTls ? '' : ' Should that port speak TLS, its address begins with https://.';
    return failed(`The backend closed the connection before it answered.${hint}`, false);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const most = `${MOST_HEADER_BYTES / 1024} KiB`;
    return failed(`The backend answered with headers of more than ${most}, which are not read.`, false);
  }
  if (code.startsWith('HPE_')) return failed('What the backend answered cannot be read as HTTP.', false);
  const told = describeNetworkError(first, target, false, 'webhook');
  if (told.code === 'sending.tls') return failed(told.message, true);
  const why = (first?.message ?? code).replace(/\s+/g, ' ').slice(0, 200);
  return failed(`The webhook could not be delivered (${why}).`, false);
}

function codeOf(error: Error | null): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? '';
}
