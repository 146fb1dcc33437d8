import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { isLoopbackName } from '@shared/payments/text-formats';
import { listNetworkUrls, LOOPBACK } from '../platform/http/listen-on';
import type { CommandContext } from './command';
import type { OptionTable, OptionValues } from './option-table';
import { usageError } from './usage-error';

/** Options of a command that may serve others than this machine. */
export const networkOptions = {
  host: {
    placeholder: 'ADDRESS',
    help: 'Address of this machine to listen on; 0.0.0.0 for all, open to the network',
    fallback: LOOPBACK,
  },
  'tls-cert': { placeholder: 'PEM', help: 'Serve HTTPS with this certificate, chain included' },
  'tls-key': { placeholder: 'PEM', help: 'Private key of the certificate' },
  'allow-plain-http': {
    type: 'flag',
    help: 'Open it to the network without TLS: for a network that is trusted, or behind a proxy that speaks TLS',
  },
} as const satisfies OptionTable;

/** Where a command listens, and how. */
export interface Network {
  readonly host: string;
  /** Others than this machine reach it. */
  readonly isExposed: boolean;
  readonly tls: { readonly key: string; readonly cert: string } | null;
}

const MOST_PEM_BYTES = 1024 * 1024;
/** Fewest characters of an admin token that the network may try. */
const FEWEST_TOKEN_CHARACTERS = 16;

/**
 * Reads where to listen; the network is served with TLS, or without it where that was asked for in so many words.
 *
 * @param ownTls - option by which the command serves TLS of its own making, where it was given
 * @throws {AppError} `cli.usage`, with what to add
 */
export async function readNetwork(
  context: CommandContext,
  values: OptionValues<typeof networkOptions>,
  ownTls: string | null = null,
): Promise<Network> {
  const { host } = values;
  if (isIP(host) === 0 && host !== 'localhost') {
    throw usageError(
      `--host takes an address of this machine, such as 0.0.0.0 for all, not '${host.slice(0, 60)}'.`,
    );
  }
  const isExposed = !isLoopbackName(host);
  const tls = await readTls(context, values, ownTls);
  if (isExposed && tls === null && ownTls === null && !values['allow-plain-http']) {
    throw usageError(
      `--host ${host} opens this to the network: give --tls-cert and --tls-key, or --allow-plain-http where the network is trusted or a proxy in front of it speaks TLS.`,
    );
  }
  return { host, isExposed, tls };
}

/** Whoever reaches a sandbox over the network must not find it open. @throws {AppError} `cli.usage` */
export function requireAdminToken({ host, isExposed }: Network, adminToken: string | undefined): void {
  if (!isExposed || (adminToken ?? '').length >= FEWEST_TOKEN_CHARACTERS) return;
  throw usageError(
    `--host ${host} opens the sandbox to the network: set its admin token, ${FEWEST_TOKEN_CHARACTERS} characters or more, in COUNTERSIGN_ADMIN_TOKEN or by --admin-token.`,
  );
}

async function readTls(
  context: CommandContext,
  values: OptionValues<typeof networkOptions>,
  ownTls: string | null,
): Promise<Network['tls']> {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = values;
  if (certFile === undefined && keyFile === undefined) return null;
  if (certFile === undefined || keyFile === undefined) {
    throw usageError('--tls-cert and --tls-key go together: give both.');
  }
  if (ownTls !== null)
    throw usageError(`${ownTls} makes a certificate of its own: leave it out beside --tls-cert.`);
  const [cert, key] = await Promise.all([
    readPem(context, '--tls-cert', certFile),
    readPem(context, '--tls-key', keyFile),
  ]);
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext({ cert, key });
    sayOutOfTime(context, new X509Certificate(cert));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 120) : '';
    throw usageError(
      `--tls-cert and --tls-key are no certificate with its unencrypted private key, both PEM (${reason}).`,
    );
  }
  return { cert, key };
}

function sayOutOfTime(context: CommandContext, { validFrom, validTo }: X509Certificate): void {
  const day = (time: string): string => new Date(time).toISOString().slice(0, 10);
  const what = 'The certificate of --tls-cert';
  const outcome = 'whoever checks it does not connect';
  if (Date.parse(validTo) <= Date.now())
    context.say(`${what} expired on ${day(validTo)}: ${outcome}. Renew it, and start this again.`);
  else if (Date.parse(validFrom) > Date.now())
    context.say(
      `${what} begins to count on ${day(validFrom)}: ${outcome} before. Look at this machine's clock, too.`,
    );
}

async function readPem(context: CommandContext, flag: string, file: string): Promise<string> {
  const bytes = await context.readInput(file, flag, { maxBytes: MOST_PEM_BYTES });
  // Node takes it for none given, and then no handshake succeeds.
  if (bytes.byteLength === 0) throw usageError(`${flag}: the file is empty.`);
  return Buffer.from(bytes).toString('latin1');
}

/** Says where others than this machine reach what listens; nothing where nobody else does. */
export function describeNetwork(
  { host, isExposed }: Network,
  localUrl: string,
): { readonly networkUrls: readonly string[]; readonly text: string } {
  const { port, protocol } = new URL(localUrl);
  const networkUrls = listNetworkUrls(host, Number(port), protocol === 'https:');
  if (!isExposed || (host !== '0.0.0.0' && host !== '::')) return { networkUrls, text: '' };
  const where = networkUrls.length === 0 ? 'none but its own at present' : networkUrls.join(', ');
  return { networkUrls, text: ` on this machine, and on every address that it has: ${where}` };
}
