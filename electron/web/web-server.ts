import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { EventBus } from '@shared/contract/events';
import { proofHeader } from '@shared/web-proof';
import { AppError, toErrorReply } from '@shared/errors';
import { listenOn } from '../platform/http/listen-on';
import { SESSION_COOKIE } from '../platform/http/session-cookie';
import type { Random } from '../platform/ports';
import { readStaticFile, securityHeaders } from '../platform/http/static-files';
import type { Router } from '../services/router';
import { entryPage } from './entry-page';
import { refusalPage } from './refusal-page';

const maxCallBytes = 64 * 1024 * 1024;
/** Every server on 127.0.0.1 shares one cookie jar: as many cookies as a browser keeps for a host must not lock us out. */
const maxHeaderBytes = 1024 * 1024;
const heartbeatMs = 25_000;
/** A page that takes no more events (asleep, stopped in a debugger) is cut off; it asks anew when it wakes up. */
const maxUnsentBytes = 4 * 1024 * 1024;

export interface WebServerOptions {
  router: Router;
  events: EventBus;
  random: Random;
  /** Folder of the built user interface. */
  root: string;
  /** 0: any free port. */
  port: number;
  /** Told each time a launch address is good for one use: at the start and after each use. */
  onLaunchUrl(url: string): void;
}

export interface WebServer {
  /** `http://127.0.0.1:PORT`, no trailing slash. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves the app to a browser on this machine.
 *
 * Loopback only. Every request must name this server in `Host`, and in `Origin` where it has one. Who spends a one-time
 * launch token gets two things: a cookie, and a proof that the page keeps and sends as a header. Calls and events need
 * both: a browser gives the cookie to every server of this machine.
 * @throws {AppError} `web.port_in_use`, `web.port_refused`
 */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const session = toHex(options.random.bytes(32));
  const proof = toHex(options.random.bytes(32));
  let launchToken = toHex(options.random.bytes(32));
  let origin = '';
  let cookieName = '';
  const streams = new Set<ServerResponse>();

  const offerLaunch = (): void => options.onLaunchUrl(`${origin}/launch?token=${launchToken}`);

  const launch = (url: URL, response: ServerResponse, hasSession: boolean): void => {
    if (isSame(url.searchParams.get('token') ?? '', launchToken)) {
      launchToken = toHex(options.random.bytes(32));
      response.setHeader('set-cookie', `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`);
      answerPage(response, 200, entryPage(proof));
      offerLaunch();
    } else if (hasSession) {
      answerPage(response, 200, entryPage(null));
    } else {
      answerPage(response, 403, refusalPage('This launch address has been used.'));
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOwnHost(request, origin))
      return answerText(response, 421, 'This server answers to its own loopback address only.');
    const isLaunch = request.method === 'GET' && (request.url ?? '').startsWith('/launch?');
    if (!isLaunch && !isOwnOrigin(request, origin))
      return answerText(response, 403, 'Requests from other sites are refused.');
    const target = request.url ?? '/';
    if (!URL.canParse(target, origin)) return answerText(response, 400, 'This address cannot be read.');
    const url = new URL(target, origin);
    // Browsers ask by themselves on a page that names no icon, such as the one that leads on to the app.
    if (url.pathname === '/favicon.ico') return void response.writeHead(204).end();
    const hasSession = readCookies(request, cookieName).some((value) => isSame(value, session));
    if (url.pathname === '/launch' && request.method === 'GET') return launch(url, response, hasSession);
    const isProven = hasSession && isSame(String(request.headers[proofHeader] ?? ''), proof);
    if (url.pathname === '/api/call' && request.method === 'POST') {
      if (!isProven) return answerJson(response, 401, { ok: false, error: noSession() });
      return answerCall(request, response, options.router);
    }
    if (url.pathname === '/api/events' && request.method === 'GET') {
      if (!isProven) return answerText(response, 401, noSession().message);
      return openStream(response, streams);
    }
    await answerFile(request, response, { root: options.root, pathname: url.pathname, hasSession });
  };

