import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { InboxReader } from '../../electron/listener/inbox-reader';
import type { ListenerWorkerEvents, ListenerWorkerMethods } from '../../electron/listener/listener-worker';
import { openDatabase } from '../../electron/platform/database/database';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { rawRequest, runLoad, type LoadResult } from '../support/load-generator';
import type { BenchResult } from './bench-result';

/** The yardstick: what anyone would write, and it keeps nothing. */
const BARE_SERVER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const CONNECTIONS = 50;
const ROUNDS = 3;
const ROUND_MS = 1500;
const SEARCHED_ROWS = 100_000;

const callbacks = Array.from({ length: 4000 }, (_, index) =>
  rawRequest(
    'POST',
    '/callbacks/payments',
    [
      ['Content-Type', 'application/json'],
      ['webhook-id', `wh_${index.toString(36)}`],
    ],
    JSON.stringify({
      status: index % 9 === 0 ? 'FAILED' : 'SUCCESS',
      code: '200.100',
      amount: 1000 + index,
      client_reference: `order-${100_000 + index}`,
      payment_uuid: `${7_000_000_000 + index}`,
      payment_reference: `PR-${index.toString(16)}`,
      metadata: { invoice: `INV-${index}` },
    }),
  ),
);

/** Measures the durable inbox against a bare `node:http`, and searching in 100,000 callbacks. */
export async function run(): Promise<BenchResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-inbox-'));
  try {
    return await measure(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(directory: string): Promise<BenchResult[]> {
  const bare = new Worker(BARE_SERVER, { eval: true });
  const barePort = await new Promise<number>((done) => bare.once('message', done));
  const file = join(directory, 'inbox.db');
  const listener = startNodeWorker<ListenerWorkerMethods, ListenerWorkerEvents>(
    pathToFileURL(resolve('out/workers/listener.js')),
    { file },
  );
  const rule = { respondStatus: 200, delayMs: 0 };
  const { port } = await listener.call('start', {
    id: 'main',
    port: 0,
    alternatives: 0,
    rule,
    isHttps: false,
  });

  const load = (at: number): Promise<LoadResult> =>
    runLoad({ port: at, requests: callbacks, connections: CONNECTIONS, warmUpMs: 400, durationMs: ROUND_MS });
  const ratios: number[] = [];
  let best = { bare: 0, durable: 0, p99Ms: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    // What the round before left to the index would take its time from the yardstick.
    await listener.call('whenIndexed', {});
    const yardstick = await load(barePort);
    const durable = await load(port);
    ratios.push(durable.perSecond / yardstick.perSecond);
    if (durable.perSecond > best.durable) {
      best = { bare: yardstick.perSecond, durable: durable.perSecond, p99Ms: durable.p99Ms };
    }
  }
  await bare.terminate();
  await listener.call('stop', { id: 'main' });
  await listener.call('close', {});
  await listener.terminate();
  const search = await measureSearch(join(directory, 'search.db'));
  return [
    {
      name: 'inbox: durable callbacks against a bare node:http, 50 connections',
      ratio: middle(ratios),
      budget: 0.75,
      stretch: 1,
      higherIsBetter: true,
      figures: {
        durablePerSecond: Math.round(best.durable),
        barePerSecond: Math.round(best.bare),
        p99Ms: best.p99Ms,
      },
    },
    {
      name: 'inbox: search in 100,000 callbacks (ms, slowest of the queries)',
      ratio: search.slowestMs,
      budget: 50,
      stretch: 20,
      higherIsBetter: false,
      figures: search,
    },
  ];
}

/** Fills an inbox of its own with 100,000 real callbacks, waits for the index, and asks as the view does. */
async function measureSearch(file: string): Promise<Record<string, number> & { slowestMs: number }> {
  const listener = startNodeWorker<ListenerWorkerMethods, ListenerWorkerEvents>(
    pathToFileURL(resolve('out/workers/listener.js')),
    { file },
  );
  const rule = { respondStatus: 200, delayMs: 0 };
  const { port } = await listener.call('start', {
    id: 'main',
    port: 0,
    alternatives: 0,
    rule,
    isHttps: false,
  });
  await runLoad({ port, requests: callbacks, connections: CONNECTIONS, total: SEARCHED_ROWS });
  await listener.call('stop', { id: 'main' });
  await listener.call('whenIndexed', {});
  const reader = new InboxReader(openDatabase({ file, migrations: inboxMigrations }));
  const countAll = (): number =>
    reader.list({ limit: 1, before: null, search: '', filter: 'all' }).totalCount;
  const queries = [
    'order-101234',
    'INV-3999',
    'SUCCESS',
    'payments',
    '7000001',
    'order FAILED',
    'x7',
    'no such thing',
  ];
  const times = queries.flatMap((search) =>
    (['all', 'unread'] as const).map((filter) => {
      // The quickest of nine: what other programs take is not ours.
      const asked = Array.from({ length: 9 }, () => {
        const startedAt = performance.now();
        reader.list({ limit: 100, before: null, search, filter });
        return performance.now() - startedAt;
      });
      return Math.min(...asked);
    }),
  );
  await listener.call('close', {});
  await listener.terminate();
  return { slowestMs: Math.max(...times), medianMs: middle(times), rows: countAll() };
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
