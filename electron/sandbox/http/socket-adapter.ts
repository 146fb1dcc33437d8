import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { sendSlowly } from '../faults/faults';
import { receiveRequest, type Arrival, type HttpFrontParts, type ServiceHeaders } from './receive-request';
import type { BodyReading } from './read-body';

/** A connection on which nothing came for 65 seconds or a little more is closed. */
const IDLE_ROUNDS = 13;
const ROUND_MS = 5000;
const MOST_HEAD_BYTES = 16 * 1024;
/** Method, path below `/`, version; then headers of visible ASCII. Anything else is for `node:http` to judge. */
const PLAIN_HEAD =
  /^(?:GET|POST) \/[\x21-\x7e]* HTTP\/1\.1(?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\x20-\x7e]*)+$/;
const LENGTH = /^\d{1,7}$/;
/** Headers that the service looks at, by the ways in which clients write them. */
const KNOWN = new Map(
  [
    'Host',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Content-Length',
    'X-Custom-Signature',
  ].flatMap((name) => [
    [name, name.toLowerCase()],
    [name.toLowerCase(), name.toLowerCase()],
  ]),
);
/** Headers that change how a connection is read or kept. */
const SPECIAL = new Set([
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'proxy-connection',
]);

type Head = { -readonly [K in keyof ServiceHeaders]: ServiceHeaders[K] } & { 'content-length'?: string };

interface WholeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Head;
  readonly body: Buffer;
}

/**
 * Lets the plainest requests in without the objects of `node:http`, which cost more than storing a payment does.
 *
 * Taken here: one whole request of HTTP/1.1 with a plain head, on a connection that has nothing else in it. With
 * the first byte that is out of the ordinary (chunks, a second request behind the first, a part of a request,
 * a strange header, an admin path), the connection goes to `node:http` for good, from that request on.
 * @param passedPrefixes - paths that `node:http` serves
 */
export function attachQuickEntry(
  server: Server,
  parts: HttpFrontParts,
  passedPrefixes: readonly string[],
): { closeIdle(): void; closeAll(): void } {
  const passOn = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  const connections = new Set<QuickConnection>();
  const receive = gatherArrivals((arrival) => receiveRequest(parts, arrival));
  server.once('listening', () => {
    const rounds = setInterval(() => {
      for (const connection of connections) connection.endRound();
    }, ROUND_MS).unref();
    server.once('close', () => clearInterval(rounds));
  });
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const connection = new QuickConnection(socket, passedPrefixes, {
      receive,
      passOn: () => {
        connections.delete(connection);
        for (const listener of passOn) listener.call(server, socket);
      },
      ended: () => void connections.delete(connection),
    });
    connections.add(connection);
  });
  return {
    closeIdle() {
      for (const connection of connections) if (!connection.isBusy) connection.destroy();
    },
    closeAll() {
      for (const connection of connections) connection.destroy();
    },
  };
}

/** Arrivals that are worth waiting for together, and turns of the event loop that are waited at most. */
const ENOUGH_ARRIVALS = 16;
const MOST_TURNS = 3;

/**
 * Hands requests on in groups: as long as a turn of the event loop brings more of them, a few turns are waited for.
 *
 * Requests that go through the same code one right after the other take a third less time, and share a commit. One
 * that is alone waits for one look at the sockets, some microseconds.
 */
function gatherArrivals(receive: (arrival: Arrival) => void): (arrival: Arrival) => void {
  let arrived: Arrival[] = [];
  let seen = 0;
  let turns = 0;
  const endTurn = (): void => {
    const isGrowing = arrived.length > seen && arrived.length < ENOUGH_ARRIVALS && turns < MOST_TURNS;
    seen = arrived.length;
    turns += 1;
    if (isGrowing) return void setImmediate(endTurn);
    const group = arrived;
    arrived = [];
    seen = 0;
    turns = 0;
    for (const arrival of group) receive(arrival);
  };
  return (arrival) => {
    if (arrived.length === 0) setImmediate(endTurn);
    arrived.push(arrival);
  };
}

const NO_HEADERS: ServiceHeaders = {};
const NO_BODY: Buffer = Buffer.alloc(0);

/** A connection, and the one request on it that is under way. */
class QuickConnection implements Arrival {
  isBusy = false;
  method = '';
  url = '';
  headers = NO_HEADERS;

  private body = NO_BODY;
  private idleRounds = 0;
  private later: Buffer[] = [];
  private hasEnded = false;

