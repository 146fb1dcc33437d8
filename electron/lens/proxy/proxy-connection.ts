import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { roundMs } from '@shared/round-ms';
import type { CallTarget } from '../../platform/http/call-target';
import { describeNetworkError } from '../../platform/http/http-errors';
import { openSocket } from '../../platform/http/connect-to';
import { limits } from '../../platform/http1/limits';
import { ChunkedBody, EndlessBody, SizedBody, type IncomingBody } from '../../platform/http1/read-body';
import { readHead } from '../../platform/http1/read-head';
import { writeAnswerHead } from '../../platform/http1/write-answer';
import type { CapturedExchange, CapturedMessage } from './captured-exchange';
import { HalfClosedClient } from './half-closed-client';
import { HeadBytes } from './head-bytes';
import { JoinedWrites } from './joined-writes';
import { mayBeginAnswer, noAnswerHead, readAnswerHead, type AnswerHead } from './read-answer-head';
import { addressHead, hasTwoHosts, type Addressing } from './address-head';

/** Kept of each body; what is longer passes all the same. */
export const KEPT_BODY_BYTES = 1024 * 1024;

export interface ProxyRoute extends Addressing {
  readonly target: CallTarget;
  /** Own issuers and client certificate for the target. */
  readonly tls: { readonly secureContext?: SecureContext };
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
  /** `performance.now()` when its answer was whole, where that is not the moment at which it is told. */
  endedAtMs: number | null;
  /** Nothing that comes later is told of it. */
  isTold: boolean;
}

const EMPTY = Buffer.alloc(0);
const LEFT = 'The client closed the connection before the answer was complete.';
const STOPPED = 'The proxy was stopped before the answer was complete.';
const WRONG_TARGET = 'Check that the target names the service, by http:// or https:// as it speaks.';
const DONE_ALL_THE_SAME =
  'Two clients may read it in two ways: mend it there. What was asked for may have been done all the same.';
const UNASKED = 'The target went on unasked after its answer: both connections were cut.';
/** A client that has closed its side may only have no more to send: its answer is waited for so long before it is told. */
const PATIENCE_MS = 2000;
const NOT_ANSWERED = `The client closed its side of the connection, and no answer had come ${PATIENCE_MS / 1000} s later.`;
/** A target that says nothing for so long is not waited for once the client has closed its side. */
const ABANDONED_MS = 60_000;
/** A client that waits for a target to take more is read from so often all the same, and so many times: else nobody sees it leave. */
const PEEK_MS = 50;
const MOST_PEEKS = 320;
/** What a client is still sending to a target that is gone is waited for so long. */
const REST_MS = 1000;
const AFTER_IT = 'No answer had come when a later request ended the connection:';
/** Enough of a request line to tell it by. */
const SEEMING_REQUEST = /^([A-Z]{1,20}) ([!-~]{1,2048})/;
const TLS_HANDSHAKE = 0x16;
/** What is asked for by these leaves nothing behind where it breaks off. */
const READS = /^(?:GET|HEAD|OPTIONS)$/;

/**
 * One client's connection and the one to the target behind it.
 *
 * Bytes pass as they come, in both directions; beside them each message is read, to know where it ends and to keep it. A
 * request that two servers could read in two ways is refused, so that what is kept is what the target saw.
 */
export class ProxyConnection {
  readonly #upstream: Socket;
  readonly #forward: JoinedWrites;
  readonly #backward: JoinedWrites;
  readonly #pending: Pending[] = [];
  readonly #requestHead = new HeadBytes();
  readonly #answerHead = new HeadBytes();
  /** The request whose body is coming in. */
  #incoming: Pending | null = null;
  /** Set once the client has closed its side while answers were to come. */
  #halfClosed: HalfClosedClient | null = null;
  /** Reads from a client that is held, a piece. */
  #peek: NodeJS.Timeout | null = null;
  #peeks = 0;
  #isTunnel = false;
  #isConnected = false;
  /** The target was gone before the first request came: that one is told. */
  #isGone = false;
  #hasPassed = false;
  #isOver = false;
  /** Nothing more goes on but the rest of what came in. */
  #takesNoMore = false;
  /** What ended it: an error of the network, or a sentence. */
  #failure: Error | string | null = null;

