import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { AppError } from '@shared/errors';
import type { Aftermath } from '../ports';
import { isLoopback, readTarget, type CallTarget } from './call-target';
import { describeNetworkError } from './http-errors';

/**
 * Begins a connection: certificates are checked, whatever the environment says, but for servers of this machine.
 *
 * @param options - `isOwnCertificateFine`: a server of this machine may show a certificate of its own making;
 *   `secureContext`: own issuers and client certificate; `over`: a tunnel that leads there
 */
export function openSocket(
  target: CallTarget,
  options: { isOwnCertificateFine?: boolean; secureContext?: SecureContext; over?: Socket } = {},
): Socket {
  const { secureContext, over } = options;
  const address = { host: target.hostname, port: target.port };
  const isOwn = isLoopback(target);
  const socket = target.isTls
    ? connectTls({
        ...address,
        ...(over && { socket: over }),
        ...(secureContext && { secureContext }),
        ALPNProtocols: ['http/1.1'],
        // NODE_TLS_REJECT_UNAUTHORIZED=0 counts for servers of this machine alone: tokens go to the others.
        // A tunnel leads somewhere else, whatever the name says.
        ...(isOwn && over === undefined ? {} : { rejectUnauthorized: true }),
        ...(isOwn && options.isOwnCertificateFine === true ? { rejectUnauthorized: false } : {}),
        ...(isIP(target.hostname) === 0 ? { servername: target.hostname } : {}),
      })
    : connectPlain(address);
  return socket.setNoDelay(true);
}

/** Tells once whether a connection stands: null, or why not. */
export function onceConnected(
  socket: Socket,
  target: CallTarget,
  settle: (error: NodeJS.ErrnoException | null) => void,
): void {
  let isSettled = false;
  const settleOnce = (error: NodeJS.ErrnoException | null): void => {
    if (isSettled) return;
    isSettled = true;
    settle(error);
  };
  socket.once(target.isTls ? 'secureConnect' : 'connect', () => settleOnce(null));
  socket.once('error', settleOnce);
  socket.once('close', () => settleOnce(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
}

/**
 * Looks whether somebody takes connections there.
 *
 * @param options - `aftermath`: what is sent there next
 * @throws {AppError} `sending.unreachable`, `sending.dns`, `sending.tls`, `sending.timeout`
 */
export async function expectListening(
  url: URL,
  timeoutMs: number,
  { aftermath, ...options }: { secureContext?: SecureContext; aftermath?: Aftermath } = {},
): Promise<void> {
  const target = readTarget(url);
  const socket = openSocket(target, { isOwnCertificateFine: true, ...options });
  const timer = setTimeout(() => {
    const isHalfWay = target.isTls && !socket.connecting;
    const what = isHalfWay
      ? 'took the connection, but did not finish the TLS handshake'
      : 'took no connection';
    const message = `${target.hostname}:${target.port} ${what} within ${timeoutMs} ms. Check the address.`;
    socket.destroy(new AppError('sending.timeout', message, { retryable: true }));
  }, timeoutMs);
  const error = await new Promise<Error | null>((resolve) => onceConnected(socket, target, resolve));
  clearTimeout(timer);
  socket.on('error', () => undefined).destroy();
  if (error !== null) throw describeNetworkError(error, target, false, aftermath);
}