  const limits = {
    requestTimeout: 120_000,
    headersTimeout: 10_000,
    maxHeaderSize: maxHeaderBytes,
    // A connection that ends while the page sends its next call fails that call: Node's own 5 seconds are a pause in typing.
    keepAliveTimeout: 120_000,
  };
  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, { ok: false, error: toErrorReply(error) });
    });
  });
  const port = await listenOn(server, 'web', { port: options.port, alternatives: 0 });
  origin = `http://127.0.0.1:${port}`;
  cookieName = `${SESSION_COOKIE}${port}`;

  const stopBroadcast = broadcast(options.events, streams);
  offerLaunch();

  return {
    origin,
    async close() {
      stopBroadcast();
      for (const stream of streams) stream.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes every event on to all streams; a page that does not read its own is let go. @returns ends it */
function broadcast(events: WebServerOptions['events'], streams: ReadonlySet<ServerResponse>): () => void {
  const unsubscribe = events.subscribeAll((name, payload) => {
    const message = `data: ${JSON.stringify({ name, payload })}\n\n`;
    for (const stream of streams) {
      if (stream.writableLength > maxUnsentBytes) stream.destroy();
      else stream.write(message);
    }
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.write(': still here\n\n');
  }, heartbeatMs);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    unsubscribe();
  };
}

async function answerFile(
  request: IncomingMessage,
  response: ServerResponse,
  { root, pathname, hasSession }: { root: string; pathname: string; hasSession: boolean },
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answerText(response, 405, 'Not allowed here.');
  if (!hasSession)
    return answerPage(response, 403, refusalPage('This page needs the address that Countersign printed.'));
  const file = await readStaticFile(root, pathname);
  if (file === null) return answerText(response, 404, 'No such file.');
  response.writeHead(200, { ...file.headers, 'content-length': file.body.length });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

async function answerCall(request: IncomingMessage, response: ServerResponse, router: Router): Promise<void> {
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    return answerJson(response, 415, {
      ok: false,
      error: toErrorReply(
        new AppError('app.bad_input', 'Calls are JSON: send content-type application/json.'),
      ),
    });
  }
  const body = await readBody(request);
  if (body === null) {
    return answerJson(response, 413, {
      ok: false,
      error: toErrorReply(
        new AppError(
          'app.too_large',
          'That is more than the 64 MiB that one call may carry. Send it with the command line.',
        ),
      ),
    });
  }
  let call: { method?: unknown; input?: unknown };
  try {
    call = JSON.parse(body) as typeof call;
  } catch {
    return answerJson(response, 400, {
      ok: false,
      error: toErrorReply(new AppError('app.bad_input', 'The call is not JSON.')),
    });
  }
  const method = typeof call?.method === 'string' ? call.method : '';
  answerJson(response, 200, await router.dispatch(method, call?.input ?? {}));
}

/** @returns null where the body is over the limit; what follows is not kept. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes <= maxCallBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return sizeBytes > maxCallBytes ? null : Buffer.concat(chunks).toString('utf8');
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    connection: 'keep-alive',
    ...securityHeaders,
  });
  response.write(': open\n\n');
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

function isOwnHost(request: IncomingMessage, origin: string): boolean {
  const port = origin.slice(origin.lastIndexOf(':') + 1);
  return request.headers.host === `127.0.0.1:${port}` || request.headers.host === `localhost:${port}`;
}

function isOwnOrigin(request: IncomingMessage, origin: string): boolean {
  const from = request.headers.origin;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (from === undefined) return request.method === 'GET' || request.method === 'HEAD';
  return from === origin || from === origin.replace('127.0.0.1', 'localhost');
}

/** All of that name: another server on this machine can set one more, in front of ours. */
function readCookies(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim().split('=', 2))
    .filter(([key]) => key === name)
    .map(([, value]) => value ?? '');
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

function noSession(): ReturnType<typeof toErrorReply> {
  return toErrorReply(
    new AppError(
      'web.no_session',
      'Each window needs an address of its own, or Countersign was started anew: open the address that it printed last, or run “countersign app” once more.',
    ),
  );
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function answerJson(response: ServerResponse, httpStatus: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(httpStatus, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    ...securityHeaders,
  });
  response.end(body);
}

function answerText(response: ServerResponse, httpStatus: number, text: string): void {
  response.writeHead(httpStatus, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders,
  });
  response.end(`${text}\n`);
}

function answerPage(response: ServerResponse, httpStatus: number, html: string): void {
  response.writeHead(httpStatus, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders,
  });
  response.end(html);
}
