import type { Socket } from 'node:net';
import { describeNetworkError, type CallTarget } from '../../platform/http/http-errors';
import { openSocket } from '../../platform/http/connect-to';
import { GrowingBytes } from '../../platform/http1/growing-bytes';
import { limits } from '../../platform/http1/limits';
import { ChunkedBody, EndlessBody, SizedBody, type IncomingBody } from '../../platform/http1/read-body';
import { readHead } from '../../platform/http1/read-head';
import { writeAnswerHead } from '../../platform/http1/write-answer';
import type { CapturedExchange, CapturedMessage } from './captured-exchange';
import { readAnswerHead, type AnswerHead } from './read-answer-head';

/** Kept of each body; what is longer passes all the same. */
export const KEPT_BODY_BYTES = 1024 * 1024;

export interface ProxyRoute {
  readonly target: CallTarget;
  /** Path of the target's address, put in front of every path; '': none. */
  readonly prefix: string;
  /** What `Host` says to the target; null: what the client said. */
  readonly host: string | null;
  onExchange(exchange: CapturedExchange): void;
}

/** A message on its way, as far as it has come. */
interface Passing {
  readonly headers: readonly string[];
  readonly body: IncomingBody | null;
  isWhole: boolean;
}

/** A request that is on its way, or waits for its answer. */
interface Pending {
  readonly at: number;
  readonly startedAtMs: number;
  readonly method: string;
  readonly target: string;
  readonly request: Passing;
  answer: (Passing & { readonly httpStatus: number }) | null;
}

const EMPTY = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
const TLS_HANDSHAKE = 0x16;

/** Bytes of a head until its empty line has come. */
class HeadBytes {
  #bytes: GrowingBytes | null = null;
  #scanned = 0;

  get isEmpty(): boolean {
    return this.#bytes === null;
  }

