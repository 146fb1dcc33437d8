import { AppError } from '@shared/errors';
import { isLoopback, type CallTarget } from './call-target';
import { describeNetworkError } from './http-errors';
import { findTlsFault } from './tls-errors';

/** What a proxy said to CONNECT. */
export interface ProxyAnswer {
  readonly status: number;
  /** Status line and headers, Latin-1. */
  readonly head: string;
}

/** What answers there does not as a proxy does. */
export class NoProxy extends Error {}

const nameOf = ({ hostname, port }: CallTarget): string => `${hostname}:${port}`;

const IS_NO_PROXY = 'It may be no proxy: check its address in Environments, Connection.';

/** What a status of a proxy means, and what to do. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: IS_NO_PROXY,
  403: 'It does not allow this host or port: ask who runs it.',
  404: IS_NO_PROXY,
  405: IS_NO_PROXY,
  501: IS_NO_PROXY,
  502: 'It could not reach that host: check the host in the address, or ask who runs the proxy.',
  503: 'It could not reach that host, or has too much to do: try again, or ask who runs the proxy.',
  504: 'It had no answer from that host in time: check the host in the address, or ask who runs the proxy.',
};

/** @param isSigned - it was given a user and a password */
export function refusedBy(
  { status, head }: ProxyAnswer,
  proxy: CallTarget,
  target: CallTarget,
  isSigned: boolean,
): AppError {
  const what =
    status === 407
      ? describeLogin(head, isSigned)
      : (REFUSALS[status] ?? 'Ask who runs it, or take it out in Environments, Connection.');
  return new AppError(
    'sending.proxy',
    `Nothing was sent: the proxy ${nameOf(proxy)} gave no way to ${nameOf(target)} (HTTP ${status}). ${what}`,
    { details: { proxy: nameOf(proxy), target: nameOf(target), httpStatus: status } },
  );
}

const MOST_SCHEMES = 5;

function describeLogin(head: string, isSigned: boolean): string {
  const schemes = [...head.matchAll(/\r\nproxy-authenticate:[ \t]*([a-z][\w-]{0,20})/gi)].map(
    ([, scheme]) => scheme!,
  );
  const asked = [...new Set(schemes)].slice(0, MOST_SCHEMES);
  if (asked.length > 0 && !asked.some((scheme) => scheme.toLowerCase() === 'basic')) {
    return `It takes ${asked.join(', ')} for a login, and Basic alone is spoken here: ask who runs it for a proxy that takes Basic, or for none on the way to this host.`;
  }
  return isSigned
    ? 'Its user name or password is wrong: enter them in Environments, Connection.'
    : 'It wants a user name and a password: enter them in Environments, Connection.';
}

/** What keeps a proxy from being used, though it may be there. */
export function describeProxyFault(error: unknown, proxy: CallTarget, target: CallTarget): AppError {
  const { code, message } = error as NodeJS.ErrnoException;
  const tls = proxy.isTls ? findTlsFault(error, code ?? '') : null;
  const why = tls?.what ?? code ?? message;
  return new AppError(
    'sending.proxy',
    `Nothing was sent: the proxy ${nameOf(proxy)} on the way to ${nameOf(target)} cannot be used (${why}). ${adviseOn(error, proxy, tls?.reason)}`,
    { details: { proxy: nameOf(proxy), target: nameOf(target) }, retryable: true, cause: error },
  );
}

function adviseOn(error: unknown, proxy: CallTarget, reason: string | undefined): string {
  if (reason === 'self_signed' || reason === 'unknown_issuer')
    return 'If you trust it, start this with its certificate, or its issuer’s, in the file that NODE_EXTRA_CA_CERTS names.';
  if (reason === 'protocol')
    return 'If it speaks plain HTTP, write it with http:// in Environments, Connection.';
  if (reason !== undefined) return 'Ask who runs it, or take it out in Environments, Connection.';
  if (error instanceof NoProxy) {
    return proxy.isTls ? IS_NO_PROXY : `${IS_NO_PROXY} If that port speaks TLS, write it with https://.`;
  }
  const isDown = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' && isLoopback(proxy);
  return `${isDown ? 'Start it' : 'Check its address'}, or take it out in Environments, Connection.`;
}

/** Tells of a fault behind a proxy that the proxy may be who made it: one that looks into TLS shows its own certificate. */
export function tellWay(error: unknown, proxy: CallTarget, target: CallTarget): AppError {
  const { code, message, details, retryable } = describeNetworkError(error, target, false);
  return new AppError(
    code,
    `${message} The way there led through the proxy ${nameOf(proxy)}, which may have answered in its place.`,
    { details: { ...details, proxy: nameOf(proxy) }, retryable, cause: error },
  );
}
