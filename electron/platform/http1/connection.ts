import type { Duplex } from 'node:stream';
import { GrowingBytes } from './growing-bytes';
import { limits } from './limits';
import { ChunkedBody, SizedBody, type IncomingBody } from './read-body';
import { readHead, type RequestHead } from './read-head';
import { hasBody, writeAnswerHead, type OutgoingAnswer } from './write-answer';

/** A request that has come whole. */
export interface HttpRequest {
  readonly method: string;
  /** As sent. */
  readonly target: string;
  /** Name, value, name, value …: in order, names as sent, values without the blanks around them, Latin-1. */
  readonly headers: readonly string[];
  readonly trailers: readonly string[];
  /** The head as received, up to its empty line. */
  readonly head: Buffer;
  readonly body: Buffer;
  /** The body is longer than is taken, and `body` is its beginning, as much as the handler keeps. */
  readonly isTooLong: boolean;
  /** Of the body as it is sent, as far as chunks have told or come. */
  readonly countedBytes: number;
  readonly remoteAddress: string;
  /** Epoch milliseconds, and `performance.now()`, at its first byte. */
  readonly receivedAt: number;
  readonly startedAtMs: number;
}

/** The way to answer a request: once, at once or later. Where the client has gone, nothing happens. */
export interface Responder {
  answer(httpStatus: number, headers: readonly string[], body: string): void;
  /** An answer in pieces: its head, then `write` until so many bytes have been written, then `finish`. */
  begin(httpStatus: number, headers: readonly string[], bodyBytes: number): void;
  write(bytes: Uint8Array): void;
  finish(): void;
  /** Closes the connection without an answer. */
  drop(): void;
  readonly isClosed: boolean;
}

/** What a server does with what comes. */
export interface HttpHandler {
  readonly maxBodyBytes: number;
  /** So much is read of a body that is too long; left out: nothing. */
  readonly keptBytes?: number;
  receive(request: HttpRequest, responder: Responder): void;
  /** Makes the answer to what cannot be read; the connection is closed after it. */
  refuse(httpStatus: number, reason: string, remoteAddress: string): OutgoingAnswer;
  /** Told of a client with which no TLS could be agreed on: it gets no answer. */
  noteTlsFault?(reason: string, remoteAddress: string): void;
}

/** What the connections of one server share. */
export interface ConnectionOwner {
  readonly handler: HttpHandler;
  /** Bytes of unfinished bodies. */
  pendingBytes: number;
  readonly connections: Set<Connection>;
}

const EMPTY: Buffer = Buffer.alloc(0);
const noTrailers: readonly string[] = [];
const HEAD_END = '\r\n\r\n';
const [CR, LF, TLS_HANDSHAKE] = [0x0d, 0x0a, 0x16];
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/**
 * One connection: reads a request, hands it over, writes its answer, reads the next.
 *
 * What comes early waits: a little of it here, the rest in the client's hands. The next request is read only once
 * the client has taken the answers before it, so that whoever sends and never reads costs no memory.
 */
export class Connection implements Responder {
  /** `waiting`: answered, and the client has not taken the answer yet. `leaving`: what comes is dropped, also when closed. */
  #state: 'head' | 'body' | 'handling' | 'waiting' | 'leaving' = 'head';
  #deadline = performance.now() + limits.idleMs;
  /** Of the message that is being read; 0: none has begun. */
  #startedAtMs = 0;
  #receivedAt = 0;
  /** The part of a head that has come, and how much of it has no end in it. */
  #partial: GrowingBytes | null = null;
  #scanned = 0;
  #head: RequestHead | null = null;
  #headBytes = EMPTY;
  #body: IncomingBody | null = null;
  #isTooLong = false;
  #reserved = 0;
  /** What came behind the request that is being answered. */
  #early = EMPTY;
  #isKeepAlive = true;
  /** The server takes no more: what has begun to arrive is the last that is answered, where it comes by then. */
  #stopAtMs: number | null = null;
  #leftAtMs = 0;
  #hasEnded = false;

