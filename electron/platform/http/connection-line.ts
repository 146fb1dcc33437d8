import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';
import { performance } from 'node:perf_hooks';
import type { HttpTrace, TlsFacts, WireBytes } from '../ports';

/** Times of one connection's handshake, by `performance.now()`; null: that step has not been, or there was none. */
interface HandshakeMarks {
  startedAt: number | null;
  lookedUpAt: number | null;
  connectedAt: number | null;
  /** The tunnel through a proxy stands. */
  tunnelAt: number | null;
  /** The connection may be used: for TLS, once its certificate was taken. */
  readyAt: number | null;
}

/** One connection with the times of its last handshake. A call has it to itself. */
export interface ConnectionLine {
  /** Opens its connection, and again where the server has closed it meanwhile. */
  readonly agent: Agent;
  /** Its socket goes to a proxy. */
  readonly isProxied: boolean;
  /** It failed, its answer was cut, or bytes came that nobody had asked for: it takes no more calls. */
  isClosed: boolean;
  /** It waits for a call: what comes now is no answer to the next one. */
  isIdle: boolean;
  /** On the way to a connection: the one that is being opened. */
  socket: Socket | null;
  marks: HandshakeMarks;
  /** How many calls its connection has answered. */
  calls: number;
  /** Since when it has waited for the next one, by the clock of `performance`. */
  idleSince: number;
  /** Of the answer to the call that has it, under TLS as they were decrypted. */
  receivedBytes: number;
  /** When the first byte of that answer came, by the clock of `performance`; null: none yet, or of one in between (1xx) alone. */
  firstByteAt: number | null;
  /** Where it was connected to, and whom it met there: a socket that was given up over a certificate tells no more. */
  met: { address: string | null; tls: TlsFacts | null };
  /** Keeps what goes over the connection while a call asks for it. */
  tap: { sent: KeptBytes; received: KeptBytes } | null;
}

export const noMarks: HandshakeMarks = {
  startedAt: null,
  lookedUpAt: null,
  connectedAt: null,
  tunnelAt: null,
  readyAt: null,
};

/** Notes the steps of a handshake; on the way through a proxy, given the socket within its tunnel too. */
export function watchHandshake(line: ConnectionLine, socket: Socket): void {
  const { marks } = line;
  line.socket = socket;
  if (line.tap !== null) noteWhom(line, socket);
  if (marks.connectedAt !== null) {
    // The tunnel stands: what is left is the handshake within it.
    marks.connectedAt = marks.tunnelAt = performance.now();
    return;
  }
  socket.once('lookup', () => (marks.lookedUpAt ??= performance.now()));
  socket.once('connect', () => (marks.connectedAt ??= performance.now()));
}

/** Notes the certificates before they are judged. */
function noteWhom(line: ConnectionLine, socket: Socket): void {
  // What a proxy showed is not the server's.
  line.met.tls = null;
  socket.once('connect', () => (line.met.address = formatAddress(socket)));
  if (socket instanceof TLSSocket)
    socket.prependOnceListener('secure', () => (line.met.tls = readTls(socket)));
}

/** It takes no more calls. */
export function closeLine(line: ConnectionLine): void {
  line.isClosed = true;
  line.agent.destroy();
}

/** Lets the bytes of a connection be looked at, once it may be used: what a proxy was told before is none of them. */
export function tapSocket(line: ConnectionLine, socket: Socket): void {
  line.socket = socket;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const push = socket.push.bind(socket);
  // Under TLS these are the bytes before they are encrypted, and after they were decrypted.
  socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    line.tap?.sent.add(typeof chunk === 'string' ? Buffer.from(chunk, rest[0] as BufferEncoding) : chunk);
    return write(chunk, ...rest);
  }) as Socket['write'];
  socket.push = (chunk, encoding) => {
    if (chunk instanceof Uint8Array) {
      if (line.isIdle) closeLine(line);
      line.firstByteAt ??= performance.now();
      line.receivedBytes += chunk.length;
      line.tap?.received.add(chunk);
    }
    return push(chunk, encoding);
  };
}

