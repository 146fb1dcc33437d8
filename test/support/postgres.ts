import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './free-port';

/** Debian keeps each version in a folder of its own; elsewhere they are in the path. */
const HOMES = '/usr/lib/postgresql';

/** A PostgreSQL that this process started, with nothing in it. */
export interface TestPostgres {
  readonly port: number;
  /** Its address without a database. */
  readonly url: string;
  readonly processId: number;
  /** Makes an empty database. @returns its address */
  createDatabase(): Promise<string>;
  /** Runs SQL as its owner, over a connection of its own. @returns what the last statement gave, a row a line */
  run(database: string, sql: string): Promise<string>;
  /** As a machine fails: nothing is written any more. */
  stopAtOnce(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** `npm run test:postgres` names the programs of each version in turn. */
function findPrograms(): string | null {
  const named = process.env['COUNTERSIGN_TEST_POSTGRES_BIN'];
  if (named) return named;
  if (!existsSync(HOMES)) return null;
  const versions = readdirSync(HOMES).sort((a, b) => Number(b) - Number(a));
  return (
    versions.map((version) => join(HOMES, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ??
    null
  );
}

/** Whom the server runs as: it refuses to run as root. Null: there is nobody. */
function findOwner(): { uid: number; gid: number } | null {
  const { uid, gid } = userInfo();
  if (uid !== 0) return { uid, gid };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => /^(?:postgres|nobody):/.test(one))
    ?.split(':');
  return line === undefined ? null : { uid: Number(line[2]), gid: Number(line[3]) };
}

const programs = process.platform === 'win32' ? null : findPrograms();

/** Why the tests with a real PostgreSQL do not run here; null: they do. */
export const whyNoPostgres: string | null =
  programs === null
    ? `There is no PostgreSQL in ${HOMES}: apt-get install postgresql`
    : findOwner() === null
      ? 'PostgreSQL does not run as root, and there is no other user.'
      : null;

/** Path of a program that comes with Debian's server, such as `pgbench`. */
export const findPostgresProgram = (name: string): string => join(programs!, name);

async function ask(connectionString: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const results = [await client.query<unknown[]>({ text: sql, rowMode: 'array' })].flat();
    return (results.at(-1)?.rows ?? []).map((row) => row.join('|')).join('\n');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Settings that a test needs; what makes commits durable stays as it is delivered. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'max_connections=60',
  'shared_buffers=64MB',
  'log_min_messages=fatal',
];

/**
 * Starts a PostgreSQL of its own in a temporary folder, on a free port of this machine.
 *
 * @param settings - more lines of its configuration, `name=value`
 * @param files - put beside its data, for it alone to read
 */
export async function startPostgres(
  settings: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<TestPostgres> {
  if (whyNoPostgres !== null) throw new Error(whyNoPostgres);
  const owner = findOwner()!;
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  const as = {
    uid: owner.uid,
    gid: owner.gid,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
  };
  chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o711);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(programs!, 'initdb'),
    ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
    { ...as, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), owner.uid, owner.gid);
  }
  const sockets = join(folder, 'sockets');
  mkdirSync(sockets);
  chownSync(sockets, owner.uid, owner.gid);
  const port = await findFreePort();
  const options = [...SETTINGS, `port=${port}`, `unix_socket_directories=${sockets}`, ...settings];
  let server: ChildProcess;
  const url = `postgres://owner@127.0.0.1:${port}`;
  const run = (database: string, sql: string): Promise<string> => ask(`${url}/${database}`, sql);
  const start = async (): Promise<void> => {
    server = spawn(join(programs!, 'postgres'), ['-D', data, ...options.flatMap((one) => ['-c', one])], {
      ...as,
      stdio: 'ignore',
    });
    for (let tries = 0; tries < 600; tries++) {
      if (server.exitCode !== null) throw new Error('PostgreSQL ended while it started.');
      const isReady = await run('postgres', 'SELECT 1').catch(() => null);
      if (isReady !== null) return;
      await delay(50);
    }
    throw new Error('PostgreSQL did not start within 30 seconds.');
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  await start();
  let databases = 0;
  const killAtEnd = (): void => void server.kill('SIGQUIT');
  process.once('exit', killAtEnd);
  return {
    port,
    url,
    get processId() {
      return server.pid!;
    },
    async createDatabase() {
      const name = `inbox_${process.pid}_${++databases}`;
      await run('postgres', `CREATE DATABASE ${name}`);
      return `${url}/${name}`;
    },
    run,
    stopAtOnce: () => end('SIGQUIT'),
    startAgain: start,
    async stop() {
      process.off('exit', killAtEnd);
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
