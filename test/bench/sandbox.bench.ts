import { spawn, type ChildProcess } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { rawRequest, runLoad, type LoadResult } from '../support/load-generator';
import type { BenchResult } from './bench-result';
import { collection, payout } from '../support/bodies';
import { accessOf, fetchToken } from '../support/token';
import { readReadyLine } from '../support/run-cli';

/** The yardstick: reads the same requests, answers as many bytes, checks and keeps nothing. */
const BARE_SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const answer = Buffer.alloc(workerData, 120);
  const server = require('node:http').createServer((request, response) => {
    request.on('data', () => {});
    request.on('end', () => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const ANSWER_BYTES = 260;
const CONNECTIONS = 50;
/** Short turns, one of each in a pair: a machine that others use too changes its pace within seconds. */
const PAIRS = 9;
const PAYMENTS_A_TURN = 4000;
/** Before each turn's payments are counted: the client is a new process each time. */
const WARM_UP_PAYMENTS = 2000;
const STARTS = 11;
const MANY_PAYMENTS = 100_000;
const SIGNED_OF_MANY = 10_000;
const KEEPS_PROCESSING = '254711110003';
const CREDENTIALS = { consumerKey: 'bench-key', consumerSecret: 'bench-secret' };

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const privateKey: KeyObject = createPrivateKey(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const signInPool = promisify(sign) as (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer>;

/** Measures the sandbox against a bare `node:http`, its start, and its memory after 100,000 payments. */
export async function run(): Promise<BenchResult[]> {
  return [await measureThroughput(), await measureStart(), await measureMemory()];
}

/** Every check on, on disk: token, signature, fields, duplicate, wallet; answered after the sync. */
async function measureThroughput(): Promise<BenchResult> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-sandbox-'));
  const bare = new Worker(BARE_SERVER, { eval: true, workerData: ANSWER_BYTES });
  const [barePort] = (await once(bare, 'message')) as [number];
  const sandbox = startNodeWorker(pathToFileURL(resolve('out/workers/sandbox.js')), {});
  const { baseUrl } = (await sandbox.call('start', {
    port: 0,
    dataDirectory: directory,
    publicKeys: [publicPem],
    ...CREDENTIALS,
  })) as { baseUrl: string };
  const port = Number(new URL(baseUrl).port);
  const token = await fetchToken({ baseUrl, ...CREDENTIALS }, 'payout');
  const ratios: number[] = [];
  const perSecond = { bare: [] as number[], sandbox: [] as number[], p99Ms: [] as number[] };
  for (let pair = 0; pair < PAIRS; pair++) {
    const payouts = await makePayouts(WARM_UP_PAYMENTS + PAYMENTS_A_TURN, `b${pair}`, token);
    const yardstick = await loadAll(barePort, payouts, WARM_UP_PAYMENTS);
    const durable = await loadAll(port, payouts, WARM_UP_PAYMENTS);
    if (durable.statuses['201'] !== PAYMENTS_A_TURN) {
      throw new Error(`Not all payouts were accepted: ${JSON.stringify(durable.statuses)}`);
    }
    ratios.push(durable.perSecond / yardstick.perSecond);
    perSecond.bare.push(yardstick.perSecond);
    perSecond.sandbox.push(durable.perSecond);
    perSecond.p99Ms.push(durable.p99Ms);
  }
  await sandbox.call('stop', {});
  await sandbox.terminate();
  await bare.terminate();
  rmSync(directory, { recursive: true, force: true });
  return {
    name: 'sandbox: signed payouts, durable, against a bare node:http, 50 connections',
    ratio: middle(ratios),
    budget: 0.5,
    stretch: 0.65,
    higherIsBetter: true,
    figures: {
      acceptedPerSecond: Math.round(middle(perSecond.sandbox)),
      barePerSecond: Math.round(middle(perSecond.bare)),
      p99Ms: middle(perSecond.p99Ms),
      lowestRatio: Math.min(...ratios),
      highestRatio: Math.max(...ratios),
    },
  };
}

function loadAll(port: number, requests: readonly Uint8Array[], warmUpTotal = 0): Promise<LoadResult> {
  const total = requests.length - warmUpTotal;
  return runLoad({ port, requests, connections: CONNECTIONS, warmUpTotal, total });
}

/** From the start of the process to the first answer over HTTP, against `node -e 0`. */
async function measureStart(): Promise<BenchResult> {
  const yardsticks: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const beganAt = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    yardsticks.push(performance.now() - beganAt);
    const startedAt = performance.now();
    const { child, ready } = await startCli([]);
    await once(get(`${ready.base_url}/tsq/v1/wallet-balances`), 'response');
    starts.push(performance.now() - startedAt);
    await stopCli(child);
  }
  const [yardstick, start] = [middle(yardsticks), middle(starts)];
  return {
    name: 'sandbox: start to first answer against node -e 0',
    ratio: start / yardstick,
    budget: 2,
    stretch: 1.5,
    higherIsBetter: false,
    figures: { startMs: start, nodeMs: yardstick },
  };
}

/** Signed payouts with settlement and webhooks (nobody listens to them), the rest collections. */
async function measureMemory(): Promise<BenchResult> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-memory-'));
  const pemFile = join(directory, 'public.pem');
  writeFileSync(pemFile, publicPem);
  const { child, ready } = await startCli([
    '--data',
    directory,
    '--public-key',
    pemFile,
    '--retries',
    'none',
  ]);
  const before = readResidentMb(child.pid!);
  const port = Number(new URL(ready.base_url).port);
  const access = accessOf(ready);
  const payoutToken = await fetchToken(access, 'payout');
  const collectionToken = await fetchToken(access, 'collection');
  await loadAll(port, await makePayouts(SIGNED_OF_MANY, 'm', payoutToken, '254711111111'));
  const step = 15_000;
  for (let made = SIGNED_OF_MANY; made < MANY_PAYMENTS; made += step) {
    await loadAll(port, makeCollections(step, `m${made}`, collectionToken));
  }
  const after = readResidentMb(child.pid!);
  await stopCli(child);
  rmSync(directory, { recursive: true, force: true });
  return {
    name: 'sandbox: resident memory after 100,000 payments (MB)',
    ratio: after,
    budget: 90,
    stretch: 70,
    higherIsBetter: false,
    figures: { afterMb: after, atStartMb: before, payments: MANY_PAYMENTS },
  };
}

interface ReadyLine {
  base_url: string;
  consumer_key: string;
  consumer_secret: string;
}

async function startCli(flags: readonly string[]): Promise<{ child: ChildProcess; ready: ReadyLine }> {
  const child = spawn(
    process.execPath,
    [resolve('out/cli/index.js'), 'sandbox', '--json', '--port', '0', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return { child, ready: await readReadyLine<ReadyLine>(child.stdout!) };
}

async function stopCli(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function readResidentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 102.4) / 10;
}

async function makePayouts(
  count: number,
  prefix: string,
  token: string,
  account = KEEPS_PROCESSING,
): Promise<Uint8Array[]> {
  const requests: Uint8Array[] = [];
  for (let from = 0; from < count; from += 500) {
    const part = Array.from({ length: Math.min(500, count - from) }, (_, index) =>
      makePayout(`${prefix}-${from + index}`, token, account),
    );
    requests.push(...(await Promise.all(part)));
  }
  return requests;
}

async function makePayout(reference: string, token: string, account: string): Promise<Uint8Array> {
  const body = JSON.stringify(
    payout({
      'transaction.reference': reference,
      'transaction.amount': 1,
      'recipient.account': account,
      callback_url: 'http://127.0.0.1:9/webhooks/payments',
    }),
  );
  const signature = await signInPool('sha256', Buffer.from(`${reference}1KEMPESA`), privateKey);
  return rawRequest('POST', '/payments/v1/payouts', headersOf(token, signature.toString('base64')), body);
}

function makeCollections(count: number, prefix: string, token: string): Uint8Array[] {
  return Array.from({ length: count }, (_, index) =>
    rawRequest(
      'POST',
      '/payments/v1/collections',
      headersOf(token, null),
      JSON.stringify(collection({ 'transaction.reference': `${prefix}-${index}` })),
    ),
  );
}

function headersOf(token: string, signature: string | null): [string, string][] {
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ];
  if (signature !== null) headers.push(['X-Custom-Signature', signature]);
  return headers;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
