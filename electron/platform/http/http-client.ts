import { createHash } from 'node:crypto';
import { Agent, request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as letEventsCome } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { isExpressionName, nameRule } from '@shared/http-file/find-expression';
import { maskSecrets } from '@shared/mask-secrets';
import { roundMs } from '@shared/round-ms';
import { GrowingBytes } from '../http1/growing-bytes';
import { readTarget, type CallTarget } from './call-target';
import { onceConnected, openSocket } from './connect-to';
import { openConnection } from './open-connection';
import {
  beginTrace,
  closeLine,
  type ConnectionLine,
  measureHandshake,
  noMarks,
  tapSocket,
  watchHandshake,
} from './connection-line';
import {
  adviseAfter,
  describeNetworkError,
  describeTakenOver,
  goesToOwnBackend,
  isClosedByPeer,
  MOST_HEADER_BYTES,
} from './http-errors';
import { placeHeaders } from './request-headers';
import type { HttpAnswer, HttpCall, HttpClient, HttpConnection } from '../ports';

const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Shorter than the five seconds after which many servers drop an idle connection. */
const KEEP_ALIVE_MS = 4000;
const MAX_IDLE_PER_ORIGIN = 8;
const TRIED_CALLS = 3;
const BUSY_MS = 200;

/**
 * Makes the client that sends requests exactly as given.
 *
 * Headers keep their order and go out as UTF-8; only `Host`, `Connection` and `Content-Length` are placed by the
 * client. Redirects are not followed. What may be sent twice goes again, once, where a kept connection had ended before it
 * was used; nothing else does. Phases are measured on the connection itself.
 */
export function createHttpClient(): HttpClient {
  const idle = new Map<string, ConnectionLine[]>();
  return async (call) => {
    const startedAt = performance.now();
    const url = parseUrl(call.url);
    const target = readTarget(url);
    const way = call.connection ?? null;
    const isOwnCertificateFine = goesToOwnBackend(call.aftermath);
    const key = `${url.origin} ${String(isOwnCertificateFine)} ${identifyWay(way)}`;
    const lines = idle.get(key) ?? [];
    idle.set(key, lines);
    const exchangeOver = async (line: ConnectionLine): Promise<HttpAnswer> => {
      line.isIdle = false;
      const answer = await exchange(line, call, url, target, startedAt);
      if (!line.isClosed && lines.length < MAX_IDLE_PER_ORIGIN) {
        line.idleSince = performance.now();
        line.isIdle = true;
        lines.push(line);
      } else closeLine(line);
      return answer;
    };
    let kept = lines.pop();
    while (kept?.isClosed === true) kept = lines.pop();
    if (kept !== undefined && !mayRepeat(call) && mayHaveEnded(kept)) await noticeClosing();
    if (call.signal?.aborted === true) throw canceled(null);
    try {
      const isUsable = kept !== undefined && !kept.isClosed;
      return await exchangeOver(isUsable ? kept! : openLine(target, way, isOwnCertificateFine));
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return exchangeOver(openLine(target, way, isOwnCertificateFine));
    }
  };
}

/** A kept connection that its server had ended before it was used again: no word of an answer came. */
class StaleConnection extends Error {}

/** Whether it can be sent again where nothing came of it: reading a thing twice changes nothing. */
function mayRepeat({ method, aftermath, isRepeatable }: HttpCall): boolean {
  return isRepeatable === true || (aftermath !== 'payment' && /^(?:GET|HEAD)$/i.test(method));
}

/**
 * Servers that end their connections without a word do so after each answer or after a time. One that went on for some calls in a
 * row is not looked after at each further one: two turns of the loop are what a whole call costs.
 */
function mayHaveEnded({ calls, idleSince }: ConnectionLine): boolean {
  return calls <= TRIED_CALLS || performance.now() - idleSince > BUSY_MS;
}

/** Lets the end of a kept connection be read that is there already: what cannot be sent twice must not go into it. */
async function noticeClosing(): Promise<void> {
  await letEventsCome();
  await letEventsCome();
}

/** A connection is used again for calls alone that would open the same; a hash, because keys are in it. */
function identifyWay(way: HttpConnection | null): string {
  return way === null ? '' : createHash('sha256').update(JSON.stringify(way)).digest('hex');
}

/** A connection of its own for each call that is under way; it stays open for the next one. */
function openLine(
  target: CallTarget,
  way: HttpConnection | null,
  isOwnCertificateFine: boolean,
): ConnectionLine {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: KEEP_ALIVE_MS });
  const isProxied = way !== null && way.proxy !== null;
  const line: ConnectionLine = {
    agent,
    isProxied,
    isClosed: false,
    isIdle: false,
    socket: null,
    marks: noMarks,
    calls: 0,
    idleSince: 0,
    receivedBytes: 0,
    firstByteAt: null,
    met: { address: null, tls: null },
    tap: null,
  };
  const createConnection = (_options: unknown, callback: ConnectCallback): void =>
    connect(line, target, way, isOwnCertificateFine, callback);
  Object.assign(agent, { createConnection });
  return line;
}

