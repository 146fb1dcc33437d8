import { createServer } from 'node:net';
import { isLoopback, readTarget } from '../../platform/http/connect-to';
import { limits } from '../../platform/http1/limits';
import { listenOn } from '../../platform/http/listen-on';
import type { CapturedExchange } from './captured-exchange';
import { ProxyConnection, type ProxyRoute } from './proxy-connection';

/** A proxy that takes connections. */
export interface Proxy {
  readonly url: string;
  /** Takes no more connections and cuts those that are there. */
  close(): Promise<void>;
}

/**
 * Starts a proxy on this machine to one target, and to no other, whatever a request names.
 *
 * `Host` stays as the client said for a target on this machine; a service in the network goes by its own name, and gets that.
 * @param port - 0: any free one
 * @throws {AppError} `proxy.port_in_use`, `proxy.port_refused`
 */
export async function createProxy(
  to: URL,
  port: number,
  onExchange: (exchange: CapturedExchange) => void,
): Promise<Proxy> {
  const target = readTarget(to);
  const host = isLoopback(target) ? null : to.host;
  const route: ProxyRoute = { target, prefix: to.pathname.replace(/\/+$/, ''), host, onExchange };
  const connections = new Set<ProxyConnection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = new ProxyConnection(socket, route);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.maxConnections = limits.connections;
  const got = await listenOn(server, 'proxy', { port, alternatives: 0 });
  return {
    url: `http://127.0.0.1:${got}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.destroy();
      }),
  };
}