  constructor(
    private readonly client: Socket,
    private readonly route: ProxyRoute,
  ) {
    this.#upstream = openSocket(route.target, route.tls);
    const upstream = this.#upstream;
    this.#forward = new JoinedWrites(
      (bytes) => upstream.write(bytes),
      () => this.#holdClient(),
    );
    this.#backward = new JoinedWrites(
      (bytes) => (this.#halfClosed ?? client).write(bytes),
      () => upstream.pause(),
    );
    upstream.once(route.target.isTls ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
    client.on('data', (chunk: Buffer) => this.#takeRequests(chunk));
    client.on('end', () => this.#takeClientEnd());
    client.on('error', () => client.destroy());
    client.on('close', () => this.#end(LEFT));
    client.on('drain', () => upstream.resume());
    upstream.on('data', (chunk: Buffer) => this.#takeAnswers(chunk));
    upstream.on('error', (error) => (this.#failure = error));
    upstream.on('close', () => this.#takeUpstreamEnd());
    upstream.on('drain', () => this.#letClientGoOn());
  }

  /** Tells whether a request that may change something has waited for its answer for so long. */
  isHolding(ms: number): boolean {
    const until = performance.now() - ms;
    return this.#pending.some(({ method, startedAtMs }) => startedAtMs < until && !READS.test(method));
  }

  /** Leaves time for the answers to what has gone on, until it is destroyed. */
  takeNoMore(): void {
    this.#takesNoMore = true;
  }

  /** Cuts both connections; what was not answered is told as such, at once. */
  destroy(why = STOPPED): void {
    this.#end(why);
    this.client.destroy();
  }

  #holdClient(): void {
    this.client.pause();
    if (this.#peek !== null || this.#peeks >= MOST_PEEKS) return;
    this.#peek = setTimeout(() => {
      this.#peek = null;
      this.#peeks += 1;
      this.client.resume();
    }, PEEK_MS).unref();
  }

  #letClientGoOn(): void {
    if (this.#peek !== null) clearTimeout(this.#peek);
    this.#peek = null;
    this.#peeks = 0;
    this.client.resume();
  }

  #takeRequests(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isTunnel) this.#forward.add(chunk);
    else this.#readRequests(chunk);
    if (!this.#isOver) this.#forward.flush();
  }

  #readRequests(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isOver;) {
      if (this.#incoming === null && this.#takesNoMore) return;
      at =
        this.#incoming === null
          ? this.#takeRequestHead(chunk, at)
          : this.#takeRequestBody(chunk, at, this.#incoming);
    }
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
        null,
      );
    }
    const found = this.#requestHead.take(chunk, at);
    if (found === null) return chunk.length;
    const text = found.head.toString('latin1', 0, found.head.length - 4);
    if (found.to === null) return this.#refuseRequest(431, 'its head is longer than 64 KiB', text);
    const head = readHead(text);
    if (head.kind === 'refused') return this.#refuseRequest(head.httpStatus, head.reason, text);
    const { method, target, headers, framing } = head;
    if (hasTwoHosts(headers)) return this.#refuseRequest(400, 'Host stands there twice', text);
    const { contentLength } = framing;
    const body = contentLength === 0 ? null : createBody(contentLength ?? 'chunked');
    const request: Passing = { headers, body, isWhole: body === null };
    const pending = this.#expect(method, target, request);
    this.#incoming = body === null ? null : pending;
    if (this.#isGone) {
      if (body === null) return this.#refuse(502, this.#describeEnd(), pending);
      this.#awaitRest(pending);
      return found.to;
    }
    this.#hasPassed = true;
    this.#forward.add(addressHead(found.head, this.route));
    return found.to;
  }

  #takeRequestBody(chunk: Buffer, from: number, pending: Pending): number {
    const progress = pending.request.body!.push(chunk, from);
    if (progress !== null && typeof progress !== 'number') {
      const reason = `The request could not be passed on whole: ${progress.reason}.`;
      return this.#refuse(progress.httpStatus, reason, pending);
    }
    const to = progress ?? chunk.length;
    if (!this.#isGone)
      this.#forward.add(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    if (progress === null) return to;
    pending.request.isWhole = true;
    this.#incoming = null;
    if (this.#isGone) return this.#refuse(502, this.#describeEnd(), pending);
    this.#finishFirst();
    return to;
  }

  #takeAnswers(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isTunnel) this.#backward.add(chunk);
    else this.#readAnswers(chunk);
    this.#backward.flush();
  }

  #readAnswers(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isOver;) {
      const pending = this.#pending.find(({ answer }) => answer?.isWhole !== true);
      // Nobody asked for it.
      if (pending === undefined) return this.destroy(UNASKED);
      at =
        pending.answer === null
          ? this.#takeAnswerHead(chunk, at, pending)
          : this.#takeAnswerBody(chunk, at, pending.answer);
    }
  }

  #takeAnswerHead(chunk: Buffer, at: number, pending: Pending): number {
    const unreadable = (reason: string): number => {
      const advice = reason === noAnswerHead ? WRONG_TARGET : DONE_ALL_THE_SAME;
      return this.#refuse(502, `What the target answered cannot be read: ${reason}. ${advice}`, pending);
    };
    // What begins otherwise may never send the empty line that a head ends with.
    if (this.#answerHead.isEmpty && !mayBeginAnswer(chunk, at)) return unreadable(noAnswerHead);
    const found = this.#answerHead.take(chunk, at);
    if (found === null) return chunk.length;
    if (found.to === null) return unreadable('its head is longer than 64 KiB');
    const text = found.head.toString('latin1', 0, found.head.length - 4);
    const head = readAnswerHead(text, pending.method);
    if (typeof head === 'string') return unreadable(head);
    this.#backward.add(found.head);
    const { httpStatus, headers } = head;
    // Interim answers (100, 103) come before the one that counts.
    if (httpStatus < 200 && httpStatus !== 101) return found.to;
    const body = head.body === 'none' || head.body === 0 ? null : createBody(head.body);
    pending.answer = { httpStatus, headers, body, isWhole: body === null };
    this.#isTunnel = httpStatus === 101;
    this.#finishFirst();
    if (this.#isTunnel && found.to < chunk.length) this.#backward.add(chunk.subarray(found.to));
    return this.#isTunnel ? chunk.length : found.to;
  }

  #takeAnswerBody(chunk: Buffer, from: number, answer: Passing): number {
    const progress = answer.body!.push(chunk, from);
    const isBad = progress !== null && typeof progress !== 'number';
    // What cannot be read to its end passes to its end all the same.
    const to = progress === null || isBad ? chunk.length : progress;
    this.#backward.add(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    if (isBad) {
      this.#failure ??= `The chunks of the answer cannot be read: ${progress.reason}. It was passed on as it came.`;
      this.#isTunnel = true;
    } else if (progress !== null) {
      answer.isWhole = true;
      this.#finishFirst();
    }
    return to;
  }