type ConnectCallback = (...result: [null, Socket] | [Error, null]) => void;

function connect(
  line: ConnectionLine,
  target: CallTarget,
  way: HttpConnection | null,
  isOwnCertificateFine: boolean,
  callback: ConnectCallback,
): void {
  line.marks = { ...noMarks, startedAt: performance.now() };
  line.met = { address: null, tls: null };
  const ready = (socket: Socket): void => {
    line.marks.readyAt = performance.now();
    tapSocket(line, socket);
    callback(null, socket);
  };
  if (way !== null) {
    openConnection(target, way, (socket) => watchHandshake(line, socket)).then(ready, (error: unknown) =>
      callback(error instanceof Error ? error : new Error(String(error)), null),
    );
    return;
  }
  const socket = openSocket(target, { isOwnCertificateFine });
  watchHandshake(line, socket);
  onceConnected(socket, target, (error) => (error === null ? ready(socket) : callback(error, null)));
}

function exchange(
  line: ConnectionLine,
  call: HttpCall,
  url: URL,
  target: CallTarget,
  startedAt: number,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    Object.assign(line, { marks: noMarks, receivedBytes: 0, firstByteAt: null });
    const endTrace = call.trace && beginTrace(line, call.trace.mostBytes);
    const maxBytes = call.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
    let body = new GrowingBytes();
    let requestAt = 0;
    let responseAt = 0;
    let isDone = false;

    const stop = (isTold: boolean): void => {
      isDone = true;
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
      const trace = endTrace?.();
      if (trace && isTold) call.trace?.onEnd(trace);
    };
    const fail = (error: unknown): void => {
      if (isDone) return;
      const isStale = request?.reusedSocket === true && mayRepeat(call) && isUnanswered(line, error);
      stop(!isStale);
      if (line.marks.readyAt === null) line.socket?.on('error', () => undefined).destroy();
      closeLine(line);
      if (isStale) reject(new StaleConnection());
      else {
        const isUnanswered = line.receivedBytes === 0;
        call.onFailure?.(measureFailed(line, { startedAt, requestAt, endedAt: performance.now() }));
        reject(describeNetworkError(error, target, requestAt > 0, call.aftermath, isUnanswered));
      }
    };
    const finish = (response: IncomingMessage, isCut: boolean): void => {
      if (isDone) return;
      stop(true);
      line.calls = request?.reusedSocket === true ? line.calls + 1 : 1;
      // A server that answers before it was told everything leaves a connection that nobody can go on with.
      if (isCut || request?.writableFinished !== true) closeLine(line);
      const endedAt = performance.now();
      resolve({
        httpStatus: response.statusCode ?? 0,
        headers: readHeaders(response.rawHeaders),
        body: body.view(),
        isCut,
        timings: measure(line, { startedAt, requestAt, endedAt }),
      });
    };
    const onAbort = (): void => fail(canceled(requestAt > 0 ? adviseAfter(call.aftermath) : null));
    const leftMs = call.timeoutMs - (performance.now() - startedAt);
    const timer = setTimeout(() => fail(timedOut(target, call, line, { requestAt, responseAt })), leftMs);
    call.signal?.addEventListener('abort', onAbort, { once: true });

    const takeAnswer = (response: IncomingMessage): void => {
      responseAt = performance.now();
      line.firstByteAt ??= responseAt;
      body = new GrowingBytes(countBytesToCome(response, maxBytes));
      response.on('data', (chunk: Buffer) => {
        if (isDone) return;
        const room = maxBytes - body.size;
        body.append(chunk, 0, Math.min(chunk.length, room));
        if (chunk.length > room) finish(response, true);
      });
      response.on('end', () => finish(response, false)).on('error', fail);
    };
    let request: ClientRequest | null = null;
    try {
      request = openCall(line, call, url);
      request.once('socket', () => (requestAt = performance.now()));
      request.on('response', takeAnswer).on('error', fail);
      // The server speaks something else from here on: there is no answer to come.
      request.on('upgrade', () => fail(describeTakenOver(target, call.aftermath)));
      request.on('connect', () => fail(new Error('The connection was taken over')));
      request.end(call.body ?? undefined);
    } catch (error) {
      fail(error);
    }
  });
}

/** No more room is made than an answer says that it needs. */
function countBytesToCome({ headers }: IncomingMessage, most: number): number {
  const announced = Number(headers['content-length']);
  return announced >= 0 ? Math.min(announced, most) : most;
}

function isUnanswered(line: ConnectionLine, error: unknown): boolean {
  return line.receivedBytes === 0 && isClosedByPeer(error);
}

function openCall(line: ConnectionLine, call: HttpCall, url: URL): ClientRequest {
  const request = openRequest({
    agent: line.agent,
    method: call.method,
    path: call.received?.target ?? url.pathname + url.search,
    headers: placeHeaders(call, url.host),
    maxHeaderSize: MOST_HEADER_BYTES,
  });
  // However many headers an answer has, all of them are shown; their bytes are bounded.
  request.maxHeadersCount = 0;
  request.on('information', () => (line.firstByteAt = null));
  return request;
}