/** The steps of a handshake in milliseconds, from its start; null where the connection was there already, and for what has not ended. */
export function measureHandshake({ marks, socket }: ConnectionLine): {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
} {
  const { startedAt, lookedUpAt, connectedAt, readyAt } = marks;
  if (startedAt === null) return { dnsMs: null, connectMs: null, tlsMs: null };
  const isTls = socket instanceof TLSSocket;
  const openAt = isTls ? (connectedAt ?? readyAt) : (readyAt ?? connectedAt);
  return {
    dnsMs: lookedUpAt === null ? null : lookedUpAt - startedAt,
    connectMs: openAt === null ? null : openAt - (lookedUpAt ?? startedAt),
    tlsMs: isTls && readyAt !== null && openAt !== null ? readyAt - openAt : null,
  };
}

/** Begins to keep what goes over a line. @returns gives what was kept, once; the line then keeps nothing more */
export function beginTrace(line: ConnectionLine, mostBytes: number): () => HttpTrace {
  const tap = { sent: new KeptBytes(mostBytes), received: new KeptBytes(mostBytes) };
  line.tap = tap;
  return () => {
    if (line.tap === tap) line.tap = null;
    const received = tap.received.read();
    return {
      address: formatAddress(line.socket) ?? line.met.address,
      isProxied: line.isProxied,
      isReused: line.marks.startedAt === null,
      httpVersion:
        /^HTTP\/(\d\.\d)/.exec(Buffer.from(received.bytes.subarray(0, 8)).toString('latin1'))?.[1] ?? null,
      tls: line.socket instanceof TLSSocket ? (readTls(line.socket) ?? line.met.tls) : null,
      sent: tap.sent.read(),
      received,
    };
  };
}

/** The first bytes of a stream, and how many there were. */
class KeptBytes {
  readonly #most: number;
  readonly #chunks: Uint8Array[] = [];
  #keptSize = 0;
  #sizeBytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Uint8Array): void {
    this.#sizeBytes += chunk.length;
    const room = this.#most - this.#keptSize;
    if (room <= 0) return;
    // A copy: the buffer of a socket may be used again.
    const kept = Uint8Array.prototype.slice.call(chunk, 0, room);
    this.#chunks.push(kept);
    this.#keptSize += kept.length;
  }

  read(): WireBytes {
    return { bytes: Buffer.concat(this.#chunks), sizeBytes: this.#sizeBytes };
  }
}

function formatAddress(socket: Socket | null): string | null {
  if (socket?.remoteAddress === undefined || socket.remotePort === undefined) return null;
  const host = socket.remoteFamily === 'IPv6' ? `[${socket.remoteAddress}]` : socket.remoteAddress;
  return `${host}:${socket.remotePort}`;
}

/** A chain that is longer is none that a server should show. */
const LONGEST_CHAIN = 10;

function readTls(socket: TLSSocket): TlsFacts | null {
  const protocol = socket.getProtocol();
  if (protocol === null) return null;
  const chain: TlsFacts['chain'] = [];
  const seen = new Set<string>();
  let at: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (at?.fingerprint256 !== undefined && !seen.has(at.fingerprint256) && chain.length < LONGEST_CHAIN) {
    seen.add(at.fingerprint256);
    chain.push({
      subject: describeName(at.subject),
      issuer: describeName(at.issuer),
      validFrom: Date.parse(at.valid_from),
      validTo: Date.parse(at.valid_to),
      names: (at.subjectaltname ?? '').slice(0, 1000),
      fingerprint: at.fingerprint256,
    });
    at = at.issuerCertificate;
  }
  return { protocol, cipher: socket.getCipher()?.standardName ?? '', chain };
}

/** `CN=…, O=…`: the parts that tell a certificate from others. */
function describeName(name: DetailedPeerCertificate['subject'] | undefined): string {
  return (['CN', 'O', 'OU', 'C'] as const)
    .flatMap((part) => (name?.[part] ? [`${part}=${String(name[part]).slice(0, 200)}`] : []))
    .join(', ');
}