  constructor(
    private readonly socket: Socket,
    private readonly passedPrefixes: readonly string[],
    private readonly owner: { receive(arrival: Arrival): void; passOn(): void; ended(): void },
  ) {
    socket.on('data', this.onData);
    socket.on('end', this.onEnd);
    socket.on('error', this.onError);
    socket.on('close', this.owner.ended);
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Counts the time in which nothing came: a timer of each socket would be set anew with every request. */
  endRound(): void {
    this.idleRounds += 1;
    if (this.idleRounds > IDLE_ROUNDS && !this.isBusy) this.socket.destroy();
  }

  readBody(done: (reading: BodyReading) => void): void {
    done({ ok: true, bytes: this.body });
  }

  send(httpStatus: number, headers: readonly string[], text: string): void {
    if (!this.socket.writable) return;
    const size = Buffer.byteLength(text);
    // Plain ASCII is the same bytes in Latin-1, which is written faster.
    const encoding = size === text.length ? 'latin1' : 'utf8';
    this.socket.write(writeHead(httpStatus, headers, size) + text, encoding);
    this.next();
  }

  sendSlowly(httpStatus: number, headers: readonly string[], text: string, durationMs: number): void {
    const { socket } = this;
    if (!socket.writable) return;
    socket.write(writeHead(httpStatus, headers, Buffer.byteLength(text)));
    sendSlowly(
      { write: (bytes) => socket.write(bytes), end: () => this.next(), once: socket.once.bind(socket) },
      text,
      durationMs,
    );
  }

  drop(): void {
    this.socket.destroy();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.isBusy) {
      this.later.push(chunk);
      // One request is read at a time: what comes early waits in the client's hands.
      this.socket.pause();
      return;
    }
    const request = readWholeRequest(chunk);
    if (request === null || this.passedPrefixes.some((prefix) => request.url.startsWith(prefix))) {
      return this.passOn(chunk);
    }
    this.isBusy = true;
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.body = request.body;
    this.owner.receive(this);
  };

  private readonly onEnd = (): void => {
    this.hasEnded = true;
    if (!this.isBusy) this.socket.end();
  };

  private readonly onError = (): void => {
    this.socket.destroy();
  };

  private passOn(chunk: Buffer): void {
    const { socket } = this;
    socket.off('data', this.onData);
    socket.off('end', this.onEnd);
    socket.off('error', this.onError);
    socket.off('close', this.owner.ended);
    socket.pause();
    socket.unshift(chunk);
    this.owner.passOn();
    socket.resume();
  }

  /** Goes on with what came while a request was answered. */
  private next(): void {
    const { later, socket } = this;
    this.body = NO_BODY;
    this.headers = NO_HEADERS;
    this.idleRounds = 0;
    if (later.length === 0) {
      this.isBusy = false;
      if (this.hasEnded) socket.end();
      return;
    }
    this.later = [];
    // In a turn of its own: a client that sends ahead must not hold up the others.
    setImmediate(() => {
      this.isBusy = false;
      if (socket.destroyed) return;
      socket.resume();
      this.onData(Buffer.concat(later));
    });
  }
}

let date = '';
let dateSecond = 0;

/** The `Date` header, written once a second. It is the machine's time, as HTTP has it. */
function readDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}

function writeHead(httpStatus: number, headers: readonly string[], bodyBytes: number): string {
  let head = `HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus] ?? ''}\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return `${head}Content-Length: ${bodyBytes}\r\nDate: ${readDate()}\r\nConnection: keep-alive\r\n\r\n`;
}

/** Reads a chunk that is one whole plain request and nothing more; null for anything else. */
function readWholeRequest(chunk: Buffer): WholeRequest | null {
  const headEnd = chunk.indexOf('\r\n\r\n');
  if (headEnd === -1 || headEnd > MOST_HEAD_BYTES) return null;
  const head = chunk.toString('latin1', 0, headEnd);
  if (!PLAIN_HEAD.test(head)) return null;
  const methodEnd = head.indexOf(' ');
  const lineEnd = head.indexOf('\r\n');
  const headers = readHeaders(head, lineEnd + 2);
  if (headers === null || headers.host === undefined) return null;
  const method = methodEnd === 'GET'.length ? 'GET' : 'POST';
  const length = headers['content-length'] ?? '0';
  const body = chunk.subarray(headEnd + 4);
  if (!LENGTH.test(length) || Number(length) !== body.length) return null;
  if (method === 'POST' && headers['content-length'] === undefined) return null;
  return { method, url: head.slice(methodEnd + 1, lineEnd - ' HTTP/1.1'.length), headers, body };
}

/** Reads the lines of a plain head; null where one of them stands twice or changes how the connection is read. */
function readHeaders(head: string, from: number): Head | null {
  // All names from the start: an object that grows one by one is slower to write and to read.
  const headers: Record<string, string | undefined> = {
    host: undefined,
    authorization: undefined,
    'content-type': undefined,
    'content-encoding': undefined,
    'content-length': undefined,
    'x-custom-signature': undefined,
  };
  for (let at = from; at < head.length;) {
    const colon = head.indexOf(':', at);
    const next = head.indexOf('\r\n', colon);
    const end = next === -1 ? head.length : next;
    const written = head.slice(at, colon);
    const name = KNOWN.get(written) ?? written.toLowerCase();
    const value = head.slice(colon + 1, end).trim();
    if (KNOWN.has(name)) {
      if (headers[name] !== undefined) return null;
      headers[name] = value;
    } else if (SPECIAL.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) {
      return null;
    }
    at = end + 2;
  }
  return headers as Head;
}
