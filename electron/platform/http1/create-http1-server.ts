import { createServer, type Server, type Socket } from 'node:net';
import { Connection, type ConnectionOwner, type HttpHandler } from './connection';
import { limits } from './limits';

const SWEEP_MS = 1000;

/** A server of HTTP/1.0 and HTTP/1.1 that does not listen yet. */
export interface Http1Server {
  readonly server: Server;
  /**
   * Takes no more connections, closes the idle ones and the others after the answer to what has begun to arrive.
   * Resolves when all are closed.
   */
  close(): Promise<void>;
  /** Cuts the connections that are left. */
  destroyConnections(): void;
}

/**
 * Makes a server that speaks HTTP on the socket itself, strictly.
 *
 * The objects of `node:http` cost more than storing a webhook or a payment does. Every request is handed over whole;
 * requests of one connection are taken one after the other.
 * @param tls - key and certificate, PEM; null: plain HTTP
 * @source RFC 9112
 */
export function createHttp1Server(
  handler: HttpHandler,
  tls: { key: string; cert: string } | null = null,
): Http1Server {
  const owner: ConnectionOwner = { handler, pendingBytes: 0, connections: new Set() };
  const onSocket = (socket: Socket): void => void owner.connections.add(new Connection(socket, owner));
  const settings = { allowHalfOpen: true, noDelay: true };
  const server: Server =
    tls === null
      ? createServer(settings, onSocket)
      : // Loaded where it is asked for: it takes a part of each start.
        process
          .getBuiltinModule('node:tls')
          .createServer({ ...settings, ...tls, handshakeTimeout: limits.headMs }, onSocket);
  server.maxConnections = limits.connections;
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const reason = describeTlsFault(error);
    if (reason !== null) handler.noteTlsFault?.(reason, socket.remoteAddress ?? '');
    socket.destroy();
  });
  server.once('listening', () => {
    const sweep = setInterval(() => {
      const nowMs = performance.now();
      for (const connection of owner.connections) connection.checkDeadline(nowMs);
    }, SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  });
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of owner.connections) connection.stop();
      }),
    destroyConnections() {
      for (const connection of owner.connections) connection.drop();
    },
  };
}

/** Null: the client went before it said anything, as a probe of the port does. */
export function describeTlsFault({ code = '' }: NodeJS.ErrnoException): string | null {
  if (code === 'ECONNRESET') return null;
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'this is plain HTTP, and this port speaks HTTPS: use https://';
  // The alerts of a client that has looked at the certificate, and none that merely has these letters in it (CANCELLED).
  if (/ALERT_(?:\w+_)?(?:CA|CERTIFICATE(?:_\w+)?)$/.test(code))
    return 'the sender does not trust the certificate';
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return 'the TLS handshake did not end in time';
  return `no TLS could be agreed on (${code})`;
}
