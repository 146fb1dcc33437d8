import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ListenerWorkerEvents, ListenerWorkerMethods } from '../../electron/listener/listener-worker';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { rawRequest, runLoad } from '../support/load-generator';
import type { BenchResult } from './bench-result';

/** The backend of both: it counts what it takes, and tells when all have come. */
const BACKEND = `
  const { parentPort } = require('node:worker_threads');
  let wanted = 0, taken = 0;
  const server = require('node:http').createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.end();
      taken += 1;
      if (taken === wanted) parentPort.postMessage('all');
    });
  });
  parentPort.on('message', (count) => { wanted = count; taken = 0; });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** The yardstick: what anyone would write, and it keeps nothing. */
const BARE_PROXY = `
  const { parentPort, workerData } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = http.request({ host: '127.0.0.1', port: workerData, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const CONNECTIONS = 50;
const WEBHOOKS = 8000;
const WARM_UP = 2000;
const ROUNDS = 3;

const webhooks = Array.from({ length: 2000 }, (_, index) =>
  rawRequest(
    'POST',
    '/callbacks/payments',
    [['Content-Type', 'application/json']],
    JSON.stringify({
      status: 'SUCCESS',
      code: '200.100',
      amount: 1000 + index,
      client_reference: `order-${100_000 + index}`,
      payment_uuid: `${7_000_000_000 + index}`,
    }),
  ),
);

const nextMessage = <T>(worker: Worker): Promise<T> => new Promise((done) => worker.once('message', done));

/** Measures receiving and forwarding, from the first webhook until the backend has them all, against a bare proxy. */
export async function run(): Promise<BenchResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-forward-'));
  const backend = new Worker(BACKEND, { eval: true });
  const backendPort = await nextMessage<number>(backend);
  const proxy = new Worker(BARE_PROXY, { eval: true, workerData: backendPort });
  const proxyPort = await nextMessage<number>(proxy);
  const listener = startNodeWorker<ListenerWorkerMethods, ListenerWorkerEvents>(
    pathToFileURL(resolve('out/workers/listener.js')),
    { file: join(directory, 'inbox.db') },
  );
  try {
    const route = { url: `http://127.0.0.1:${backendPort}`, exec: null, filter: '', relaysAnswer: false };
    await listener.call('setRoute', { route });
    const rule = { respondStatus: 200, delayMs: 0 };
    const { port } = await listener.call('start', {
      id: 'main',
      port: 0,
      alternatives: 0,
      rule,
      isHttps: false,
    });

    const measure = async (at: number, total: number): Promise<number> => {
      backend.postMessage(total);
      const all = nextMessage(backend);
      const startedAt = performance.now();
      await runLoad({ port: at, requests: webhooks, connections: CONNECTIONS, total });
      await all;
      return (total / (performance.now() - startedAt)) * 1000;
    };
    for (const at of [proxyPort, port]) await measure(at, WARM_UP);
    const rounds: { bare: number; forwarded: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // What the round before left to the index would take its time from the yardstick.
      await listener.call('whenIndexed', {});
      rounds.push({ bare: await measure(proxyPort, WEBHOOKS), forwarded: await measure(port, WEBHOOKS) });
    }
    const sorted = rounds.toSorted((a, b) => a.forwarded / a.bare - b.forwarded / b.bare);
    const { bare, forwarded } = sorted[Math.floor(ROUNDS / 2)]!;
    return [
      {
        name: 'forward: kept and forwarded against a bare proxy that keeps nothing, 50 connections',
        ratio: forwarded / bare,
        budget: 0.5,
        stretch: 0.8,
        higherIsBetter: true,
        figures: { forwardedPerSecond: Math.round(forwarded), barePerSecond: Math.round(bare) },
      },
    ];
  } finally {
    await listener.call('close', {});
    await Promise.all([listener.terminate(), proxy.terminate(), backend.terminate()]);
    rmSync(directory, { recursive: true, force: true });
  }
}