  /** @returns the head with its empty line, and where in the chunk it ends; null: not yet */
  take(chunk: Buffer, from: number): { head: Buffer; to: number } | null | 'too_long' {
    const before = this.#bytes?.size ?? 0;
    this.#bytes?.append(chunk, from);
    const data = this.#bytes?.view() ?? chunk.subarray(from);
    const end = data.indexOf(HEAD_END, Math.max(0, this.#scanned - 3), 'latin1');
    if ((end === -1 ? data.length : end) > limits.headBytes) return 'too_long';
    if (end !== -1) {
      this.#bytes = null;
      this.#scanned = 0;
      return { head: data.subarray(0, end + 4), to: from + end + 4 - before };
    }
    if (this.#bytes === null) {
      this.#bytes = new GrowingBytes();
      this.#bytes.append(chunk, from);
    }
    this.#scanned = data.length;
    return null;
  }
}

/**
 * One client's connection and the one to the target behind it.
 *
 * Bytes pass as they come, in both directions; beside them each message is read, to know where it ends and to keep it. A
 * request that two servers could read in two ways is refused, so that what is kept is what the target saw.
 */
export class ProxyConnection {
  readonly #upstream: Socket;
  readonly #pending: Pending[] = [];
  readonly #requestHead = new HeadBytes();
  readonly #answerHead = new HeadBytes();
  /** The request whose body is coming in. */
  #incoming: Pending | null = null;
  #isTunnel = false;
  #isConnected = false;
  /** The target was gone before the first request came: that one is told. */
  #isGone = false;
  #hasPassed = false;
  #isOver = false;
  #failure: Error | null = null;

  constructor(
    private readonly client: Socket,
    private readonly route: ProxyRoute,
  ) {
    this.#upstream = openSocket(route.target);
    const upstream = this.#upstream;
    upstream.once(route.target.isTls ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
    client.on('data', (chunk: Buffer) => this.#takeRequests(chunk));
    client.on('end', () => upstream.end());
    client.on('error', () => client.destroy());
    client.on('close', () => this.#end('The client closed the connection before the answer was complete.'));
    client.on('drain', () => upstream.resume());
    upstream.on('data', (chunk: Buffer) => this.#takeAnswers(chunk));
    upstream.on('error', (error) => (this.#failure = error));
    upstream.on('close', () => this.#takeUpstreamEnd());
    upstream.on('drain', () => client.resume());
  }

  /** Cuts both connections; what was not answered is told as such. */
  destroy(): void {
    this.client.destroy();
  }

  #takeRequests(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isTunnel) return this.#forward(chunk);
    this.#upstream.cork();
    for (let at = 0; at < chunk.length && !this.#isOver;) {
      at =
        this.#incoming === null
          ? this.#takeRequestHead(chunk, at)
          : this.#takeRequestBody(chunk, at, this.#incoming);
    }
    this.#upstream.uncork();
  }

  #forward(bytes: Buffer): void {
    if (!this.#upstream.write(bytes)) this.client.pause();
  }

  #takeRequestHead(chunk: Buffer, from: number): number {
    let at = from;
    // Empty lines between requests are no part of one (RFC 9112 §2.2).
    while (this.#requestHead.isEmpty && chunk[at] === 0x0d && chunk[at + 1] === 0x0a) at += 2;
    if (at >= chunk.length) return at;
    if (this.#requestHead.isEmpty && chunk[at] === TLS_HANDSHAKE) {
      return this.#refuse(
        400,
        'This port speaks plain HTTP: use http:// with the address of the proxy.',
        chunk,
      );
    }
    const found = this.#requestHead.take(chunk, at);
    if (found === 'too_long')
      return this.#refuse(431, 'The head of the request is longer than 64 KiB.', chunk);
    if (found === null) return chunk.length;
    const head = readHead(found.head.toString('latin1', 0, found.head.length - 4));
    if (head.kind === 'refused') {
      return this.#refuse(head.httpStatus, `The request was not passed on: ${head.reason}.`, chunk);
    }
    const { method, target, headers, framing } = head;
    const { contentLength } = framing;
    const body = contentLength === 0 ? null : createBody(contentLength ?? 'chunked');
    const request: Passing = { headers, body, isWhole: body === null };
    const pending = { at: Date.now(), startedAtMs: performance.now(), method, target, request, answer: null };
    this.#pending.push(pending);
    this.#incoming = body === null ? null : pending;
    if (this.#isGone) return this.#refuse(502, this.#describeEnd(), chunk);
    this.#hasPassed = true;
    this.#forward(this.#rewrite(found.head));
    return found.to;
  }

  /** Byte for byte, but where the target would not know itself by the proxy's own address. */
  #rewrite(head: Buffer): Buffer {
    const { prefix, host } = this.route;
    if (prefix === '' && host === null) return head;
    let text = head.toString('latin1');
    if (prefix !== '') text = text.replace(/^(\S+ )(?=\/)/, (_whole, method: string) => method + prefix);
    if (host !== null) text = text.replace(/(\r\nhost:[ \t]*)[^\r]*/i, (_whole, name: string) => name + host);
    return Buffer.from(text, 'latin1');
  }

  #takeRequestBody(chunk: Buffer, from: number, pending: Pending): number {
    const progress = pending.request.body!.push(chunk, from);
    if (progress !== null && typeof progress !== 'number') {
      return this.#refuse(
        progress.httpStatus,
        `The request could not be passed on whole: ${progress.reason}.`,
        chunk,
      );
    }
    const to = progress ?? chunk.length;
    this.#forward(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    if (progress === null) return to;
    pending.request.isWhole = true;
    this.#incoming = null;
    this.#finishFirst();
    return to;
  }

  #takeAnswers(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isTunnel) return this.#backward(chunk);
    for (let at = 0; at < chunk.length && !this.#isOver;) {
      const pending = this.#pending.find(({ answer }) => answer?.isWhole !== true);
      // Nobody asked for it.
      if (pending === undefined) return this.destroy();
      at =
        pending.answer === null
          ? this.#takeAnswerHead(chunk, at, pending)
          : this.#takeAnswerBody(chunk, at, pending.answer);
    }
  }

  #backward(bytes: Buffer): void {
    if (!this.client.write(bytes)) this.#upstream.pause();
  }

  #takeAnswerHead(chunk: Buffer, at: number, pending: Pending): number {
    const found = this.#answerHead.take(chunk, at);
    if (found === null) return chunk.length;
    const head =
      found === 'too_long'
        ? null
        : readAnswerHead(found.head.toString('latin1', 0, found.head.length - 4), pending.method);
    if (found === 'too_long' || head === null) {
      return this.#refuse(
        502,
        'What the target answered is not HTTP/1.1 that can be read. Check that --to names the service.',
        chunk,
      );
    }
    this.#backward(found.head);
    const { httpStatus, headers } = head;
    // Interim answers (100, 103) come before the one that counts.
    if (httpStatus < 200 && httpStatus !== 101) return found.to;
    const body = head.body === 'none' || head.body === 0 ? null : createBody(head.body);
    pending.answer = { httpStatus, headers, body, isWhole: body === null };
    this.#isTunnel = httpStatus === 101;
    this.#finishFirst();
    if (this.#isTunnel && found.to < chunk.length) this.#backward(chunk.subarray(found.to));
    return this.#isTunnel ? chunk.length : found.to;
  }

  #takeAnswerBody(chunk: Buffer, from: number, answer: Passing): number {
    const progress = answer.body!.push(chunk, from);
    const isBad = progress !== null && typeof progress !== 'number';
    // What cannot be read to its end passes to its end all the same.
    const to = progress === null || isBad ? chunk.length : progress;
    this.#backward(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    if (isBad) {
      this.#failure ??= new Error(`its chunks cannot be read: ${progress.reason}`);
      this.#isTunnel = true;
    } else if (progress !== null) {
      answer.isWhole = true;
      this.#finishFirst();
    }
    return to;
  }

