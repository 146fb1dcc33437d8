import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest, Responder } from '../platform/http1/connection';
import { createHttp1Server } from '../platform/http1/create-http1-server';
import { listenOn, type ListenChoice } from '../platform/http/listen-on';
import { removeSessionCookie } from '../platform/http/session-cookie';
import { hasBody } from '../platform/http1/write-answer';
import type { RelayedAnswer } from './forwarding/delivery';
import type { ReceivedWebhook } from './webhook-writer';

/** What a webhook is answered with where no rule says anything else. */
export interface UsualAnswer {
  readonly respondStatus: number;
  readonly delayMs: number;
}

export interface ChosenAnswer extends UsualAnswer {
  /** Name of the rule that says so; null: none does. */
  readonly rule: string | null;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  readonly body: string;
  /** The connection is closed instead. */
  readonly isDropped: boolean;
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
  /** Answers it as chosen. To be called once it is durable. */
  keep(): void;
  /** Answers that it is not kept. */
  refuse(httpStatus: number, reason: string): void;
  /** Answers it with what somebody else has answered. */
  relay(answer: RelayedAnswer): void;
}

/** A path that nobody guesses, and what is answered there to whoever watches a tunnel: nothing of it is ever kept. */
export interface TunnelProbe {
  readonly path: string;
  readonly answer: string;
}

/** Something that was sent here and is not kept, for it is no request or not for this address. */
export interface NotTaken {
  /** Epoch milliseconds. */
  readonly at: number;
  /** What its sender was answered; null: nothing could be. */
  readonly httpStatus: number | null;
  readonly reason: string;
  readonly remoteAddress: string;
}

export interface WebhookServerOptions extends ListenChoice {
  readProbe?: () => TunnelProbe | null;
  tls: { key: string; cert: string } | null;
  /** Longest body that is taken; of longer ones the beginning is kept, and they are answered 413. */
  maxBodyBytes: number;
  /** What the first part of a path must be, else it is answered 404 and nothing is kept; null: any will do. */
  secretPath: string | null;
  /** What a webhook is answered with, asked once it is whole. */
  answerFor: (request: WebhookRequest) => ChosenAnswer;
  /** Gets all webhooks that were complete in one turn of the event loop. */
  onBatch: (webhooks: PendingWebhook[]) => void;
  /** Its sender alone would know of it. */
  onNotTaken?: (request: NotTaken) => void;
}

export interface WebhookServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Longest body that is taken, where nobody says otherwise. */
export const USUAL_BODY_BYTES = 64 * 1024 * 1024;
/** So much is kept of a body that is too long. */
const KEPT_BYTES = 64 * 1024;
const plainText = ['Content-Type', 'text/plain; charset=utf-8'];
const comeAgain = [...plainText, 'Retry-After', '5'];
/** Stands for the status where the connection was closed instead. */
const NOT_ANSWERED = 0;

/**
 * Serves webhooks: any method, any path, HTTP/1.0 and 1.1.
 *
 * @throws {AppError} `listener.port_in_use`, `listener.port_refused`
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const take = gatherTurn(options.onBatch);
  const { maxBodyBytes, secretPath } = options;
  const tell = (httpStatus: number | null, reason: string, remoteAddress: string): void =>
    options.onNotTaken?.({ at: Date.now(), httpStatus, reason, remoteAddress });
  const isWanted = secretPath === null ? () => true : guardPath(secretPath);
  const { server, close } = createHttp1Server(
    {
      maxBodyBytes,
      keptBytes: KEPT_BYTES,
      receive(request, responder) {
        const probe = options.readProbe?.() ?? null;
        if (probe !== null && request.target.endsWith(probe.path)) responder.answer(200, [], probe.answer);
        else if (isWanted(request.target)) take(toWebhook(request, responder, options));
        else {
          tell(404, 'its path does not begin with the secret part of the address', request.remoteAddress);
          responder.answer(404, plainText, 'There is nothing here.\n');
        }
      },
      refuse(httpStatus, reason, remoteAddress) {
        tell(httpStatus, reason, remoteAddress);
        return { httpStatus, headers: plainText, body: `Not taken: ${reason}.\n` };
      },
      noteTlsFault: (reason, remoteAddress) => tell(null, reason, remoteAddress),
    },
    options.tls,
  );
  return { port: await listenOn(server, 'listener', options), close };
}

function toWebhook(
  request: HttpRequest,
  responder: Responder,
  { answerFor, maxBodyBytes }: Pick<WebhookServerOptions, 'answerFor' | 'maxBodyBytes'>,
): PendingWebhook {
  const { method, target: path, receivedAt, startedAtMs, remoteAddress, body, isTooLong } = request;
  const head = removeSessionCookie(request.head);
  // A webhook that is too long is not kept, but that it came is.
  const chosen = isTooLong ? answerTooLong(maxBodyBytes) : answerFor({ method, path, head, body });
  return {
    receivedAt,
    startedAtMs,
    respondedStatus: chosen.isDropped ? NOT_ANSWERED : chosen.respondStatus,
    delayMs: chosen.delayMs,
    remoteAddress,
    rule: chosen.rule,
    fullBytes: isTooLong ? readFullBytes(request) : null,
    head,
    body,
    keep() {
      const send = (): void => {
        if (chosen.isDropped) responder.drop();
        else responder.answer(chosen.respondStatus, chosen.headers, chosen.body);
      };
      if (chosen.delayMs > 0) setTimeout(send, chosen.delayMs);
      else send();
    },
    refuse: (httpStatus, reason) =>
      responder.answer(httpStatus, httpStatus === 503 ? comeAgain : plainText, reason),
    relay: (answer) => relayAnswer(responder, answer),
  };
}

function answerTooLong(maxBodyBytes: number): ChosenAnswer {
  const size = maxBodyBytes < 1024 * 1024 ? `${maxBodyBytes} bytes` : `${maxBodyBytes / 1024 / 1024} MiB`;
  const body = `The body is longer than ${size}.`;
  return { respondStatus: 413, delayMs: 0, rule: null, headers: plainText, body, isDropped: false };
}

/** What a body that is too long would have been, by its own word; of one in chunks as many as they told before it was refused. */
function readFullBytes({ headers, countedBytes }: HttpRequest): number {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length');
  return at === -1 ? countedBytes : Number(headers[at + 1]);
}

/** Compares digests: how long it takes tells nothing of how much of a guess was right. */
function guardPath(secret: string): (path: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (path) => timingSafeEqual(digest(/^\/([^/?#]*)/.exec(path)?.[1] ?? ''), expected);
}

function relayAnswer(responder: Responder, { httpStatus, headers, body }: RelayedAnswer): void {
  const bytes = hasBody(httpStatus) ? body : body.subarray(0, 0);
  responder.begin(httpStatus, headers.filter(isNotDate), bytes.length);
  if (bytes.length > 0) responder.write(bytes);
  responder.finish();
}

/** The date is written with every answer of ours. */
function isNotDate(_text: string, at: number, headers: readonly string[]): boolean {
  return headers[at - (at % 2)]!.toLowerCase() !== 'date';
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