  constructor(
    private readonly socket: Duplex & { readonly remoteAddress?: string | undefined },
    private readonly owner: ConnectionOwner,
  ) {
    socket.on('data', (chunk: Buffer) => this.#takeChunk(chunk));
    socket.on('end', () => this.#takeEnd());
    socket.on('drain', () => this.#goOn());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#close());
  }

  get isClosed(): boolean {
    return this.#state === 'leaving';
  }

  /** Looks whether the client has been waited for too long. */
  checkDeadline(nowMs: number): void {
    const deadline = Math.min(this.#deadline, this.#stopAtMs ?? Infinity);
    if (nowMs < deadline || this.#state === 'handling') return;
    const isReading = this.#isReading();
    if (isReading && this.#isTooLong) this.#completeTooLong(this.#body!.view());
    else if (isReading) this.#refuse(408, 'it did not arrive in time');
    else this.socket.destroy();
  }

  /** Closes the connection: at once, or after the answer to what has begun to arrive. */
  stop(): void {
    this.#stopAtMs ??= performance.now() + limits.stopMs;
    this.#isKeepAlive = false;
    if (this.#isReading() || this.#state === 'handling') return;
    // An answer that the client has not taken yet goes out first.
    if (this.#state === 'waiting' && this.socket.writableLength > 0) this.#leave();
    else if (this.#state !== 'leaving' || this.socket.writableLength === 0) this.socket.destroy();
  }

  /** Tells whether a request has begun to arrive and is not whole yet. */
  #isReading(): boolean {
    return this.#startedAtMs > 0 && (this.#state === 'head' || this.#state === 'body');
  }

  drop(): void {
    this.socket.destroy();
  }

  answer(httpStatus: number, headers: readonly string[], body: string): void {
    if (this.isClosed) return;
    const bodyBytes = Buffer.byteLength(body);
    // Plain ASCII is the same bytes in Latin-1, which is written faster.
    const encoding = bodyBytes === body.length ? 'latin1' : 'utf8';
    const head = this.#startAnswer(httpStatus, headers, bodyBytes);
    this.socket.write(this.#mayWriteBody(httpStatus) ? head + body : head, encoding);
    this.finish();
  }

  begin(httpStatus: number, headers: readonly string[], bodyBytes: number): void {
    if (this.isClosed) return;
    this.socket.write(this.#startAnswer(httpStatus, headers, bodyBytes), 'latin1');
  }

  write(bytes: Uint8Array): void {
    if (!this.isClosed && this.#head?.method !== 'HEAD') this.socket.write(bytes);
  }

  /** Ends an answer, and goes on with what came meanwhile. */
  finish(): void {
    if (this.isClosed) return;
    this.#head = null;
    this.#headBytes = EMPTY;
    if (!this.#isKeepAlive) return this.#leave();
    this.#state = 'waiting';
    this.#startedAtMs = 0;
    this.#deadline = performance.now() + limits.idleMs;
    // In a turn of its own: a client that sends ahead must not hold up the others.
    if (this.#early.length > 0) setImmediate(() => this.#goOn());
    else this.#goOn();
  }

  #startAnswer(httpStatus: number, headers: readonly string[], bodyBytes: number): string {
    this.#release();
    // A client that has closed its side still gets the answers to all that it sent before.
    const hasMore = !this.#hasEnded || this.#early.length > 0;
    this.#isKeepAlive &&= hasMore && httpStatus >= 200;
    return writeAnswerHead(httpStatus, headers, bodyBytes, this.#isKeepAlive);
  }

  /** The answer to HEAD has none: a text there would be read as the next answer. */
  #mayWriteBody(httpStatus: number): boolean {
    return hasBody(httpStatus) && this.#head?.method !== 'HEAD';
  }

  #takeChunk(chunk: Buffer): void {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(chunk);
      case 'body':
        return this.#takeBody(chunk, 0);
      case 'handling':
      case 'waiting':
        this.#early = this.#early.length === 0 ? chunk : Buffer.concat([this.#early, chunk]);
        return void this.socket.pause();
      case 'leaving':
        this.#deadline = Math.min(performance.now() + limits.lingerPauseMs, this.#leftAtMs + limits.lingerMs);
    }
  }

  #takeEnd(): void {
    this.#hasEnded = true;
    if (this.#state === 'head' || this.#state === 'body') this.socket.end();
  }

  /** Reads on once the client has taken what was answered. */
  #goOn(): void {
    if (this.#state !== 'waiting') return;
    if (this.socket.writableNeedDrain) return;
    this.#state = 'head';
    const early = this.#early;
    this.#early = EMPTY;
    if (early.length > 0) this.#takeHead(early);
    if (this.#state !== 'head' && this.#state !== 'body') return;
    if (this.#hasEnded) this.socket.end();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  #takeHead(chunk: Buffer): void {
    this.#partial?.append(chunk);
    const data = this.#partial?.view() ?? chunk;
    let from = 0;
    // Empty lines in front of a request are passed over (RFC 9112 §2.2).
    while (data[from] === CR && data[from + 1] === LF) from += 2;
    if (this.#startedAtMs === 0 && data.length > from) {
      this.#startedAtMs = performance.now();
      this.#receivedAt = Date.now();
      this.#deadline = this.#startedAtMs + limits.headMs;
    }
    const end = data.indexOf(HEAD_END, Math.max(from, this.#scanned - HEAD_END.length + 1), 'latin1');
    if ((end === -1 ? data.length : end) - from > limits.headBytes) {
      return this.#refuse(431, `its head is longer than ${limits.headBytes / 1024} KiB`);
    }
    if (end === -1) return this.#keepPartial(data, from);
    this.#partial = null;
    this.#scanned = 0;
    const head = readHead(data.toString('latin1', from, end));
    if (head.kind === 'refused') return this.#refuse(head.httpStatus, head.reason);
    this.#head = head;
    this.#headBytes = data.subarray(from, end);
    this.#isKeepAlive = head.framing.isKeepAlive && this.#stopAtMs === null;
    this.#startBody(head, data, end + HEAD_END.length);
  }

  #keepPartial(data: Buffer, from: number): void {
    if (data[from] === TLS_HANDSHAKE) {
      return this.#refuse(400, 'this is TLS, and this port speaks plain HTTP: use http://');
    }
    if (this.#partial === null || from > 0) {
      this.#partial = new GrowingBytes();
      this.#partial.append(data, from);
    }
    this.#scanned = data.length - from;
  }

  #startBody({ framing }: RequestHead, data: Buffer, from: number): void {
    const { contentLength, expectsContinue } = framing;
    const { maxBodyBytes } = this.owner.handler;
    if (contentLength === 0) return this.#complete(EMPTY, data, from);
    if (contentLength !== null) {
      if (contentLength > maxBodyBytes) return this.#startTooLong(expectsContinue, data, from);
      const to = from + contentLength;
      // Most bodies come with their head: they need no copy.
      if (to <= data.length) return this.#complete(data.subarray(from, to), data, to);
    }
    this.#state = 'body';
    this.#body = contentLength === null ? new ChunkedBody(maxBodyBytes) : new SizedBody(contentLength);
    if (expectsContinue) this.socket.write(CONTINUE, 'latin1');
    this.#takeBody(data, from);
  }

  #takeBody(chunk: Buffer, from: number): void {
    // The answer to what is too long is known already: its beginning is not waited for.
    const pauseMs = this.#isTooLong ? limits.lingerPauseMs : limits.bodyPauseMs;
    this.#deadline = Math.min(performance.now() + pauseMs, this.#startedAtMs + limits.bodyMs);
    this.#reserved += chunk.length - from;
    this.owner.pendingBytes += chunk.length - from;
    if (this.owner.pendingBytes > limits.pendingBodyBytes) {
      return this.#refuse(503, 'too many bodies are unfinished at once; send it again later');
    }
    const body = this.#body!;
    const progress = body.push(chunk, from);
    if (progress === null) return;
    if (this.#isTooLong) return this.#completeTooLong(body.view());
    if (typeof progress === 'number') return this.#complete(body.view(), chunk, progress, body.trailers);
    if (progress.httpStatus === 413) this.#completeTooLong(body.view());
    else this.#refuse(progress.httpStatus, progress.reason);
  }

  /** Reads the beginning of what is too long, where the handler keeps it, and the client sends it unasked. */
  #startTooLong(expectsContinue: boolean, data: Buffer, from: number): void {
    const { keptBytes = 0, maxBodyBytes } = this.owner.handler;
    const wanted = Math.min(keptBytes, maxBodyBytes);
    if (wanted === 0 || expectsContinue) return this.#completeTooLong(EMPTY);
    this.#state = 'body';
    this.#isTooLong = true;
    this.#body = new SizedBody(wanted);
    this.#takeBody(data, from);
  }

  /** What is too long is told with its head and its beginning; the rest of it is not read. */
  #completeTooLong(body: Buffer): void {
    this.#isKeepAlive = false;
    this.#handOver(body.subarray(0, this.owner.handler.keptBytes ?? 0), noTrailers, true);
  }

  #complete(body: Buffer, data: Buffer, from: number, trailers = noTrailers): void {
    if (from < data.length) {
      this.#early = data.subarray(from);
      this.socket.pause();
    }
    this.#handOver(body, trailers, false);
  }

  #handOver(body: Buffer, trailers: readonly string[], isTooLong: boolean): void {
    const { method, target, headers } = this.#head!;
    const countedBytes = this.#body?.sizeBytes ?? body.length;
    this.#state = 'handling';
    this.#body = null;
    const request: HttpRequest = {
      method,
      target,
      headers,
      trailers,
      head: this.#headBytes,
      body,
      isTooLong,
      countedBytes,
      remoteAddress: this.socket.remoteAddress ?? '',
      receivedAt: this.#receivedAt,
      startedAtMs: this.#startedAtMs,
    };
    this.owner.handler.receive(request, this);
  }

  #refuse(httpStatus: number, reason: string): void {
    const from = this.socket.remoteAddress ?? '';
    const { headers, body, httpStatus: status } = this.owner.handler.refuse(httpStatus, reason, from);
    this.socket.write(writeAnswerHead(status, headers, Buffer.byteLength(body), false) + body);
    this.#leave();
  }

  /** Ends after the answer. What still comes in is dropped for a moment: a reset could overtake the answer. */
  #leave(): void {
    this.#state = 'leaving';
    this.#forget();
    this.#leftAtMs = performance.now();
    this.#deadline = this.#leftAtMs + limits.lingerPauseMs;
    this.socket.end();
    this.socket.resume();
  }

  #close(): void {
    this.#state = 'leaving';
    this.#forget();
    this.owner.connections.delete(this);
  }

  #forget(): void {
    this.#release();
    this.#partial = null;
    this.#body = null;
    this.#early = EMPTY;
  }

  #release(): void {
    this.owner.pendingBytes -= this.#reserved;
    this.#reserved = 0;
  }
}
