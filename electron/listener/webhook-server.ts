import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listenOn, type PortChoice } from '../platform/listen-on';
import { answerBytes, type AnswerRule } from './answer-bytes';
import type { ReceivedWebhook } from './webhook-writer';
import { GrowingBytes } from './growing-bytes';
import { ChunkedBody, readHead } from './read-request';

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Bytes of unfinished bodies over all connections; above it new ones get 503. */
const MAX_PENDING_BYTES = 512 * 1024 * 1024;
const MAX_PIPELINED_BYTES = 256 * 1024;
const HEAD_TIMEOUT_MS = 15_000;
const BODY_IDLE_TIMEOUT_MS = 30_000;
const BODY_TOTAL_TIMEOUT_MS = 600_000;
const IDLE_TIMEOUT_MS = 65_000;
const SWEEP_MS = 1000;
const MAX_CONNECTIONS = 4096;
/** How long a client that is refused may go on sending before it is cut off. */
const LINGER_MS = 2000;
const EMPTY = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';

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

interface Shared extends WebhookServerOptions {
  queue: PendingWebhook[];
  isFlushScheduled: boolean;
  pendingBytes: number;
  connections: Set<Connection>;
}

/**
 * Serves webhooks: any method, any path, HTTP/1.0 and 1.1.
 *
 * Speaks HTTP on the socket itself, strictly, because the objects of `node:http` cost more than storing a
 * webhook does. Every request is handed over whole; requests of one connection are taken one after the other.
 * @throws {AppError} `listener.port_in_use`, `listener.port_refused`
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const shared: Shared = {
    ...options,
    queue: [],
    isFlushScheduled: false,
    pendingBytes: 0,
    connections: new Set(),
  };
  const onSocket = (socket: Socket): void => void shared.connections.add(new Connection(socket, shared));
  const settings = { allowHalfOpen: true, noDelay: true };
  const server: Server =
    options.tls === null
      ? createServer(settings, onSocket)
      : createTlsServer({ ...settings, ...options.tls, handshakeTimeout: HEAD_TIMEOUT_MS }, onSocket);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
  const port = await listenOn(server, 'listener', options);
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const connection of shared.connections) connection.checkDeadline(now);
  }, SWEEP_MS);
  sweep.unref();
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        clearInterval(sweep);
        server.close(() => resolve());
        for (const connection of shared.connections) connection.stop();
      }),
  };
}

function schedule(shared: Shared, webhook: PendingWebhook): void {
  shared.queue.push(webhook);
  if (shared.isFlushScheduled) return;
  shared.isFlushScheduled = true;
  setImmediate(() => {
    shared.isFlushScheduled = false;
    const batch = shared.queue;
    shared.queue = [];
    shared.onBatch(batch);
  });
}

class Connection {
  /** `head`: waits for a head. `body`: collects one. `answering`: waits for the commit. `refused`: on its way out. */
  #state: 'head' | 'body' | 'answering' | 'refused' = 'head';
  #pending: Buffer = EMPTY;
  #deadline = performance.now() + IDLE_TIMEOUT_MS;
  #startedAt = 0;
  #receivedAt = 0;
  #isKeepAlive = true;
  #head: Buffer = EMPTY;
  #target = { method: '', path: '' };
  #collected = new GrowingBytes();
  #bodyLength = 0;
  #chunked: ChunkedBody | null = null;
  #reserved = 0;
  #hasEnded = false;
  #isClosed = false;

  constructor(
    readonly socket: Socket,
    readonly shared: Shared,
  ) {
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => this.#onEnd());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#onClose());
  }

  checkDeadline(now: number): void {
    if (now < this.#deadline || this.#state === 'answering') return;
    if (this.#state === 'refused' || this.#startedAt === 0) this.socket.destroy();
    else this.#refuse(408, 'The request did not arrive in time.');
  }

  stop(): void {
    if (this.#state === 'answering') this.#isKeepAlive = false;
    else this.socket.destroy();
  }

  #onData(chunk: Buffer): void {
    if (this.#state === 'refused') return;
    if (this.#state === 'answering') {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      if (this.#pending.length > MAX_PIPELINED_BYTES) this.socket.pause();
      return;
    }
    if (this.#state === 'body') this.#takeBody(chunk);
    else this.#takeHead(this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]));
  }

  #onEnd(): void {
    this.#hasEnded = true;
    if (this.#state !== 'answering') this.socket.end();
  }

  #onClose(): void {
    this.#isClosed = true;
    this.#release();
    this.#pending = EMPTY;
    this.shared.connections.delete(this);
  }

  #takeHead(data: Buffer): void {
    let from = 0;
    // Empty lines in front of a request are passed over (RFC 9112 §2.2).
    while (data[from] === 0x0d && data[from + 1] === 0x0a) from += 2;
    if (this.#startedAt === 0 && data.length > from) {
      this.#startedAt = performance.now();
      this.#receivedAt = Date.now();
      this.#deadline = this.#startedAt + HEAD_TIMEOUT_MS;
    }
    const end = data.indexOf(HEAD_END, from);
    if (end === -1 || end - from > MAX_HEAD_BYTES) {
      if (data.length - from > MAX_HEAD_BYTES) this.#refuse(431, 'The head of the request is too long.');
      else if (data[from] === 0x16) this.#refuse(400, describeTls());
      else this.#pending = from === 0 ? data : data.subarray(from);
      return;
    }
    this.#pending = EMPTY;
    const head = readHead(data.toString('latin1', from, end));
    if (head.kind === 'refused') return this.#refuse(head.httpStatus, `Not understood: ${head.reason}.`);
    this.#head = data.subarray(from, end);
    this.#target = head;
    this.#isKeepAlive = head.isKeepAlive;
    if (head.contentLength > MAX_BODY_BYTES) return this.#recordTooLong();
    this.#startBody(head.contentLength, head.expectsContinue, data.subarray(end + 4));
  }

  #startBody(contentLength: number, expectsContinue: boolean, rest: Buffer): void {
    if (contentLength === 0) return this.#complete(EMPTY, rest);
    if (rest.length >= contentLength && contentLength > 0) {
      return this.#complete(rest.subarray(0, contentLength), rest.subarray(contentLength));
    }
    this.#state = 'body';
    this.#collected = new GrowingBytes();
    this.#bodyLength = contentLength;
    this.#chunked = contentLength === -1 ? new ChunkedBody(MAX_BODY_BYTES) : null;
    if (expectsContinue) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    this.#takeBody(rest);
  }

  #takeBody(chunk: Buffer): void {
    const now = performance.now();
    this.#deadline = Math.min(now + BODY_IDLE_TIMEOUT_MS, this.#startedAt + BODY_TOTAL_TIMEOUT_MS);
    this.#reserved += chunk.length;
    this.shared.pendingBytes += chunk.length;
    if (this.shared.pendingBytes > MAX_PENDING_BYTES) {
      return this.#refuse(503, 'Too many unfinished webhooks at once. Send again later.');
    }
    if (this.#chunked !== null) return this.#takeChunked(this.#chunked, chunk);
    const missing = this.#bodyLength - this.#collected.size;
    this.#collected.append(chunk.length <= missing ? chunk : chunk.subarray(0, missing));
    if (chunk.length >= missing) this.#complete(this.#collected.take(), chunk.subarray(missing));
  }

  #takeChunked(body: ChunkedBody, chunk: Buffer): void {
    const reading = body.push(chunk);
    if (reading.kind === 'complete') this.#complete(body.body.take(), reading.rest);
    else if (reading.kind === 'refused') {
      if (reading.httpStatus === 413) this.#recordTooLong();
      else this.#refuse(reading.httpStatus, `Not understood: ${reading.reason}.`);
    }
  }

  #complete(body: Buffer, rest: Buffer): void {
    this.#pending = rest;
    const { method, path } = this.#target;
    const { respondStatus, delayMs } = this.shared.answerFor({ method, path, head: this.#head, body });
    this.#enqueue(body, respondStatus, delayMs, '');
  }

  /** A webhook that is too long is not kept, but that it came is. */
  #recordTooLong(): void {
    this.#isKeepAlive = false;
    const limit = Math.floor(MAX_BODY_BYTES / 1024 / 1024);
    this.#enqueue(EMPTY, 413, 0, `The body is longer than ${limit} MiB.`);
  }

  #enqueue(body: Buffer, respondedStatus: number, delayMs: number, note: string): void {
    this.#state = 'answering';
    this.#collected = new GrowingBytes();
    this.#chunked = null;
    schedule(this.shared, {
      receivedAt: this.#receivedAt,
      startedAtMs: this.#startedAt,
      respondedStatus,
      delayMs,
      remoteAddress: this.socket.remoteAddress ?? '',
      head: this.#head,
      body,
      answer: (httpStatus, delayMs, failure) => {
        if (delayMs > 0) setTimeout(() => this.#answer(httpStatus, failure), delayMs);
        else this.#answer(httpStatus, failure === '' ? note : failure);
      },
    });
  }

  #answer(httpStatus: number, note: string): void {
    this.#release();
    if (this.#isClosed) return;
    // A client that has closed its side still gets the answers to all that it sent before.
    const hasMore = !this.#hasEnded || this.#pending.length > 0;
    const staysOpen = this.#isKeepAlive && hasMore && httpStatus >= 200;
    // The answer to HEAD has no body: a note would be read as the next answer.
    const isHead = this.#head.subarray(0, 5).toString('latin1') === 'HEAD ';
    this.#head = EMPTY;
    this.socket.write(answerBytes(httpStatus, staysOpen, Date.now(), isHead ? '' : note));
    if (!staysOpen) return this.#leave();
    this.#state = 'head';
    this.#startedAt = 0;
    this.#deadline = performance.now() + IDLE_TIMEOUT_MS;
    if (this.#pending.length > 0) {
      const next = this.#pending;
      this.#pending = EMPTY;
      if (this.socket.isPaused()) this.socket.resume();
      this.#takeHead(next);
      if (this.#hasEnded) this.#onEnd();
    }
  }

  #refuse(httpStatus: number, note: string): void {
    this.socket.write(answerBytes(httpStatus, false, Date.now(), `${note}\n`));
    this.#leave();
  }

  /** Ends after the answer. What still comes in is dropped for a moment: a reset could overtake the answer. */
  #leave(): void {
    this.#state = 'refused';
    this.#collected = new GrowingBytes();
    this.#chunked = null;
    this.#pending = EMPTY;
    this.#release();
    this.#deadline = performance.now() + LINGER_MS;
    this.socket.end();
  }

  #release(): void {
    this.shared.pendingBytes -= this.#reserved;
    this.#reserved = 0;
  }
}

function describeTls(): string {
  return 'This is TLS, and the listener speaks plain HTTP. Use http://, or listen with --https.';
}
