import { AppError } from '@shared/errors';
import { maskSecrets } from '@shared/mask-secrets';

/** Where webhooks are forwarded to, as it was written and as it is used. */
export interface ForwardTarget {
  readonly hostname: string;
  readonly port: number;
  /** Name and port, as the header has them. */
  readonly host: string;
  readonly isTls: boolean;
  /** Path and query of the address; null: each webhook keeps its own. */
  readonly path: string | null;
  readonly isLoopback: boolean;
  /** For screens and messages. */
  readonly shown: string;
}

/**
 * Reads the address that webhooks are forwarded to. One without a path keeps the path and the query of each webhook.
 *
 * @throws {AppError} `listener.bad_forward`
 */
export function readForwardTarget(text: string): ForwardTarget {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw refuseForward(
      'it is not an absolute http:// or https:// address, such as http://127.0.0.1:3000/webhooks',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw refuseForward(
      'it holds a user name or password, which would stand in lists and logs. Take them out',
    );
  }
  const hasPath = namesPath(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    hostname: host,
    port: url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80,
    host: url.host,
    isTls: url.protocol === 'https:',
    path: hasPath ? url.pathname + url.search : null,
    isLoopback: host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host),
    shown: maskSecrets(hasPath ? url.origin + url.pathname + url.search : url.origin),
  };
}

/** Says why nothing can be forwarded to an address. */
export function refuseForward(why: string): AppError {
  return new AppError('listener.bad_forward', `The address to forward to cannot be used: ${why}.`);
}

/** Tells whether an address names a path or a query: without one it takes those of each webhook. */
export const namesPath = (address: string): boolean => /^[a-z]+:\/*[^/?#]+[/?]/i.test(address.trim());
