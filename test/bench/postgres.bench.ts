import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { openStorePool, type StorePool } from '../../electron/listener/postgres/connect-postgres';
import { migratePostgres } from '../../electron/listener/postgres/migrate-postgres';
import { PostgresReader } from '../../electron/listener/postgres/postgres-reader';
import { listSearchWords } from '../../electron/listener/postgres/search-words';
import { readStoreAddress } from '../../electron/listener/postgres/store-address';
import { writeBatch } from '../../electron/listener/postgres/write-batch';
import { rawRequest, runLoad } from '../support/load-generator';
import { findPostgresProgram, startPostgres, whyNoPostgres, type TestPostgres } from '../support/postgres';
import type { BenchResult } from './bench-result';

const CONNECTIONS = 50;
const ROUNDS = 3;
const ROUND_MS = 4000;
const FEW = 10_000;
const MANY = 1_000_000;
const BATCH = 100;
const BATCHES = 60;

const bodyOf = (index: number): string =>
  JSON.stringify({
    status: index % 9 === 0 ? 'FAILED' : 'SUCCESS',
    code: '200.100',
    amount: 1000 + index,
    client_reference: `order-${100_000 + index}`,
    payment_uuid: `${7_000_000_000 + index}`,
    payment_reference: `PR-${index.toString(16)}`,
    metadata: { invoice: `INV-${index}` },
  });
const HEAD =
  'POST /callbacks/payments HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nwebhook-id: wh_';
const callbacks = Array.from({ length: 4000 }, (_, index) =>
  rawRequest(
    'POST',
    '/callbacks/payments',
    [
      ['Content-Type', 'application/json'],
      ['webhook-id', `wh_${index}`],
    ],
    bodyOf(index),
  ),
);
const words = listSearchWords(
  'post /callbacks/payments wh_:n success 200.100 1:n order-:n 7:n pr-:n inv-:n',
).map((word) => `'${word.replaceAll(':n', "' || n || '")}'`);

/** What one webhook is in the table, written in SQL around a number `n`. */
const COLUMNS = `id, received_at, method, path, content_type, size_bytes, responded_status, status, code, amount,
  client_reference, payment_uuid, payment_reference, webhook_id, is_cut, verdict, verdict_reason, remote_address, words, head, body`;
const ROW = `1800000000000, 'POST', '/callbacks/payments', 'application/json', 230, 200, 'SUCCESS', '200.100', '1' || n,
  'order-' || n, '7' || n, 'PR-' || n, 'wh_' || n, 0, 'unsigned', 'It carries no signature.', '127.0.0.1',
  array_to_tsvector(ARRAY[${words.join(', ')}]), convert_to(E'${HEAD.replaceAll('\r\n', '\\r\\n')}' || n, 'UTF8'),
  convert_to('${bodyOf(0).replace(/\d{6,}/g, "' || n || '")}', 'UTF8')`;

/** Measures receiving, searching and growing on a real PostgreSQL, started for it with its usual settings. */
export async function run(): Promise<BenchResult[]> {
  if (whyNoPostgres !== null) {
    process.stderr.write(`postgres: ${whyNoPostgres}\n`);
    return [];
  }
  const server = await startPostgres(['shared_buffers=256MB', 'max_wal_size=4GB']);
  try {
    return [...(await measureReceiving(server)), ...(await measureGrowth(server))];
  } finally {
    await server.stop();
  }
}

async function openStore(url: string): Promise<StorePool> {
  const pool = openStorePool(
    readStoreAddress(url, {}),
    {},
    { applicationName: 'bench', most: 4, statementMs: 600_000 },
  );
  const session = await pool.connect();
  await migratePostgres(session);
  session.release();
  await pool.query('SELECT countersign.make_days()');
  return pool;
}

const receiveNames = {
  one: 'postgres: durable receive, one receiver, against pgbench inserting the same rows',
  two: 'postgres: durable receive, two receivers, against pgbench inserting the same rows',
};

async function measureReceiving(server: TestPostgres): Promise<BenchResult[]> {
  const url = await server.createDatabase();
  const pool = await openStore(await server.createDatabase());
  await pool.query('CREATE SEQUENCE bench_ids');
  const { rows } = await pool.query('SELECT countersign.id_at(now()) AS first, current_database() AS name');
  const { first, name } = rows[0] as { first: number; name: string };
  const yardstick = (): Promise<number> => runPgbench(server, name, first);
  const receivers = [await startReceiver(url), await startReceiver(url)];
  const load = async (ports: readonly number[]): Promise<number> => {
    const connections = CONNECTIONS / ports.length;
    const results = await Promise.all(
      ports.map((port) =>
        runLoad({ port, requests: callbacks, connections, warmUpMs: 500, durationMs: ROUND_MS }),
      ),
    );
    return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
  };
  const ratios: { one: number[]; two: number[] } = { one: [], two: [] };
  let best = { pgbench: 0, one: 0, two: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const pgbench = await yardstick();
    const one = await load([receivers[0]!.port]);
    const two = await load(receivers.map(({ port }) => port));
    ratios.one.push(one / pgbench);
    ratios.two.push(two / pgbench);
    best = {
      pgbench: Math.max(best.pgbench, pgbench),
      one: Math.max(best.one, one),
      two: Math.max(best.two, two),
    };
  }
  for (const { child } of receivers) child.kill('SIGTERM');
  await pool.end();
  const figures = { pgbenchPerSecond: best.pgbench, onePerSecond: best.one, twoPerSecond: best.two };
  return (['one', 'two'] as const).map((count) => ({
    name: receiveNames[count],
    ratio: middle(ratios[count]),
    budget: 0.5,
    stretch: 1,
    higherIsBetter: true,
    figures,
  }));
}

