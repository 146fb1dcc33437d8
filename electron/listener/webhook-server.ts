import type { HttpRequest, Responder } from '../platform/http1/connection';
import { createHttp1Server } from '../platform/http1/create-http1-server';
import { listenOn, type PortChoice } from '../platform/http/listen-on';
import { removeSessionCookie } from '../platform/http/session-cookie';
import type { ReceivedWebhook } from './webhook-writer';

/** What a webhook is answered with. */
export interface AnswerRule {
  readonly respondStatus: number;
  readonly delayMs: number;
}

/** What an answer may depend on. */
export interface WebhookRequest {
  readonly method: string;
  /** With its query, as sent. */
  readonly path: string;
  /** Bytes as received, without the empty line; `readWebhookHead` reads the headers. */
  readonly head: Buffer;
  readonly body: Buffer;
}

/** A webhook that waits for its commit. */
export interface PendingWebhook extends ReceivedWebhook {
  /** `performance.now()` at its first byte. */
  readonly startedAtMs: number;
  /** How long its answer waits after the commit. */
  readonly delayMs: number;
  /** Answers it. To be called once it is durable, or with 503. */
  answer(httpStatus: number, delayMs: number, note: string): void;
}

export interface WebhookServerOptions extends PortChoice {
  tls: { key: string; cert: string } | null;
  /** What a webhook is answered with, asked once it is whole. */
  answerFor: (request: WebhookRequest) => AnswerRule;
  /** Gets all webhooks that were complete in one turn of the event loop. */
  onBatch: (webhooks: PendingWebhook[]) => void;
}

export interface WebhookServer {
  readonly port: number;
  close(): Promise<void>;
}

const MAX_BODY_MIB = 64;
const TOO_LONG = `The body is longer than ${MAX_BODY_MIB} MiB.`;
const plainText = ['Content-Type', 'text/plain; charset=utf-8'];

/**
 * Serves webhooks: any method, any path, HTTP/1.0 and 1.1.
 *
 * @throws {AppError} `listener.port_in_use`, `listener.port_refused`
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const take = gatherTurn(options.onBatch);
  const { server, close } = createHttp1Server(
    {
      maxBodyBytes: MAX_BODY_MIB * 1024 * 1024,
      receive: (request, responder) => take(toWebhook(request, responder, options.answerFor)),
      refuse: (httpStatus, reason) => ({ httpStatus, headers: plainText, body: `Not taken: ${reason}.\n` }),
    },
    options.tls,
  );
  return { port: await listenOn(server, 'listener', options), close };
}

function toWebhook(
  request: HttpRequest,
  responder: Responder,
  answerFor: WebhookServerOptions['answerFor'],
): PendingWebhook {
  const { method, target: path, receivedAt, startedAtMs, remoteAddress, body, isTooLong } = request;
  const head = removeSessionCookie(request.head);
  // A webhook that is too long is not kept, but that it came is.
  const rule = isTooLong ? { respondStatus: 413, delayMs: 0 } : answerFor({ method, path, head, body });
  return {
    receivedAt,
    startedAtMs,
    respondedStatus: rule.respondStatus,
    delayMs: rule.delayMs,
    remoteAddress,
    rule: null,
    fullBytes: null,
    head,
    body,
    answer(httpStatus, delayMs, note) {
      const text = note === '' && isTooLong ? TOO_LONG : note;
      const send = (): void => responder.answer(httpStatus, text === '' ? [] : plainText, text);
      if (delayMs > 0) setTimeout(send, delayMs);
      else send();
    },
  };
}

function gatherTurn(onBatch: WebhookServerOptions['onBatch']): (webhook: PendingWebhook) => void {
  let batch: PendingWebhook[] = [];
  const flush = (): void => {
    const complete = batch;
    batch = [];
    onBatch(complete);
  };
  return (webhook) => {
    if (batch.push(webhook) === 1) setImmediate(flush);
  };
}