  /** Tells what is complete, in order. */
  #finishFirst(): void {
    for (let first = this.#pending[0]; first?.answer?.isWhole === true; first = this.#pending[0]) {
      if (!first.request.isWhole) return;
      this.#pending.shift();
      this.#tell(first, null);
    }
  }

  #takeUpstreamEnd(): void {
    const [first] = this.#pending;
    if (first?.answer?.body instanceof EndlessBody) first.answer.isWhole = true;
    this.#finishFirst();
    const waiting = this.#pending[0];
    if (!this.#hasPassed && !this.#isOver) {
      this.#isGone = true;
      return;
    }
    if (waiting === undefined || this.#isOver) {
      this.client.end();
      this.#linger();
      return;
    }
    const reason = this.#describeEnd();
    if (waiting.answer === null) this.#refuse(502, reason, EMPTY);
    // Part of an answer has passed: only the end of the connection can tell that it is not all.
    else this.#end(reason);
  }

  #describeEnd(): string {
    const error = this.#failure ?? Object.assign(new Error('closed'), { code: 'ECONNRESET' });
    return describeNetworkError(error, this.route.target, this.#isConnected).message;
  }

  /** Answers in the target's place, and ends: what came of the request is told with the reason. */
  #refuse(httpStatus: number, reason: string, chunk: Buffer): number {
    const isFirst = this.#pending.every(({ answer }) => answer === null) && this.#pending.length <= 1;
    if (isFirst) {
      const error = httpStatus === 502 ? 'bad_gateway' : 'bad_request';
      const body = JSON.stringify({ error, message: reason });
      const head = writeAnswerHead(
        httpStatus,
        ['Content-Type', 'application/json'],
        Buffer.byteLength(body),
        false,
      );
      this.client.end(head + body);
    }
    this.#end(reason, httpStatus);
    return chunk.length;
  }

  #end(reason: string, httpStatus: number | null = null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#upstream.destroy();
    if (httpStatus === null) this.client.destroy();
    else this.#linger();
    for (const pending of this.#pending.splice(0)) this.#tell(pending, reason, httpStatus);
  }

  /** A client that goes on sending is not kept waiting for its answer, nor are we for its end. */
  #linger(): void {
    this.client.resume().setTimeout(limits.lingerPauseMs, () => this.client.destroy());
  }

  #tell(pending: Pending, fault: string | null, ownStatus: number | null = null): void {
    const { at, startedAtMs, method, target, request, answer } = pending;
    const durationMs = Math.round((performance.now() - startedAtMs) * 1000) / 1000;
    this.route.onExchange({
      at,
      durationMs,
      method,
      target,
      request: capture(request),
      answer: answer === null ? null : { httpStatus: answer.httpStatus, ...capture(answer) },
      ownStatus,
      fault,
    });
  }
}

function createBody(framing: Exclude<AnswerHead['body'], 'none'>): IncomingBody {
  if (framing === 'closing') return new EndlessBody(KEPT_BODY_BYTES);
  if (framing === 'chunked') return new ChunkedBody(Infinity, KEPT_BODY_BYTES);
  return new SizedBody(framing, KEPT_BODY_BYTES);
}

function capture({ headers, body }: Passing): CapturedMessage {
  return { headers, body: body?.view() ?? EMPTY, bodyBytes: body?.sizeBytes ?? 0 };
}
