import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import type { Socket } from 'node:net';
import { AppError } from '@shared/errors';
import type { HttpConnection } from '../ports';
import { readTarget, type CallTarget } from './call-target';
import { onceConnected, openSocket } from './connect-to';
import { describeProxyFault, NoProxy, refusedBy, tellWay, type ProxyAnswer } from './proxy-errors';

/** A proxy's answer to CONNECT is short; one that goes on is none. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Answers that come before the one that counts. */
const MOST_INTERIM = 5;
const START = 'HTTP/1.';

const notHttp = (): NoProxy => new NoProxy('what it answers is no HTTP');

/**
 * Opens a connection as an environment asks for it: through its proxy, with its own issuers and client certificate.
 *
 * A proxy is asked for a tunnel, to http:// too: what it passes on is the bytes as they are. The server's certificate is
 * checked whatever the machine says, and the certificate of the proxy, where it has one, by the usual issuers.
 * @param onSocket - given each socket as it is made, so that whoever gives up can end it
 * @throws {AppError} `sending.proxy`; what Node throws for the server itself
 */
export async function openConnection(
  target: CallTarget,
  { proxy, ...identity }: HttpConnection,
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const options = target.isTls ? readTlsOptions(identity) : {};
  if (proxy === null) {
    const socket = openSocket(target, options);
    onSocket(socket);
    await connected(socket, target);
    return socket;
  }
  const tunnel = await openTunnel(target, proxy, onSocket);
  if (!target.isTls) return tunnel;
  const socket = openSocket(target, { ...options, over: tunnel });
  onSocket(socket);
  try {
    await connected(socket, target);
    return socket;
  } catch (error) {
    throw tellWay(error, readTarget(new URL(proxy.url)), target);
  }
}

function connected(socket: Socket, target: CallTarget): Promise<void> {
  return new Promise((resolve, reject) =>
    onceConnected(socket, target, (error) => (error === null ? resolve() : reject(error))),
  );
}

/** Own issuers and client certificate of an environment. */
export type TlsIdentity = Omit<HttpConnection, 'proxy'>;

/** Reading the usual issuers takes tens of milliseconds: the last environment's are kept. */
let kept: { name: string; secureContext: tls.SecureContext } | null = null;

/**
 * Reads an environment's own issuers and client certificate for a connection of TLS.
 *
 * Own issuers count beside the usual ones, which a list of one's own would otherwise replace.
 * @throws {AppError} `sending.tls` where they cannot be used
 */
export function readTlsOptions({
  ca,
  clientCertificate,
}: TlsIdentity): Pick<tls.ConnectionOptions, 'secureContext'> {
  if (ca === '' && clientCertificate === null) return {};
  const name = createHash('sha256')
    .update(JSON.stringify([ca, clientCertificate]))
    .digest('hex');
  if (kept?.name === name) return { secureContext: kept.secureContext };
  const { certificate, key, passphrase } = clientCertificate ?? {};
  try {
    const secureContext = tls.createSecureContext({
      ...(ca === '' ? {} : { ca: [...listUsualIssuers(), ca] }),
      ...(clientCertificate && { cert: certificate, key, ...(passphrase === '' ? {} : { passphrase }) }),
    });
    kept = { name, secureContext };
    return { secureContext };
  } catch (error) {
    throw new AppError(
      'sending.tls',
      'The certificate or key of this environment cannot be used for a connection. Enter them again in Environments.',
      { details: { reason: 'own_certificate' }, cause: error },
    );
  }
}

function listUsualIssuers(): string[] {
  // Node 22 knows those of the user, too.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  return extra === undefined ? [...tls.rootCertificates] : [...tls.rootCertificates, readExtra(extra)];
}

function readExtra(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Node itself warns of it and goes on.
    return '';
  }
}

async function openTunnel(
  target: CallTarget,
  proxy: NonNullable<HttpConnection['proxy']>,
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const at = readTarget(new URL(proxy.url));
  const socket = openSocket(at);
  onSocket(socket);
  try {
    await connected(socket, at);
    const host = `${target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname}:${target.port}`;
    const credential = Buffer.from(`${proxy.user}:${proxy.password}`, 'utf8').toString('base64');
    const sign = proxy.user === '' ? '' : `Proxy-Authorization: Basic ${credential}\r\n`;
    socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${sign}\r\n`);
    let answer = await readAnswer(socket);
    for (let interim = 0; answer.status < 200 && interim < MOST_INTERIM; interim += 1)
      answer = await readAnswer(socket);
    if (answer.status < 200 || answer.status > 299) throw refusedBy(answer, at, target, proxy.user !== '');
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error instanceof AppError ? error : describeProxyFault(error, at, target);
  }
}

/** Reads the head of the answer to CONNECT, and not a byte of what follows it. */
function readAnswer(socket: Socket): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    let head = '';
    const stop = (settle: () => void): void => {
      socket.off('readable', onReadable).off('error', onEnd).off('close', onEnd);
      settle();
    };
    const onEnd = (error?: unknown): void =>
      stop(() =>
        reject(error instanceof Error ? error : new NoProxy('it closed the connection before it answered')),
      );
    const onReadable = (): void => {
      for (let byte = read(); byte !== null; byte = read()) {
        head += byte;
        if (head.endsWith('\r\n\r\n')) {
          const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
          return stop(() =>
            status === undefined ? reject(notHttp()) : resolve({ status: Number(status), head }),
          );
        }
        // What begins otherwise may never send the empty line that a head ends with.
        if (head.length === START.length && head !== START) return stop(() => reject(notHttp()));
        if (head.length > MAX_ANSWER_BYTES) return stop(() => reject(new NoProxy('its answer has no end')));
      }
    };
    const read = (): string | null => (socket.read(1) as Buffer | null)?.toString('latin1') ?? null;
    socket.on('readable', onReadable).on('error', onEnd).on('close', onEnd);
  });
}
