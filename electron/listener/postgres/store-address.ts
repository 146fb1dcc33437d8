import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { isLoopbackName } from '@shared/payments/text-formats';
import { lookUpHome } from '../../platform/files/data-directory';
import { findStats } from '../../platform/files/files';
import { readRegularFile } from '../../platform/files/regular-file';
import { encodeForUrl } from '@shared/encode-for-url';

type Environment = Readonly<Record<string, string | undefined>>;

/** How far the server proves who it is; names and meaning are those of libpq. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

/** Where a team's inbox is, as `--store` names it. There is no secret in it. */
export interface StoreAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly tls: TlsMode;
  /** PEM of the issuers that count in place of the usual ones; null: the usual ones. */
  readonly rootCertificates: string | null;
}

const USUAL_PORT = 5432;
/** Files of certificates and passwords are shorter. */
const MOST_FILE_BYTES = 1024 * 1024;
const SECRET_ADVICE =
  'Leave it out, and put it into the environment variable PGPASSWORD or the file ~/.pgpass (mode 0600).';

/**
 * Reads the address of a team's inbox, `postgres://user@host:port/database?sslmode=…&sslrootcert=FILE`.
 *
 * What is not on this machine has to prove who it is, unless `sslmode` says otherwise.
 * @throws {AppError} `store.bad_address`: it cannot be read, or holds a password; what it holds is not repeated
 */
export function readStoreAddress(text: string, environment: Environment): StoreAddress {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    return refuse('A store is named as postgres://user@host:port/database.');
  }
  if (url.password !== '' || url.searchParams.has('password')) {
    return refuse(
      `The address holds a password, which everybody here can see in the list of processes. ${SECRET_ADVICE}`,
    );
  }
  const host = decode(url.hostname).replace(/^\[(.*)\]$/, '$1') || '127.0.0.1';
  const user = decode(url.username) || environment['PGUSER'] || findUserName();
  const { tls, rootCertificates } = readTls(url.searchParams, host);
  const database = decode(url.pathname.slice(1)) || environment['PGDATABASE'] || user;
  return { host, port: Number(url.port || USUAL_PORT), user, database, tls, rootCertificates };
}

/** A user of a container may have no entry, and so no name. */
function findUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return refuse(
      'The address names no user, and the system has no name for yours: postgres://user@host:port/database.',
    );
  }
}

export function showStoreAddress({ host, port, user, database }: StoreAddress): string {
  return `postgres://${encodeForUrl(user)}@${host.includes(':') ? `[${host}]` : host}:${port}/${encodeForUrl(database)}`;
}

function refuse(message: string): never {
  throw new AppError('store.bad_address', message);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('The address of the store holds a % that begins no character: write it as %25.');
  }
}

function readTls(params: URLSearchParams, host: string): Pick<StoreAddress, 'tls' | 'rootCertificates'> {
  const unknown = [...params.keys()].find((name) => name !== 'sslmode' && name !== 'sslrootcert');
  if (unknown !== undefined)
    return refuse('The address of a store takes sslmode and sslrootcert, and nothing else.');
  const usual = isLoopbackName(host) ? 'disable' : 'verify-full';
  const tls = TLS_MODES.find((mode) => mode === (params.get('sslmode') ?? usual));
  if (tls === undefined) return refuse(`sslmode is one of ${TLS_MODES.join(', ')}.`);
  const file = params.get('sslrootcert');
  if (file === null || file === 'system') return { tls, rootCertificates: null };
  const { bytes } = readRegularFile(file, { root: parse(resolve(file)).root, maxBytes: MOST_FILE_BYTES });
  if (bytes !== null) return { tls, rootCertificates: bytes.toString('utf8') };
  return refuse(
    'The file of sslrootcert cannot be read. Name a PEM file with the issuer of the server’s certificate.',
  );
}

/**
 * Finds the password of a store: in PGPASSWORD, else in the file of PGPASSFILE or ~/.pgpass.
 *
 * @returns null: there is none; the server may not ask for one
 * @throws {AppError} `store.refused` where others may read the file
 */
export function findStorePassword(address: StoreAddress, environment: Environment): string | null {
  const given = environment['PGPASSWORD'];
  if (given !== undefined && given !== '') return given;
  const home = lookUpHome();
  const file = environment['PGPASSFILE'] || (home !== null && join(home, '.pgpass'));
  const facts = file === false ? undefined : findStats(file);
  if (file === false || facts === undefined || !facts.isFile() || facts.size > MOST_FILE_BYTES) return null;
  if (process.platform !== 'win32' && (facts.mode & 0o077) !== 0) {
    throw new AppError(
      'store.refused',
      `${file}, with the passwords of databases, may be read by others, so that nothing is taken from it. ` +
        'Close it to them with chmod 600.',
    );
  }
  return findInPassFile(readFileSync(file, 'utf8'), address);
}

function findInPassFile(text: string, { host, port, database, user }: StoreAddress): string | null {
  const wanted = [host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(/((?:\\.|[^:\\]|\\$)*)(?::|$)/gsy)].map(([, field]) =>
      field!.replace(/\\(.)/g, '$1'),
    );
    const fits = wanted.every((value, at) => fields[at] === '*' || fields[at] === value);
    if (fits && fields.length > wanted.length) return fields[wanted.length]!;
  }
  return null;
}
