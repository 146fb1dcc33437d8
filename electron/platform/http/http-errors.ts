import { AppError } from '@shared/errors';
import type { Aftermath } from '../ports';
import { refuseHeaders } from './request-headers';

/** Where a call went, for messages: `example.test:443`. */
export interface CallTarget {
  hostname: string;
  port: number;
  isTls: boolean;
}

/** An answer's status line and headers are read up to so many bytes. */
export const MOST_HEADER_BYTES = 128 * 1024;

/** How TLS failures are told apart: the code of Node's error, what it means, what to do. */
const TLS_FAILURES: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['self_signed', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['self_signed', 'its certificate chain ends in a self-signed certificate'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'unknown_issuer',
    'its certificate comes from an issuer not trusted here',
  ],
  UNABLE_TO_GET_ISSUER_CERT: ['unknown_issuer', 'its certificate comes from an issuer not trusted here'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'unknown_issuer',
    'its certificate comes from an issuer not trusted here',
  ],
  CERT_UNTRUSTED: ['unknown_issuer', 'its certificate is not trusted here'],
  CERT_HAS_EXPIRED: ['expired', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['not_yet_valid', 'its certificate is not valid yet'],
  CERT_REVOKED: ['revoked', 'its certificate was revoked'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['host_name', 'its certificate is for another host name'],
};

const TLS_ADVICE: Readonly<Record<string, string>> = {
  self_signed:
    'If you trust it, add that certificate to its environment (Environments, Connection), for proxy and command line to the file that NODE_EXTRA_CA_CERTS names; for a local service use http://.',
  unknown_issuer:
    'If you trust the issuer, add its certificate to the environment (Environments, Connection), for proxy and command line to the file that NODE_EXTRA_CA_CERTS names.',
  client_certificate: 'Add the one that the operator gave you to the environment (Environments, Connection).',
  expired: 'Check this machine’s clock, then ask the operator to renew it.',
  not_yet_valid: 'Check this machine’s clock, then ask the operator.',
  revoked: 'Do not send to it; ask the operator.',
  host_name: 'Check the host in the base URL.',
  protocol: 'Check that the port speaks TLS, or use http://.',
};

/** What to do instead where no environment leads to it. */
const WEBHOOK_TLS_ADVICE: Readonly<Record<string, string>> = {
  ...TLS_ADVICE,
  self_signed:
    'If you trust it, start this with that certificate in the file that NODE_EXTRA_CA_CERTS names; for a server in your own network use http://.',
  unknown_issuer:
    'If you trust the issuer, start this with its certificate in the file that NODE_EXTRA_CA_CERTS names.',
  client_certificate: 'Webhooks are sent without one: let it take them so, or go round what asks for it.',
  host_name: 'Check the host in the address.',
};

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

/** What to do about a call that may have been acted on, though its answer never came. */
export function adviseAfter(aftermath: Aftermath | undefined): string {
  if (aftermath === 'payment')
    return 'It may have been processed: query its status before you send it again.';
  if (aftermath === 'webhook') return 'Look whether it has the webhook before you send it again.';
  if (aftermath === 'none') return 'Try again.';
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
  const where = `${target.hostname}:${target.port}`;
  if (code.startsWith('HPE_')) return describeBadAnswer(error, code, where, aftermath);
  // With TLS 1.3 a server asks for a client certificate after this side thinks that it is connected.
  if (mayHaveLeft && !CERTIFICATE_REFUSED.test(code))
    return describeClosed(error, target, aftermath, isUnanswered);
  const isWebhook = aftermath === 'webhook';
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
  return new AppError(
    'sending.unreachable',
    `Cannot reach ${target.hostname} on port ${target.port}: ${why}. Check that something runs there and that the address is right${whichAddress(isWebhook)}.`,
    { details: { host: target.hostname, port: target.port, reason: code }, retryable: true, cause: error },
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

/** What a server says that wants another certificate from this side, or one at all. */
const CERTIFICATE_REFUSED =
  /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN))/;

function describeTlsError(
  error: unknown,
  code: string,
  target: CallTarget,
  isWebhook: boolean,
): AppError | null {
  const known = CERTIFICATE_REFUSED.test(code)
    ? (['client_certificate', 'it takes no connection without a client certificate that it knows'] as const)
    : TLS_FAILURES[code];
  const isProtocol =
    target.isTls && (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO');
  if (known === undefined && !isProtocol) return null;
  const [reason, what] = known ?? ['protocol', 'the TLS handshake failed'];
  const where = `${target.hostname}:${target.port}`;
  return new AppError(
    'sending.tls',
    `No secure connection to ${where}: ${what}. ${(isWebhook ? WEBHOOK_TLS_ADVICE : TLS_ADVICE)[reason] ?? 'Ask the operator.'}`,
    { details: { reason, host: target.hostname, port: target.port, tlsCode: code }, cause: error },
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
  where: string,
  aftermath: Aftermath | undefined,
): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError(
      'sending.bad_answer',
      `${where} answered with headers of more than ${MOST_HEADER_BYTES / 1024} KiB, which are not read. ${adviseAfter(aftermath)}`,
      { details: { target: where, reason: code }, cause: error },
    );
  }
  const hint = code.startsWith('HPE_') ? ' (an HTTPS port needs https://)' : '';
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
    if (typeof code === 'string') return code;
  }
  return '';
}
