import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Client, Dispatcher } from 'undici';
import { AppError } from '@shared/errors';
import { onceConnected, openSocket, readTarget } from './connect-to';
import { describeNetworkError, type CallTarget } from './http-errors';
import type { HttpAnswer, HttpCall, HttpClient } from '../ports';

const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Shorter than the five seconds after which many servers drop an idle connection. */
const KEEP_ALIVE_MS = 4000;
const MAX_IDLE_PER_ORIGIN = 8;

/** One connection with the times of its last handshake. A call has it to itself. */
interface Line {
  client: Client;
  connectStartedAt: number | null;
  connectedAt: number | null;
}

/**
 * Makes the client that sends requests exactly as given.
 *
 * Headers keep their order and go out as UTF-8; only `Host`, `Connection` and `Content-Length` are placed by the
 * client. Redirects are not followed, nothing is sent twice. Phases are measured on the connection itself.
 */
export function createHttpClient(): HttpClient {
  const idle = new Map<string, Line[]>();
  return async (call) => {
    const startedAt = performance.now();
    const url = parseUrl(call.url);
    if (call.signal?.aborted === true) throw canceled();
    const target = readTarget(url);
    const lines = idle.get(url.origin) ?? [];
    idle.set(url.origin, lines);
    const line = takeIdle(lines) ?? (await openLine(url, target));
    const answer = await exchange(line, call, url, target, startedAt);
    if (!line.client.destroyed && lines.length < MAX_IDLE_PER_ORIGIN) lines.push(line);
    else void line.client.destroy();
    return answer;
  };
}

function takeIdle(lines: Line[]): Line | undefined {
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    if (!line.client.destroyed && !line.client.closed) return line;
  }
  return undefined;
}

async function openLine(url: URL, target: CallTarget): Promise<Line> {
  // Loaded on the first call: start-up does not pay for it.
  const { default: UndiciClient } = await import('undici/lib/dispatcher/client.js');
  const line: Line = { client: null as unknown as Client, connectStartedAt: null, connectedAt: null };
  line.client = new UndiciClient(url.origin, {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 128 * 1024,
    connect: (_options, callback) => connect(line, target, callback),
  });
  return line;
}

type ConnectCallback = (...result: [null, Socket] | [Error, null]) => void;

function connect(line: Line, target: CallTarget, callback: ConnectCallback): void {
  line.connectStartedAt = performance.now();
  line.connectedAt = null;
  const socket = openSocket(target);
  onceConnected(socket, target, (error) => {
    if (error !== null) return callback(error, null);
    line.connectedAt = performance.now();
    callback(null, socket);
  });
}

function exchange(
  line: Line,
  call: HttpCall,
  url: URL,
  target: CallTarget,
  startedAt: number,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    line.connectStartedAt = null;
    const maxBytes = call.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    let requestAt = 0;
    let responseAt = 0;
    let httpStatus = 0;
    let headers: [string, string][] = [];
    let isDone = false;

    const stop = (): void => {
      isDone = true;
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown): void => {
      if (isDone) return;
      stop();
      void line.client.destroy();
      reject(describeNetworkError(error, target, requestAt > 0));
    };
    const finish = (isCut: boolean): void => {
      if (isDone) return;
      stop();
      if (isCut) void line.client.destroy();
      const endedAt = performance.now();
      resolve({
        httpStatus,
        headers,
        body: Buffer.concat(chunks),
        isCut,
        timings: measure(line, { startedAt, requestAt, responseAt, endedAt }),
      });
    };
    const onAbort = (): void => fail(canceled());
    const timer = setTimeout(() => fail(timedOut(target, call.timeoutMs, responseAt > 0)), call.timeoutMs);
    call.signal?.addEventListener('abort', onAbort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => void (requestAt = performance.now()),
      onResponseStart: (controller, status) => {
        if (status < 200) return;
        responseAt = performance.now();
        httpStatus = status;
        headers = readHeaders(controller.rawHeaders);
      },
      onResponseData: (_controller, chunk) => {
        if (isDone) return;
        const room = maxBytes - sizeBytes;
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        sizeBytes += Math.min(chunk.length, room);
        if (chunk.length > room) finish(true);
      },
      onResponseEnd: () => finish(false),
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      line.client.dispatch(
        {
          path: url.pathname + url.search,
          method: call.method,
          headers: call.headers.flatMap(([name, value]) => [name, toWire(value)]),
          body: call.body,
        },
        handler,
      );
    } catch (error) {
      fail(error);
    }
  });
}

interface Marks {
  startedAt: number;
  requestAt: number;
  responseAt: number;
  endedAt: number;
}

function measure(line: Line, { startedAt, requestAt, responseAt, endedAt }: Marks): HttpAnswer['timings'] {
  const { connectStartedAt, connectedAt } = line;
  return {
    queueMs: (connectStartedAt ?? requestAt) - startedAt,
    connectMs: connectStartedAt === null || connectedAt === null ? null : connectedAt - connectStartedAt,
    firstByteMs: responseAt - requestAt,
    downloadMs: endedAt - responseAt,
    totalMs: endedAt - startedAt,
  };
}

function parseUrl(text: string): URL {
  if (text.includes('{{')) {
    throw badUrl(text, 'a variable in it has no value. Give it one in the environment');
  }
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
  return new AppError('sending.bad_url', `This address cannot be used: ${what}.`, { details: { url } });
}

function canceled(): AppError {
  return new AppError(
    'sending.canceled',
    'Canceled. If the request had already left, the service may have processed it: query its status.',
  );
}

function timedOut(target: CallTarget, timeoutMs: number, hasAnswerBegun: boolean): AppError {
  const what = hasAnswerBegun ? 'did not finish its answer' : 'did not answer';
  return new AppError(
    'sending.timeout',
    `${target.hostname}:${target.port} ${what} within ${timeoutMs / 1000} s. Query the payment’s status before sending again, or raise the time limit in the settings.`,
    { details: { host: target.hostname, port: target.port, timeoutMs }, retryable: true },
  );
}

/** Header text leaves as UTF-8, as curl does it; undici writes one byte a character. */
function toWire(value: string): string {
  // eslint-disable-next-line no-control-regex
  return /[^\x00-\x7f]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function readHeaders(raw: unknown): [string, string][] {
  if (!Array.isArray(raw)) return [];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([readText(raw[at]), readText(raw[at + 1])]);
  return pairs;
}

function readText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  try {
    return strictUtf8.decode(value);
  } catch {
    return Buffer.from(value).toString('latin1');
  }
}
