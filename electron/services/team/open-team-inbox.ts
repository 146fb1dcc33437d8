import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { followArrivals, type ArrivalsListener } from '../../listener/postgres/follow-arrivals';
import {
  checkServer,
  endQuickly,
  openStorePool,
  type CheckedServer,
  type StorePool,
} from '../../listener/postgres/connect-postgres';
import { isLatest } from '../../listener/postgres/migrate-postgres';
import { PostgresInbox } from '../../listener/postgres/postgres-inbox';
import { SCHEMA } from '../../listener/postgres/postgres-schema';
import { readStoreAddress, type StoreAddress } from '../../listener/postgres/store-address';
import { readOverCuts, toStoreError } from '../../listener/postgres/store-errors';
import { errorsOf } from '../errors-of';

const TeamError = errorsOf<'team'>();

/** One to follow, the others to read with. */
const CONNECTIONS = 4;
const STATEMENT_MS = 15_000;

/** What opening an inbox found. */
export interface OpenedInbox {
  readonly address: StoreAddress;
  readonly inbox: PostgresInbox;
  readonly user: string;
  readonly mayMark: boolean;
  readonly server: CheckedServer;
  /** How the connection is encrypted; null: it is not. */
  readonly tls: TlsProof | null;
  /** Follows from what is there now on. */
  follow(tell: ArrivalsListener): void;
  close(): Promise<void>;
}

export interface TlsProof {
  readonly protocol: string;
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: string;
}

/**
 * Connects to a team's inbox to read it.
 *
 * @param environment - where a password is looked for beside `~/.pgpass`: `PGPASSWORD`
 * @throws {AppError} `store.*`, `team.*`; nothing stays open then
 */
export async function openTeamInbox(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenedInbox> {
  const address = readStoreAddress(text, environment);
  const sockets = new Set<Socket>();
  const options = { applicationName: 'countersign', most: CONNECTIONS, statementMs: STATEMENT_MS, sockets };
  const pool = openStorePool(address, environment, options);
  try {
    const server = await readOverCuts(() => checkServer(pool, false));
    await readOverCuts(() => requireSchema(pool));
    const inbox = new PostgresInbox(pool);
    const { user, mayRead, mayMark } = await inbox.readRights();
    if (!mayRead) {
      throw new TeamError(
        'team.read_only',
        `The database user ${user.slice(0, 80)} may not read this inbox. Ask for the role countersign_reader.`,
      );
    }
    const from = await inbox.readNewest();
    let follower: ReturnType<typeof followArrivals> | null = null;
    return {
      address,
      inbox,
      user,
      mayMark,
      server,
      tls: await readTls(pool),
      follow: (tell) => void (follower = followArrivals(pool, from, tell)),
      async close() {
        await Promise.all([follower?.stop(), endQuickly(pool, sockets)]);
      },
    };
  } catch (error) {
    await endQuickly(pool, sockets);
    throw toStoreError(error);
  }
}

/** Reading makes nothing: who receives does. */
async function requireSchema(pool: StorePool): Promise<void> {
  const there = await pool.query(`SELECT to_regclass('${SCHEMA}.migrations') IS NOT NULL AS is_there`);
  if (there.rows[0].is_there !== true) {
    throw new TeamError(
      'store.not_ready',
      'There is no inbox in this database yet. Start `countersign listen --store` once with the same address.',
    );
  }
  const { rows } = await pool.query(
    `SELECT coalesce(max(id), 0)::integer AS version FROM ${SCHEMA}.migrations`,
  );
  if (isLatest(rows[0].version)) return;
  throw new TeamError(
    'store.not_ready',
    'The inbox in this database is of an older version. Start `countersign listen --store` of this one once.',
  );
}

/** What the driver keeps of a connection, as far as it is asked for here. */
interface DriverClient {
  readonly connection?: { readonly stream?: Partial<TLSSocket> };
}

async function readTls(pool: StorePool): Promise<TlsProof | null> {
  const client = await pool.connect();
  try {
    const stream = (client as unknown as DriverClient).connection?.stream;
    if (stream?.encrypted !== true || !stream.getPeerCertificate) return null;
    const { subject, issuer, valid_to } = stream.getPeerCertificate();
    const nameOf = (one: unknown): string => {
      const { CN, O } = (one ?? {}) as { CN?: unknown; O?: unknown };
      return String(CN ?? O ?? 'nobody it names').slice(0, 200);
    };
    const protocol = stream.getProtocol?.() ?? 'TLS';
    return { protocol, subject: nameOf(subject), issuer: nameOf(issuer), validTo: String(valid_to) };
  } finally {
    client.release();
  }
}