/** The yardstick: one row a transaction, as many at once as senders, each commit on the disk. @returns rows a second */
async function runPgbench(server: TestPostgres, database: string, firstId: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pgbench-'));
  const file = join(folder, 'insert.sql');
  const sql = `INSERT INTO countersign.webhooks (${COLUMNS})
    SELECT ${firstId} + nextval('bench_ids'), ${ROW} FROM (SELECT (random() * 1e9)::int::text AS n) r;
    SELECT pg_notify('countersign_webhooks', '1');`;
  writeFileSync(
    file,
    sql
      .replace(/\s*\n\s*/g, ' ')
      .replace('; SELECT', ';\nSELECT')
      .replace(/\nSELECT.*/, '\n'),
  );
  try {
    const { stdout } = await promisify(execFile)(findPostgresProgram('pgbench'), [
      ...['-n', '-M', 'prepared', '-h', '127.0.0.1', '-p', String(server.port), '-U', 'owner'],
      ...['-c', String(CONNECTIONS), '-j', '2', '-T', String(ROUND_MS / 1000), '-f', file, database],
    ]);
    return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startReceiver(url: string): Promise<{ child: ChildProcess; port: number }> {
  const args = ['out/cli/index.js', 'listen', '--port', '0', '--store', url];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      const found = /^Listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (found) resolve(Number(found[1]));
    });
  });
  return { child, port };
}

async function measureGrowth(server: TestPostgres): Promise<BenchResult[]> {
  const [few, many] = [
    await openStore(await server.createDatabase()),
    await openStore(await server.createDatabase()),
  ];
  await fill(few, FEW);
  await fill(many, MANY);
  const batch = Array.from({ length: BATCH }, (_, index) => ({
    receivedAt: 1_800_000_000_000,
    respondedStatus: 200,
    remoteAddress: '127.0.0.1',
    rule: null,
    fullBytes: null,
    head: Buffer.from(`${HEAD}${index}`),
    body: Buffer.from(bodyOf(index)),
  }));
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let round = 0; round < BATCHES; round++) {
    // In turn: what other programs take is taken from both.
    for (const [name, pool] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const startedAt = performance.now();
      await writeBatch(pool, randomUUID(), batch, []);
      times[name].push(((performance.now() - startedAt) / BATCH) * 1000);
    }
  }
  const search = await measureSearch(many);
  await Promise.all([few.end(), many.end()]);
  const figures = { fewMicroseconds: middle(times.few), manyMicroseconds: middle(times.many) };
  return [
    {
      name: 'postgres: cost of a webhook in 1,000,000 against one in 10,000',
      ratio: figures.manyMicroseconds / figures.fewMicroseconds,
      budget: 1.3,
      higherIsBetter: false,
      figures,
    },
    {
      name: 'postgres: search in 1,000,000 webhooks (ms, slowest of the queries)',
      ratio: search.slowestMs,
      budget: 100,
      higherIsBetter: false,
      figures: search,
    },
  ];
}

async function fill(pool: StorePool, count: number): Promise<void> {
  for (let from = 0; from < count; from += 50_000) {
    const to = Math.min(count, from + 50_000);
    await pool.query(
      `INSERT INTO countersign.webhooks (${COLUMNS})
       SELECT countersign.id_at(now()) + place, ${ROW} FROM (SELECT i AS place, ${100_000 + from} + i AS n
         FROM generate_series(1, ${to - from}) i) r`,
    );
  }
  await pool.query('VACUUM ANALYZE countersign.webhooks');
}

async function measureSearch(pool: StorePool): Promise<Record<string, number> & { slowestMs: number }> {
  const reader = new PostgresReader(pool);
  const queries = [
    'order-101234',
    'INV-3999',
    'SUCCESS',
    'payments',
    '7100001',
    'order FAILED',
    'order-2',
    '72',
    'order-2 72',
    'x7',
    'no such thing',
  ];
  const times: number[] = [];
  for (const search of queries) {
    const asked: number[] = [];
    for (let time = 0; time < 5; time++) {
      const startedAt = performance.now();
      await reader.list({ limit: 100, before: null, search, filter: 'all' });
      asked.push(performance.now() - startedAt);
    }
    process.stderr.write(`  ${search}: ${Math.min(...asked).toFixed(1)} ms\n`);
    times.push(Math.min(...asked));
  }
  return { slowestMs: Math.max(...times), medianMs: middle(times) };
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
