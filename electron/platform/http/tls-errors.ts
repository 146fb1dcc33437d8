import { AppError } from '@shared/errors';
import type { CallTarget } from './call-target';

type TlsReason = keyof typeof TLS_ADVICE;

const FOREIGN_ISSUER = ['unknown_issuer', 'its certificate comes from an issuer not trusted here'] as const;

/** How faults of a certificate are told apart: the code of Node's error, what it means. */
const CERTIFICATE_FAULTS: Readonly<Record<string, readonly [TlsReason, string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['self_signed', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['self_signed', 'its certificate chain ends in a self-signed certificate'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: FOREIGN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: FOREIGN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: FOREIGN_ISSUER,
  CERT_UNTRUSTED: ['unknown_issuer', 'its certificate is not trusted here'],
  CERT_HAS_EXPIRED: ['expired', 'its certificate, or one of its issuers, has expired'],
  CERT_NOT_YET_VALID: ['not_yet_valid', 'its certificate is not valid yet'],
  CERT_REVOKED: ['revoked', 'its certificate was revoked'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['host_name', 'its certificate is for another host name'],
  HOSTNAME_MISMATCH: ['host_name', 'its certificate is for another host name'],
  INVALID_PURPOSE: ['unusable', 'its certificate was not issued for a server'],
};

/** What a server says that wants another certificate from this side, or one at all. */
export const CERTIFICATE_REFUSED =
  /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN))/;

/** How a handshake ends, by the end of the code, which each library and each version of it begins in its own way. */
const HANDSHAKE_ENDS: readonly (readonly [RegExp, TlsReason, string])[] = [
  [
    CERTIFICATE_REFUSED,
    'client_certificate',
    'it takes no connection without a client certificate that it knows',
  ],
  [
    /(?:PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW)$/,
    'version',
    'it speaks no version of TLS that is safe (1.2 or 1.3)',
  ],
  [/UNRECOGNIZED_NAME$/, 'host_name', 'it serves no host of that name'],
  [
    /(?:HANDSHAKE_FAILURE|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY)$/,
    'refused',
    'it found no way to a secure connection with this machine',
  ],
];

const TLS_ADVICE = {
  self_signed:
    'If you trust it, add that certificate to its environment (Environments, Connection), for proxy and command line to the file that NODE_EXTRA_CA_CERTS names; for a local service use http://.',
  unknown_issuer:
    'If you trust the issuer, add its certificate to the environment (Environments, Connection), for proxy and command line to the file that NODE_EXTRA_CA_CERTS names. Where the issuer is a public one, the server leaves out a certificate of its chain: ask the operator to send all of it.',
  client_certificate: 'Add the one that the operator gave you to the environment (Environments, Connection).',
  expired: 'Check this machine’s clock, then ask the operator to renew it.',
  not_yet_valid: 'Check this machine’s clock, then ask the operator.',
  revoked: 'Do not send to it; ask the operator.',
  host_name: 'Check the host in the base URL.',
  unusable: 'Ask the operator for another one.',
  version: 'Ask the operator to switch one of them on.',
  refused:
    'It may want a client certificate (Environments, Connection), or other ciphers than are here: ask the operator.',
  protocol: 'Check that the port speaks TLS, or use http://.',
};

/** What to do instead where no environment leads to it. */
const WEBHOOK_TLS_ADVICE: Readonly<Record<TlsReason, string>> = {
  ...TLS_ADVICE,
  self_signed:
    'If you trust it, start this with that certificate in the file that NODE_EXTRA_CA_CERTS names; for a server in your own network use http://.',
  unknown_issuer:
    'If you trust the issuer, start this with its certificate in the file that NODE_EXTRA_CA_CERTS names. Where the issuer is a public one, the server leaves out a certificate of its chain: let it send all of it.',
  client_certificate: 'Webhooks are sent without one: let it take them so, or go round what asks for it.',
  host_name: 'Check the host in the address.',
  refused:
    'It may want a client certificate, which webhooks are sent without, or other ciphers than are here: look at how it is set up.',
};

/**
 * Reads the code of a fault of TLS out of the words of OpenSSL: where a write meets it, Node calls it `EPROTO` and no more.
 *
 * @param message - `write EPROTO 80…:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:…`
 */
export function readTlsCode(message: string): string {
  const words = /:SSL routines:[^:]{0,100}:([\w /]{1,100})/.exec(message)?.[1];
  return words === undefined ? 'EPROTO' : `ERR_SSL_${words.toUpperCase().replaceAll(' ', '_')}`;
}

/** Describes what went wrong with TLS; null: it was something else. */
export function describeTlsError(
  error: unknown,
  code: string,
  target: CallTarget,
  isWebhook: boolean,
): AppError | null {
  const found = target.isTls ? findTlsFault(error, code) : null;
  if (found === null) return null;
  const { reason, what } = found;
  return new AppError(
    'sending.tls',
    `No secure connection to ${target.hostname}:${target.port}: ${what}. ${(isWebhook ? WEBHOOK_TLS_ADVICE : TLS_ADVICE)[reason]}`,
    { details: { reason, host: target.hostname, port: target.port, tlsCode: code }, cause: error },
  );
}

/** Finds what is wrong with a connection over TLS, as a reason and as half a sentence about the server; null: it is something else. */
export function findTlsFault(error: unknown, code: string): { reason: TlsReason; what: string } | null {
  const found = findReason(error, code);
  return found === null ? null : { reason: found[0], what: found[1] };
}

function findReason(error: unknown, code: string): readonly [TlsReason, string] | null {
  const fault = Object.hasOwn(CERTIFICATE_FAULTS, code) ? CERTIFICATE_FAULTS[code] : undefined;
  if (fault !== undefined) return [fault[0], `${fault[1]}${nameHosts(error)}`];
  const end = HANDSHAKE_ENDS.find(([pattern]) => pattern.test(code));
  if (end !== undefined) return [end[1], end[2]];
  if (/(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code))
    return ['protocol', 'what it answers is no TLS'];
  const alert = /_ALERT_([A-Z_]+)$/.exec(code)?.[1];
  if (alert !== undefined) {
    return ['refused', `it ended the TLS handshake (${alert.toLowerCase().replaceAll('_', ' ')})`];
  }
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO') {
    return ['protocol', 'the TLS handshake failed'];
  }
  // Faults of certificates have a code of one word or many; all others come of a call of the system, or begin with ERR.
  const isOfCertificate =
    isFault(error) && error.syscall === undefined && !/^(?:ERR_|E[A-Z]+$|HPE_|$)|ERR$/.test(code);
  return isOfCertificate ? ['unusable', `its certificate is not accepted (${error.message})`] : null;
}

const MOST_HOSTS = 5;

/** The hosts that a certificate is for, where they are not the one that was called. */
function nameHosts(error: unknown): string {
  const { cert } = error as { cert?: { subjectaltname?: unknown } };
  if (typeof cert?.subjectaltname !== 'string') return '';
  const names = [...cert.subjectaltname.slice(0, 2000).matchAll(/(?:DNS|IP Address):([^,"\s]{1,253})/g)];
  const shown = names.slice(0, MOST_HOSTS).map(([, name]) => name);
  return shown.length === 0 ? '' : ` (it has ${shown.join(', ')}${names.length > MOST_HOSTS ? ' …' : ''})`;
}

const isFault = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error;

/** Tells whether a connection ended after it stood and before TLS did, as servers end one whose host they do not know. */
export function isDroppedHandshake(error: unknown, code: string, { isTls }: CallTarget): boolean {
  return isTls && code === 'ECONNRESET' && !(isFault(error) && error.syscall === 'connect');
}
