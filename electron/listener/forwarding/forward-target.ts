import { AppError } from '@shared/errors';
import { maskSecrets } from '@shared/mask-secrets';
import { parseWebUrl } from '@shared/payments/text-formats';
import { isLoopback, readTarget, type CallTarget } from '../../platform/http/call-target';

/** Where webhooks are forwarded to, as it was written and as it is used. */
export interface ForwardTarget extends Readonly<CallTarget> {
  /** Name and port, as the header has them. */
  readonly host: string;
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
  const url = parseWebUrl(text);
  if (url === null) {
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
  const target = readTarget(url);
  return {
    ...target,
    host: url.host,
    path: hasPath ? url.pathname + url.search : null,
    isLoopback: isLoopback(target),
    shown: maskSecrets(hasPath ? url.origin + url.pathname + url.search : url.origin),
  };
}

/** Says why nothing can be forwarded to an address. */
export function refuseForward(why: string): AppError {
  return new AppError('listener.bad_forward', `The address to forward to cannot be used: ${why}.`);
}

/** Tells whether an address names a path or a query: without one it takes those of each webhook. */
export const namesPath = (address: string): boolean => /^[a-z]+:\/*[^/?#]+[/?]/i.test(address.trim());