  /**
   * A client that has waited long enough closes its connection like one that only has no more to send. The second takes its
   * answer, and is told like any other; the first refuses it, or has had none for a while: that is told as such.
   */
  #takeClientEnd(): void {
    this.#upstream.setTimeout(ABANDONED_MS, () => this.destroy(LEFT));
    const mayBeAnswered = this.#pending.length > 0 && this.#incoming === null && !this.#upstream.destroyed;
    if (!mayBeAnswered || this.#isTunnel) return this.#leave(LEFT);
    this.#halfClosed = new HalfClosedClient(this.client);
    this.#waitForAnswer();
  }

  #waitForAnswer(): void {
    setTimeout(() => {
      const [first] = this.#pending;
      if (this.#isOver || first === undefined || first.isTold) return;
      // It comes in at this moment, and the client takes it.
      if (first.answer !== null) this.#waitForAnswer();
      else this.#leave(NOT_ANSWERED);
    }, PATIENCE_MS).unref();
  }

  /** Nobody is counted on to take an answer any more; what comes passes all the same. */
  #leave(why: string): void {
    this.#upstream.end();
    for (const pending of this.#pending) this.#tell(pending, pending.answer?.isWhole === true ? null : why);
    // Nobody is left behind it who would end the other half.
    if (this.#upstream.destroyed) this.destroy(LEFT);
  }

  /** The client has taken the first of the answers after it closed its side. */
  #finishTaken(): void {
    if (this.#isOver) return;
    const first = this.#pending.shift();
    if (first !== undefined) this.#tell(first, null);
    if (this.#pending.length === 0) {
      this.#upstream.end();
      this.#isOver = true;
      this.client.end();
    } else if (this.#upstream.destroyed) this.#takeUpstreamEnd();
    else this.#finishFirst();
  }

  /** Tells what is complete, in order. */
  #finishFirst(): void {
    for (let first = this.#pending[0]; first?.answer?.isWhole === true; first = this.#pending[0]) {
      if (!first.request.isWhole) return;
      if (this.#halfClosed !== null) {
        first.endedAtMs ??= performance.now();
        return this.#halfClosed.ask(() => this.#finishTaken());
      }
      this.#pending.shift();
      this.#tell(first, null);
    }
  }

  #takeUpstreamEnd(): void {
    const [first] = this.#pending;
    // A reset is no end of it.
    if (first?.answer?.body instanceof EndlessBody && this.#failure === null) first.answer.isWhole = true;
    this.#finishFirst();
    if (this.#halfClosed?.isAsking === true) return;
    const waiting = this.#pending[0];
    if (!this.#hasPassed && !this.#isOver) {
      this.#isGone = true;
      return;
    }
    if (waiting === undefined || this.#isOver) {
      // Whoever sends another request now sees the end, and asks again on a connection of its own.
      this.#isOver = true;
      this.client.end();
      this.#linger();
      return;
    }
    // It was answered before all of it had come: what else comes is of no use to anybody.
    if (waiting.answer?.isWhole === true) {
      this.#tell(this.#pending.shift()!, null);
      this.client.end();
      return this.#end(this.#describeEnd(), 'lingers');
    }
    const reason = this.#describeEnd();
    if (waiting.answer === null && waiting === this.#incoming) this.#awaitRest(waiting);
    else if (waiting.answer === null) this.#refuse(502, reason, waiting);
    // Part of an answer has passed: only the end of the connection can tell that it is not all.
    else this.#end(reason);
  }

  /** The target is gone: what the client is still sending is read before it is told, so that its payment can be named. */
  #awaitRest(pending: Pending): void {
    this.#isGone = true;
    this.client.resume();
    setTimeout(() => {
      if (!this.#isOver) this.#refuse(502, this.#describeEnd(), pending);
    }, REST_MS).unref();
  }

  #describeEnd(): string {
    if (typeof this.#failure === 'string') return this.#failure;
    const error = this.#failure ?? Object.assign(new Error('closed'), { code: 'ECONNRESET' });
    return describeNetworkError(error, this.route.target, this.#isConnected).message;
  }

  #expect(method: string, target: string, request: Passing): Pending {
    const pending: Pending = {
      at: Date.now(),
      startedAtMs: performance.now(),
      method,
      target,
      request,
      answer: null,
      endedAtMs: null,
      isTold: false,
    };
    this.#pending.push(pending);
    return pending;
  }

  /** Nothing of it went on; it is told as far as it can be read. */
  #refuseRequest(httpStatus: number, why: string, text: string): number {
    const [, method, target = ''] = SEEMING_REQUEST.exec(text) ?? [];
    const nothing = { headers: [], body: null, isWhole: true };
    const pending = method === undefined ? null : this.#expect(method, target, nothing);
    return this.#refuse(httpStatus, `The request was not passed on: ${why}.`, pending);
  }

  /**
   * Answers one request in the target's place, where those before it have their answers, and ends.
   *
   * @param refused - null: what came can be called no request
   * @returns where reading goes on: nowhere
   */
  #refuse(httpStatus: number, reason: string, refused: Pending | null): number {
    this.#backward.flush();
    const [first = null] = this.#pending;
    const isAnswered = first === refused && (refused === null || refused.answer === null);
    if (isAnswered) {
      const error = httpStatus === 502 ? 'bad_gateway' : 'bad_request';
      const body = JSON.stringify({ error, message: reason });
      const bytes = Buffer.byteLength(body);
      const head = writeAnswerHead(httpStatus, ['Content-Type', 'application/json'], bytes, false);
      this.client.end(head + body);
    }
    const others = httpStatus === 502 ? reason : `${AFTER_IT} ${reason}`;
    this.#end(others, isAnswered ? 'lingers' : 'is cut', refused && { pending: refused, reason, httpStatus });
    return Infinity;
  }

  /** @param refused - the one among those that wait that this is about, and the status that its client saw */
  #end(
    reason: string,
    client: 'lingers' | 'is cut' = 'is cut',
    refused: { pending: Pending; reason: string; httpStatus: number } | null = null,
  ): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#backward.flush();
    this.#halfClosed?.release();
    this.#upstream.destroy();
    if (client === 'lingers') this.#linger();
    // Where the end of the connection is the end of the answer, a reset alone tells that it is not.
    else if (this.#pending[0]?.answer?.body instanceof EndlessBody) this.client.resetAndDestroy();
    else this.client.destroy();
    for (const pending of this.#pending.splice(0)) {
      if (pending === refused?.pending) this.#tell(pending, refused.reason, refused.httpStatus);
      else this.#tell(pending, reason);
    }
  }

  /** A client that goes on sending is not kept waiting for its answer, nor are we for its end. */
  #linger(): void {
    this.client.resume().setTimeout(limits.lingerPauseMs, () => this.client.destroy());
  }

  #tell(pending: Pending, fault: string | null, ownStatus: number | null = null): void {
    if (pending.isTold) return;
    pending.isTold = true;
    const { at, startedAtMs, endedAtMs, method, target, request, answer } = pending;
    const durationMs = roundMs((endedAtMs ?? performance.now()) - startedAtMs);
    this.route.onExchange({
      at,
      durationMs,
      method,
      target,
      request: capture(request),
      answer: answer === null ? null : { httpStatus: answer.httpStatus, ...capture(answer) },
      ownStatus,
      fault,
      isUnsent: !this.#isConnected || !this.#hasPassed,
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
