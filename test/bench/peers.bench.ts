import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { payout } from '../support/bodies';
import { findFreePort } from '../support/free-port';
import { rawRequest, runLoad } from '../support/load-generator';
import { accessOf, fetchToken } from '../support/token';
import type { BenchResult } from './bench-result';
import { readReadyLine } from '../support/run-cli';

/** Scripts of other tools, as `scripts/bench-peers.mjs` found them; a tool that is not there is left out. */
type Peers = Partial<Record<'mockoon' | 'prism' | 'bruno', string>>;

const PATH = '/payments/v1/payouts';
const CONNECTIONS = 50;
const WARM_UP_PAYMENTS = 500;
const PAYMENTS_A_TURN = 2000;
const TURNS = 3;
const REQUESTS = 50;
const cli = resolve('out', 'cli', 'index.js');

interface Stage {
  readonly folder: string;
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly privateKey: KeyObject;
}

/**
 * Measures the sandbox against mocks that answer the same signed payouts, and `run` against Bruno's command line.
 *
 * The mocks do less: Mockoon checks nothing, Prism the shape alone, and neither keeps a payment.
 */
export async function run(): Promise<BenchResult[]> {
  const peers = JSON.parse(process.env['COUNTERSIGN_BENCH_PEERS'] ?? '{}') as Peers;
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-peers-'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  const { child, ready } = await startSandbox(folder);
  try {
    const stage = { folder, privateKey, ...accessOf(ready) };
    return [
      ...(peers.mockoon
        ? [
            await compareWith(
              'peers: signed payouts a second, against Mockoon',
              stage,
              await startMockoon(peers.mockoon, stage),
            ),
          ]
        : []),
      ...(peers.prism
        ? [
            await compareWith(
              'peers: signed payouts a second, against Prism',
              stage,
              await startPrism(peers.prism, stage),
            ),
          ]
        : []),
      ...(peers.bruno ? [await compareRuns(peers.bruno, stage)] : []),
    ];
  } finally {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ready {
  base_url: string;
  consumer_key: string;
  consumer_secret: string;
}

async function startSandbox(folder: string): Promise<{ child: ChildProcess; ready: Ready }> {
  const options = ['--json', '--port', '0', '--retries', 'none', '--data', join(folder, 'data')];
  const child = spawn(
    process.execPath,
    [cli, 'sandbox', ...options, '--public-key', join(folder, 'public.pem')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return { child, ready: await readReadyLine<Ready>(child.stdout) };
}

interface Mock {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startMockoon(script: string, { folder }: Stage): Promise<Mock> {
  const response = {
    uuid: 'r',
    body: `{"reference":"{{body 'transaction.reference'}}"}`,
    latency: 0,
    statusCode: 201,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    rules: [],
    rulesOperator: 'OR',
    default: true,
  };
  const route = { uuid: 'p', type: 'http', method: 'post', endpoint: PATH.slice(1), responses: [response] };
  const file = join(folder, 'mockoon.json');
  writeFileSync(
    file,
    JSON.stringify({
      uuid: 'e',
      lastMigration: 33,
      name: 'payouts',
      endpointPrefix: '',
      port: 0,
      hostname: '127.0.0.1',
      folders: [],
      routes: [route],
      rootChildren: [{ type: 'route', uuid: 'p' }],
      headers: [],
      data: [],
      callbacks: [],
    }),
  );
  const port = await findFreePort();
  const args = [
    'start',
    '--data',
    file,
    '--port',
    String(port),
    '--disable-log-to-file',
    '--disable-admin-api',
  ];
  return startMock(script, args, port);
}

async function startPrism(script: string, { folder, baseUrl }: Stage): Promise<Mock> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, await (await fetch(`${baseUrl}/_sandbox/openapi.json`)).text());
  const port = await findFreePort();
  return startMock(script, ['mock', file, '--port', String(port), '--verboseLevel', 'error'], port);
}

/** Starts a mock and waits until it takes connections. */
async function startMock(script: string, args: readonly string[], port: number): Promise<Mock> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let left = 300; left > 0; left -= 1) {
    if (child.exitCode !== null)
      throw new Error(`${script} ended with ${child.exitCode} before it was ready.`);
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return { child, port };
    await delay(200);
  }
  await end(child);
  throw new Error(`${script} was not ready within a minute.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Signed payouts by turns to both, so that what else the machine does meets both. */
async function compareWith(name: string, stage: Stage, mock: Mock): Promise<BenchResult> {
  const token = await fetchToken(stage, 'payout');
  const port = Number(new URL(stage.baseUrl).port);
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const requests = makePayouts(`p${mock.port}-${turn}`, token, stage.privateKey);
      theirs.push(await measureRate(mock.port, requests));
      ours.push(await measureRate(port, requests));
    }
  } finally {
    await end(mock.child);
  }
  return {
    name,
    ratio: median(ours.map((rate, turn) => rate / theirs[turn]!)),
    budget: 1,
    higherIsBetter: true,
    figures: { oursPerSecond: median(ours), theirsPerSecond: median(theirs) },
  };
}

async function measureRate(port: number, requests: readonly Uint8Array[]): Promise<number> {
  const { perSecond, statuses, errors } = await runLoad({
    port,
    requests,
    connections: CONNECTIONS,
    warmUpTotal: WARM_UP_PAYMENTS,
    total: PAYMENTS_A_TURN,
  });
  const taken = (statuses['200'] ?? 0) + (statuses['201'] ?? 0);
  if (taken !== PAYMENTS_A_TURN)
    throw new Error(`Not all payouts were taken: ${JSON.stringify({ statuses, errors })}`);
  return perSecond;
}

function makePayouts(prefix: string, token: string, key: KeyObject): Uint8Array[] {
  return Array.from({ length: WARM_UP_PAYMENTS + PAYMENTS_A_TURN }, (_, index) => {
    const reference = `${prefix}-${index}`;
    const changes = { 'transaction.reference': reference, 'transaction.amount': 1 };
    const signature = sign('sha256', Buffer.from(`${reference}1KEMPESA`), key).toString('base64');
    const headers: [string, string][] = [
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
      ['X-Custom-Signature', signature],
    ];
    return rawRequest('POST', PATH, headers, JSON.stringify(payout(changes)));
  });
}

/** Fifty signed payouts by either command line: a token, a fresh reference, the signature, the status looked at. */
async function compareRuns(script: string, stage: Stage): Promise<BenchResult> {
  const requests = writeRequests(stage.folder);
  const collection = writeBrunoCollection(stage);
  const ours: number[] = [];
  const theirs: number[] = [];
  const env = {
    ...process.env,
    COUNTERSIGN_CONSUMER_KEY: stage.consumerKey,
    COUNTERSIGN_CONSUMER_SECRET: stage.consumerSecret,
  };
  const keyFile = join(stage.folder, 'key.pem');
  for (let turn = 0; turn < TURNS; turn += 1) {
    const options = ['--base-url', stage.baseUrl, '--key', keyFile];
    ours.push(await measureRun([cli, 'run', requests, ...options], stage.folder, env));
    theirs.push(
      await measureRun([script, 'run', '--env', 'local', '--sandbox', 'developer'], collection, env),
    );
  }
  return {
    name: "peers: run of 50 requests, against Bruno's command line",
    ratio: median(ours.map((ms, turn) => ms / theirs[turn]!)),
    budget: 1,
    higherIsBetter: false,
    figures: { oursMs: median(ours), theirsMs: median(theirs) },
  };
}

/** Milliseconds of a program from its start to its end. */
async function measureRun(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.slice(0, 2).join(' ')} ended with ${code}: ${output}`);
  return performance.now() - startedAt;
}

function bodyOf(reference: string, timestamp: string): string {
  const changes = { 'transaction.reference': reference, 'transaction.timestamp': timestamp };
  return JSON.stringify(payout({ ...changes, 'transaction.amount': 1 }));
}

function writeRequests(folder: string): string {
  const body = bodyOf('{{$uuid}}', '{{$isoTimestamp}}');
  const head =
    'Authorization: Bearer {{token.payout}}\nX-Custom-Signature: {{signature}}\nContent-Type: application/json';
  const blocks = Array.from(
    { length: REQUESTS },
    (_, index) => `### p${index}\n# @expect status 201\nPOST {{base_url}}${PATH}\n${head}\n\n${body}\n\n`,
  );
  mkdirSync(join(folder, 'requests'));
  writeFileSync(join(folder, 'requests', 'payouts.http'), blocks.join(''));
  return join(folder, 'requests');
}

function writeBrunoCollection({ folder, baseUrl }: Stage): string {
  const collection = join(folder, 'bruno');
  mkdirSync(join(collection, 'environments'), { recursive: true });
  writeFileSync(join(collection, 'bruno.json'), '{"version":"1","name":"payouts","type":"collection"}');
  const values = `  base_url: ${baseUrl}\n  key_file: ${join(folder, 'key.pem')}`;
  writeFileSync(join(collection, 'environments', 'local.bru'), `vars {\n${values}\n}\n`);
  writeFileSync(join(collection, '00-token.bru'), BRUNO_TOKEN);
  const body = bodyOf('{{reference}}', '{{timestamp}}');
  for (let index = 1; index <= REQUESTS; index += 1) {
    const name = `p${String(index).padStart(2, '0')}`;
    writeFileSync(join(collection, `${name}.bru`), brunoPayout(name, index + 1, body));
  }
  return collection;
}

const BRUNO_TOKEN = `meta {
  name: token
  type: http
  seq: 1
}

post {
  url: {{base_url}}/auth/v1/token
  body: json
  auth: none
}

body:json {
  {"consumer_key":"{{process.env.COUNTERSIGN_CONSUMER_KEY}}","consumer_secret":"{{process.env.COUNTERSIGN_CONSUMER_SECRET}}","product":"payout"}
}

script:post-response {
  bru.setVar('token', res.body.access_token);
}
`;

function brunoPayout(name: string, place: number, body: string): string {
  return `meta {
  name: ${name}
  type: http
  seq: ${place}
}

post {
  url: {{base_url}}${PATH}
  body: json
  auth: none
}

headers {
  Authorization: Bearer {{token}}
  X-Custom-Signature: {{signature}}
}

body:json {
  ${body}
}

script:pre-request {
  const { createPrivateKey, randomUUID, sign } = require('node:crypto');
  const { readFileSync } = require('node:fs');
  const reference = randomUUID();
  const key = createPrivateKey(readFileSync(bru.getEnvVar('key_file')));
  bru.setVar('reference', reference);
  bru.setVar('timestamp', new Date().toISOString());
  bru.setVar('signature', sign('sha256', Buffer.from(reference + '1KEMPESA'), key).toString('base64'));
}

assert {
  res.status: eq 201
}
`;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
