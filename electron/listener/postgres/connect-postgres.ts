import { isIP, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '@shared/errors';
import { formatDuration } from '@shared/format-duration';
import { BoundedClient, refuseAnswer } from './bounded-client';
import { findStorePassword, showStoreAddress, type StoreAddress } from './store-address';
import { READ_ONLY, toStoreError } from './store-errors';

const OLDEST_VERSION = 130_000;
const CONNECT_MS = 10_000;
const BIGINT = 20;

export type StorePool = pg.Pool;

export interface PoolOptions {
  /** What the server's list of sessions says of us. */
  readonly applicationName: string;
  /** So many connections at most. */
  readonly most: number;
  /** No statement takes longer. */
  readonly statementMs: number;
  /** Holds what is open, where that is to be cut off. */
  readonly sockets?: Set<Socket>;
}

/**
 * Makes a pool of connections to a team's inbox; none is opened yet.
 *
 * Each session sets for itself what the guarantees rest on: a commit is on the disk before it is answered, and each
 * statement sees what was committed before it.
 * @throws {AppError} `store.refused` where the file of passwords is open to others
 */
export function openStorePool(
  address: StoreAddress,
  environment: Readonly<Record<string, string | undefined>>,
  { applicationName, most, statementMs, sockets }: PoolOptions,
): StorePool {
  findStorePassword(address, environment);
  const options = {
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    ssl: toTlsOptions(address),
    ...(sockets === undefined ? {} : { stream: () => holdSocket(sockets) }),
    // Read anew for each connection: it may have been changed since, in the file too.
    password: () => findStorePassword(address, environment) ?? refuseWithout(address),
    Client: BoundedClient,
    application_name: applicationName,
    max: most,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // One that the network has forgotten ends here, too: the server's own limit does not reach us.
    query_timeout: statementMs + 5000,
    types: { getTypeParser: readNumbers as typeof pg.types.getTypeParser },
    onConnect: (client: pg.ClientBase) => prepareSession(client, statementMs),
  };
  const pool = new pg.Pool(options);
  // A connection that ends is made anew when it is needed, and what was asked on it fails; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function holdSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}

/** How long an end waits for what was asked. */
const END_MS = 1500;

/**
 * Ends a pool of which nothing is written through: what a server that stands still owes is not waited for.
 *
 * @param sockets - those that the pool was opened with
 */
export async function endQuickly(pool: StorePool, sockets: ReadonlySet<Socket>): Promise<void> {
  const ended = pool.end();
  await Promise.race([ended, delay(END_MS)]);
  for (const socket of sockets) socket.destroy();
  await ended;
}

/** Every id and count fits a double: ids are made so. */
function readNumbers(type: number, format?: 'text' | 'binary'): unknown {
  return type === BIGINT && format !== 'binary' ? Number : pg.types.getTypeParser(type, format as 'text');
}

function refuseWithout(address: StoreAddress): never {
  throw new AppError(
    'store.refused',
    `${showStoreAddress(address)} asks for a password. ` +
      'Put it into the environment variable PGPASSWORD or the file ~/.pgpass (mode 0600).',
  );
}

/** As libpq: `require` encrypts for whoever answers, `verify-ca` asks who issued its certificate, `verify-full` its name, too. */
function toTlsOptions({ tls, host, rootCertificates }: StoreAddress): pg.ClientConfig['ssl'] {
  if (tls === 'disable') return false;
  return {
    // What a certificate is held against, where the address is a number: left out, Node takes 'localhost'.
    host,
    rejectUnauthorized: tls !== 'require' || rootCertificates !== null,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(rootCertificates === null ? {} : { ca: rootCertificates }),
    ...(tls === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Without `jit`: the server compiles what it takes for a long search, for longer than the search takes. */
async function prepareSession(client: pg.ClientBase, statementMs: number): Promise<void> {
  await client.query(
    `SET synchronous_commit = on; SET default_transaction_isolation = 'read committed';
     SET statement_timeout = ${statementMs}; SET idle_in_transaction_session_timeout = ${statementMs};
     SET client_min_messages = warning; SET bytea_output = hex; SET jit = off`,
  );
}

/** Clocks that are less apart are of no matter to anybody who looks for a webhook. */
const MOST_APART_MS = 30_000;

/** What was found of a server. */
export interface CheckedServer {
  /** What the user should hear. */
  readonly remarks: readonly string[];
  /** Nothing can be written there, nor heard of as it comes. */
  readonly isStandby: boolean;
}

/**
 * Looks at the server before anything is promised on the strength of it.
 *
 * @throws {AppError} `store.unsupported`, `store.unreachable`, `store.refused`, `store.insecure`
 */
export async function checkServer(pool: StorePool, isForWriting: boolean): Promise<CheckedServer> {
  const { rows } = await pool
    .query(
      `SELECT current_setting('server_version_num')::integer AS version, pg_is_in_recovery() AS is_standby,
         current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding,
         (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now`,
    )
    .catch((error: unknown) => {
      throw toStoreError(error);
    });
  const [found] = rows as Record<string, unknown>[];
  if (typeof found?.['version'] !== 'number') throw refuseAnswer();
  const { version, is_standby, fsync, encoding, now } = found as {
    version: number;
    is_standby: boolean;
    fsync: string;
    encoding: string;
    now: number;
  };
  const unsupported = (message: string): never => {
    throw new AppError('store.unsupported', message);
  };
  if (version < OLDEST_VERSION) unsupported('The store is older than PostgreSQL 13. Update the server.');
  if (encoding !== 'UTF8')
    unsupported('The database is not in UTF-8. Make one: createdb --encoding=UTF8 NAME');
  if (isForWriting && is_standby)
    unsupported('The store is a standby and takes nothing. Name the primary server.');
  const remarks: string[] = [];
  if (fsync === 'off') {
    remarks.push('The store runs with fsync=off: what it commits is lost when its machine fails.');
  }
  const apartMs = Math.abs(Date.now() - now);
  if (apartMs > MOST_APART_MS) {
    const harm = isForWriting
      ? 'times of webhooks that are received here, and verdicts on signatures'
      : 'filters by age';
    remarks.push(
      `The clocks of this machine and of the store are ${formatDuration(apartMs)} apart: ${harm} may be wrong. Set the one that is.`,
    );
  }
  return { remarks, isStandby: is_standby };
}

/** Rejects where nothing can be written: a primary server that became a standby answers, and keeps nothing: each webhook would wait in vain. */
export async function requireWritable(pool: StorePool): Promise<void> {
  const { rows } = await pool.query(`SELECT current_setting('transaction_read_only') AS is_read_only`);
  if (rows[0].is_read_only === 'on') throw Object.assign(new Error('it is read-only'), { code: READ_ONLY });
}
