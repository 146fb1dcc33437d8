import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { holdsUserInfo, parseWebUrl } from '@shared/payments/text-formats';
import { isLoopback, readTarget } from '../../platform/http/call-target';
import { limits } from '../../platform/http1/limits';
import { listenOn, type PortChoice } from '../../platform/http/listen-on';
import type { CapturedExchange } from './captured-exchange';
import { ProxyConnection, type ProxyRoute } from './proxy-connection';

export interface Proxy {
  readonly url: string;
  /** Tells whether a request that may change something has waited for its answer for so long. */
  isHolding(ms: number): boolean;
  /** Takes no more connections and cuts those that are there, once what they may have changed is answered, or a moment is over. */
  close(): Promise<void>;
}

/** Nobody was asked about what had gone on within it. */
const MOMENT_MS = 500;
const LOOK_MS = 10;

/** Reads the base address of a service; null where it is none, or holds a user name, a query or a fragment. */
export function readTargetUrl(text: string): URL | null {
  const url = parseWebUrl(text);
  return url === null || holdsUserInfo(url) || url.search !== '' || url.hash !== '' ? null : url;
}

/** What stands before the path of each request, as exchanges keep it. */
export function readOrigin(target: URL): string {
  return target.origin + readPrefix(target);
}

function readPrefix({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, '');
}

/**
 * Starts a proxy on this machine to one target, and to no other, whatever a request names.
 *
 * `Host` stays as the client said for a target on this machine; a service in the network goes by its own name, and gets that.
 * @param tls - own issuers and client certificate for the target
 * @throws {AppError} `proxy.port_in_use`, `proxy.port_refused`; `proxy.bad_target` where it would talk to itself
 */
export async function createProxy(
  to: URL,
  port: PortChoice,
  onExchange: (exchange: CapturedExchange) => void,
  tls: ProxyRoute['tls'] = {},
): Promise<Proxy> {
  const target = readTarget(to);
  const host = isLoopback(target) ? null : to.host;
  const route: ProxyRoute = { target, prefix: readPrefix(to), host, tls, onExchange };
  const connections = new Set<ProxyConnection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = new ProxyConnection(socket, route);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.maxConnections = limits.connections;
  const got = await listenOn(server, 'proxy', port);
  if (isLoopback(target) && target.port === got) {
    server.close();
    throw new AppError(
      'proxy.bad_target',
      `The proxy would have itself as its target: ${to.host} is its own address. Name the service behind it.`,
    );
  }
  return {
    url: `http://127.0.0.1:${got}`,
    isHolding: (ms) => [...connections].some((one) => one.isHolding(ms)),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.takeNoMore();
      const until = performance.now() + MOMENT_MS;
      for (;;) {
        const isOver = performance.now() > until;
        for (const one of connections) if (isOver || !one.isHolding(0)) one.destroy();
        if (connections.size === 0 || isOver) break;
        await delay(LOOK_MS);
      }
      await closed;
    },
  };
}