interface Marks {
  startedAt: number;
  requestAt: number;
  endedAt: number;
}

function measure(line: ConnectionLine, { startedAt, requestAt, endedAt }: Marks): HttpAnswer['timings'] {
  const handshake = measureHandshake(line);
  const { dnsMs, connectMs, tlsMs } = handshake;
  const firstByteAt = line.firstByteAt ?? endedAt;
  return roundTimings({
    // All of this machine's own waiting, before the handshake and after it: the phases are the whole.
    queueMs: Math.max(0, requestAt - startedAt - (dnsMs ?? 0) - (connectMs ?? 0) - (tlsMs ?? 0)),
    ...handshake,
    firstByteMs: firstByteAt - requestAt,
    downloadMs: endedAt - firstByteAt,
    totalMs: endedAt - startedAt,
  });
}

const PHASES = ['queueMs', 'dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'downloadMs'] as const;

function roundTimings(timings: HttpAnswer['timings']): HttpAnswer['timings'] {
  const rounded = { ...timings, totalMs: roundMs(timings.totalMs) };
  for (const phase of PHASES) rounded[phase] = timings[phase] === null ? null : roundMs(timings[phase]);
  return rounded;
}

/** What had ended when it failed: of the rest nobody knows how long it would have taken. */
function measureFailed(line: ConnectionLine, marks: Marks): HttpAnswer['timings'] {
  const { startedAt, requestAt, endedAt } = marks;
  const hasLeft = requestAt > 0;
  const begunAt = line.marks.startedAt;
  const notBegun = begunAt === null ? null : Math.max(0, begunAt - startedAt);
  return roundTimings({
    ...measure(line, marks),
    ...(!hasLeft && { queueMs: notBegun }),
    firstByteMs: hasLeft && line.firstByteAt !== null ? line.firstByteAt - requestAt : null,
    downloadMs: null,
    totalMs: endedAt - startedAt,
  });
}

function describeBraces(text: string): string {
  const [whole, name] = /\{\{([^{}]{0,60})\}\}/.exec(text) ?? [];
  if (whole === undefined || name === undefined)
    return '{{ stands in it without the }} of a variable. Close it, or write %7B%7B where braces are meant';
  return isExpressionName(name.trim())
    ? `${whole} in it has no value. Give it one in the environment`
    : `${whole} in it is no variable: ${nameRule}`;
}

function parseUrl(text: string): URL {
  if (text.includes('{{')) throw badUrl(text, describeBraces(text));
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw badUrl(text, 'it cannot be read as a URL. It should look like https://host/path');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badUrl(text, 'only http:// and https:// can be sent to. Correct the start of the URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw badUrl(url.origin, 'it holds a user name or password. Take them out and use the vault');
  }
  return url;
}

function badUrl(url: string, what: string): AppError {
  return new AppError('sending.bad_url', `This address cannot be used: ${what}.`, {
    details: { url: maskSecrets(url) },
  });
}

/** @param advice - what it leaves; null: nothing had left */
function canceled(advice: string | null): AppError {
  if (advice === null) return new AppError('sending.not_sent', 'Canceled. Nothing had left.');
  return new AppError('sending.canceled', `Canceled. ${advice}`);
}

function timedOut(
  { hostname, port, isTls }: CallTarget,
  { timeoutMs, aftermath, connection }: HttpCall,
  { marks }: ConnectionLine,
  { requestAt, responseAt }: { requestAt: number; responseAt: number },
): AppError {
  const proxyUrl = connection?.proxy?.url;
  const proxy = proxyUrl === undefined ? null : new URL(proxyUrl).host;
  const way = proxy === null ? '' : ` through the proxy ${proxy}`;
  const isMet = proxy === null ? marks.connectedAt !== null : marks.tunnelAt !== null;
  const what =
    responseAt > 0
      ? 'did not finish its answer'
      : requestAt > 0
        ? 'did not answer'
        : isTls && isMet
          ? `took the connection${way}, but did not finish the TLS handshake`
          : `could not be connected to${way}`;
  const advice = requestAt > 0 ? adviseAfter(aftermath) : 'Nothing had left.';
  return new AppError(
    requestAt > 0 ? 'sending.timeout' : 'sending.unreachable',
    `${hostname}:${port} ${what} within ${timeoutMs / 1000} s. ${advice} The time limit can be raised (Settings, --timeout-ms; of run, --timeout).`,
    { details: { host: hostname, port, timeoutMs, ...(proxy !== null && { proxy }) }, retryable: true },
  );
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Node hands out one character a byte. */
function readHeaders(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at]!, readText(raw[at + 1]!)]);
  return pairs;
}

function readText(value: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[^\x00-\x7f]/.test(value)) return value;
  try {
    return strictUtf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
