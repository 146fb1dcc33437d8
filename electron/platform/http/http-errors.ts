import { AppError, crowdedMessage, isCrowded } from '@shared/errors';
import type { Aftermath } from '../ports';
import type { CallTarget } from './call-target';
import { refuseHeaders } from './request-headers';
import { CERTIFICATE_REFUSED, describeTlsError, isDroppedHandshake, readTlsCode } from './tls-errors';

/** An answer's status line and headers are read up to so many bytes. */
export const MOST_HEADER_BYTES = 128 * 1024;

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTDOWN: 'the host is down',
  ETIMEDOUT: 'it did not answer in time',
  EADDRNOTAVAIL: 'the address is not available',
  ECONNRESET: 'it dropped the connection',
  EPIPE: 'it dropped the connection',
  EACCES: 'this machine does not allow it',
  EPERM: 'this machine does not allow it',
};

/** Whether it goes where no environment leads: to a backend of the user's own. */
export const goesToOwnBackend = (aftermath: Aftermath | undefined): boolean =>
  aftermath === 'webhook' || aftermath === 'state';

/** What to do about a call that may have been acted on, though its answer never came. */
export function adviseAfter(aftermath: Aftermath | undefined): string {
  if (aftermath === 'payment')
    return 'It may have been processed: query its status before you send it again.';
  if (aftermath === 'webhook') return 'Look whether it has the webhook before you send it again.';
  if (aftermath === 'none' || aftermath === 'state') return 'Try again.';
  return 'Whether it was acted on is not known: find out before you send it again.';
}

/**
 * Turns what Node threw into an error a person can act on.
 *
 * @param mayHaveLeft - whether writing the request had begun: whatever failed then, it may have been processed
 * @param isUnanswered - not one byte of an answer came
 */
export function describeNetworkError(
  error: unknown,
  target: CallTarget,
  mayHaveLeft: boolean,
  aftermath?: Aftermath,
  isUnanswered = false,
): AppError {
  if (error instanceof AppError) return error;
  const code = readCode(error);
  if (code.startsWith('HPE_')) return describeBadAnswer(error, code, target, aftermath);
  // With TLS 1.3 a server asks for a client certificate after this side thinks that it is connected.
  if (mayHaveLeft && !CERTIFICATE_REFUSED.test(code))
    return describeClosed(error, target, aftermath, isUnanswered);
  const isWebhook = goesToOwnBackend(aftermath);
  return (
    describeUnknownHost(error, code, target, isWebhook) ??
    describeTlsError(error, code, target, isWebhook) ??
    describeBadRequest(error, code) ??
    describeUnreachable(error, code, target, isWebhook)
  );
}

const whichAddress = (isWebhook: boolean): string =>
  isWebhook ? '' : ' (that of a service is the base URL of its environment)';

function describeUnknownHost(
  error: unknown,
  code: string,
  { hostname, port }: CallTarget,
  isWebhook: boolean,
): AppError | null {
  if (code !== 'ENOTFOUND' && code !== 'EAI_AGAIN' && code !== 'EAI_NODATA') return null;
  return new AppError(
    'sending.dns',
    `The host name ${hostname} was not found. Check the address${whichAddress(isWebhook)} and the network connection.`,
    { details: { host: hostname, port }, retryable: code === 'EAI_AGAIN', cause: error },
  );
}

function describeUnreachable(error: unknown, code: string, target: CallTarget, isWebhook: boolean): AppError {
  const why = UNREACHABLE[code] ?? 'the connection failed';
  const details = { host: target.hostname, port: target.port, reason: code };
  if (isCrowded(error)) {
    return new AppError(
      'sending.unreachable',
      `No connection to ${target.hostname}:${target.port} was opened. ${crowdedMessage}`,
      { details, retryable: true, cause: error },
    );
  }
  if (isDroppedHandshake(error, code, target)) {
    return new AppError(
      'sending.unreachable',
      `No secure connection to ${target.hostname}:${target.port}: it took the connection and dropped it during the TLS handshake. Check that the port speaks TLS, and that the address is right${whichAddress(isWebhook)}.`,
      { details, retryable: true, cause: error },
    );
  }
  return new AppError(
    'sending.unreachable',
    `Cannot reach ${target.hostname} on port ${target.port}: ${why}. Check that something runs there and that the address is right${whichAddress(isWebhook)}.`,
    { details, retryable: true, cause: error },
  );
}

function describeClosed(
  error: unknown,
  { hostname, port, isTls }: CallTarget,
  aftermath: Aftermath | undefined,
  isUnanswered: boolean,
): AppError {
  const where = `${hostname}:${port}`;
  const when = isUnanswered ? 'without a word of an answer' : 'before its answer was complete';
  // A port that expects TLS does just that to whoever speaks without.
  const hint = isUnanswered && !isTls ? ' Should that port speak TLS, its address begins with https://.' : '';
  return new AppError(
    'sending.closed',
    `${where} closed the connection ${when}. ${adviseAfter(aftermath)}${hint}`,
    { details: { target: where }, retryable: true, cause: error },
  );
}

/** An answer with status 101: there is none to come over HTTP. */
export function describeTakenOver(
  { hostname, port }: CallTarget,
  aftermath: Aftermath | undefined,
): AppError {
  return new AppError(
    'sending.bad_answer',
    `${hostname}:${port} answered HTTP 101: it goes on in another protocol, which nobody asked it for. ${adviseAfter(aftermath)}`,
    { details: { target: `${hostname}:${port}` } },
  );
}

function describeBadAnswer(
  error: unknown,
  code: string,
  { hostname, port, isTls }: CallTarget,
  aftermath: Aftermath | undefined,
): AppError {
  const where = `${hostname}:${port}`;
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError(
      'sending.bad_answer',
      `${where} answered with headers of more than ${MOST_HEADER_BYTES / 1024} KiB, which are not read. ${adviseAfter(aftermath)}`,
      { details: { target: where, reason: code }, cause: error },
    );
  }
  const hint = !isTls ? ' (an HTTPS port needs https://)' : '';
  return new AppError(
    'sending.bad_answer',
    `What ${where} answered is not HTTP that can be read. ${adviseAfter(aftermath)} Check that the port is the service’s own${hint}.`,
    { details: { target: where, reason: code }, cause: error },
  );
}

/** Node refuses such a request before it writes any of it. */
function describeBadRequest(error: unknown, code: string): AppError | null {
  const isOfRequest = /^ERR_(?:INVALID_(?:HTTP_TOKEN|CHAR)|HTTP_INVALID_HEADER_VALUE|UNESCAPED_CHARACTERS)$/;
  if (!isOfRequest.test(code)) return null;
  return refuseHeaders(error instanceof Error ? error.message : code, error);
}

/** Whether a connection ended without a fault of what was sent over it. */
export function isClosedByPeer(error: unknown): boolean {
  return /^(?:ECONNRESET|EPIPE)$/.test(readCode(error));
}

function readCode(error: unknown): string {
  for (let depth = 0, at = error; depth < 4 && at instanceof Error; depth++, at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code === 'EPROTO' ? readTlsCode(at.message) : code;
  }
  return '';
}
