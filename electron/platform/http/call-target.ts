import { isIP } from 'node:net';

/** Where a call went, for messages: `example.test:443`. */
export interface CallTarget {
  hostname: string;
  port: number;
  isTls: boolean;
}

/** Where the connections of a URL go. */
export function readTarget(url: URL): CallTarget {
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port, isTls };
}

/** Tells whether a target is this machine, as far as its name tells that for sure. */
export function isLoopback({ hostname }: CallTarget): boolean {
  return (
    hostname === 'localhost' || hostname === '::1' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}
