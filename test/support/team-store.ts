import { randomUUID } from 'node:crypto';
import { openStorePool, type StorePool } from '../../electron/listener/postgres/connect-postgres';
import { migratePostgres } from '../../electron/listener/postgres/migrate-postgres';
import { readStoreAddress } from '../../electron/listener/postgres/store-address';
import { writeBatch } from '../../electron/listener/postgres/write-batch';
import type { ReceivedWebhook } from '../../electron/listener/webhook-writer';
import type { TestPostgres } from './postgres';

/** An empty inbox of a team in a database of its own. */
export interface TestTeamStore {
  /** Of its owner. */
  readonly url: string;
  readonly database: string;
  /** A pool of connections, of the owner or of another user. */
  openPool(user?: string): StorePool;
  /** Keeps webhooks as a receiver does. @returns id of the first */
  write(webhooks: readonly ReceivedWebhook[]): Promise<number>;
  close(): Promise<void>;
}

const OPTIONS = { applicationName: 'test', most: 4, statementMs: 20_000 };

export async function makeTeamStore(server: TestPostgres): Promise<TestTeamStore> {
  const url = await server.createDatabase();
  const pools: StorePool[] = [];
  const openPool = (user = 'owner'): StorePool => {
    const pool = openStorePool(readStoreAddress(url.replace('//owner@', `//${user}@`), {}), {}, OPTIONS);
    pools.push(pool);
    return pool;
  };
  const pool = openPool();
  const session = await pool.connect();
  await migratePostgres(session);
  session.release();
  return {
    url,
    database: new URL(url).pathname.slice(1),
    openPool,
    write: (webhooks) => writeBatch(pool, randomUUID(), webhooks, []),
    async close() {
      await Promise.all(pools.map((one) => one.end()));
    },
  };
}

/** One webhook with a payload, as a receiver reads it. */
export function makeWebhook(payload: object, path = '/hooks'): ReceivedWebhook {
  return {
    receivedAt: Date.now(),
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
    head: Buffer.from(`POST ${path} HTTP/1.1\r\nContent-Type: application/json`),
    body: Buffer.from(JSON.stringify(payload)),
  };
}
