import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BenchResult } from './bench-result';

/** The yardstick: a token, then signed payouts one after the other over one connection, each answer looked at. */
const BARE_LOOP = `
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
const [base, count, keyFile] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const key = createPrivateKey(readFileSync(keyFile));
const call = (path, body, headers) => new Promise((resolve, reject) => {
  const request = http.request(base + path, { method: 'POST', agent, headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers } }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
  });
  request.on('error', reject).end(body);
});
const { COUNTERSIGN_CONSUMER_KEY: consumer_key, COUNTERSIGN_CONSUMER_SECRET: consumer_secret } = process.env;
const { body: { access_token: token } } = await call('/auth/v1/token', JSON.stringify({ consumer_key, consumer_secret, product: 'payout' }), {});
const template = readFileSync(0, 'utf8');
for (let left = Number(count); left > 0; left--) {
  const reference = randomUUID();
  const body = template.replace('REFERENCE', reference).replace('TIMESTAMP', new Date().toISOString());
  const signature = sign('sha256', Buffer.from(reference + '10KEMPESA-B2C'), key).toString('base64');
  const answer = await call('/payments/v1/payouts', body, { Authorization: 'Bearer ' + token, 'X-Custom-Signature': signature });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer));
}
process.exit(0);
`;
const BODY =
  '{"transaction":{"reference":"REFERENCE","amount":10,"currency":"KES","description":"Salary","service_code":"MPESA-B2C","timestamp":"TIMESTAMP"},' +
  '"originator":{"msisdn":"254720000555","channel":"API","country":"KE","name":"Baraka","purpose":"Salary"},' +
  '"recipient":{"reference":"EMP-1","account":"254712345678","name":"Joe","destination_code":"MPESA"},' +
  '"callback_url":"http://127.0.0.1:9/webhooks","meta":{"a":1}}';
const FEW = 50;
const MANY = 1000;
/** Both by turns, so that what else the machine does meets both; each pair gives a ratio. */
const FEW_ROUNDS = 7;
const MANY_ROUNDS = 3;
const cli = resolve('out', 'cli', 'index.js');

interface Stage {
  readonly folder: string;
  readonly baseUrl: string;
  readonly env: NodeJS.ProcessEnv;
}

/** How long a process ran, and how much memory it took at most. */
interface Ran {
  readonly ms: number;
  readonly peakMb: number;
}

/** Runs one contestant to its end; it must say that all went well. */
function time({ folder, env }: Stage, args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((done, fail) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['--import', join(folder, 'peak.mjs'), ...args], {
      cwd: folder,
      env,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('close', (code) => {
      const ms = performance.now() - startedAt;
      if (code !== 0)
        fail(new Error(`${args.join(' ').slice(0, 200)} ended with ${code}: ${errors.slice(-2000)}`));
      else done({ ms, peakMb: Number(readFileSync(join(folder, 'peak'), 'utf8')) / 1024 });
    });
  });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Bare loop and `countersign run` one after the other. */
interface Pair {
  readonly bare: Ran;
  readonly ours: Ran;
}

const compare = (pairs: readonly Pair[]): number => median(pairs.map(({ bare, ours }) => ours.ms / bare.ms));

const describePairs = (pairs: readonly Pair[]): { bareMs: number; oursMs: number } => ({
  bareMs: median(pairs.map(({ bare }) => bare.ms)),
  oursMs: median(pairs.map(({ ours }) => ours.ms)),
});

async function startSandbox(folder: string): Promise<{ stage: Stage; stop(): void }> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  const child = spawn(
    process.execPath,
    [
      cli,
      'sandbox',
      '--port',
      '0',
      '--json',
      '--retries',
      'none',
      '--public-key',
      join(folder, 'public.pem'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const line = await new Promise<string>((done) =>
    child.stdout.once('data', (chunk: Buffer) => done(chunk.toString())),
  );
  const ready = JSON.parse(line.split('\n')[0]!) as Record<
    'base_url' | 'consumer_key' | 'consumer_secret',
    string
  >;
  const env = {
    ...process.env,
    COUNTERSIGN_CONSUMER_KEY: ready.consumer_key,
    COUNTERSIGN_CONSUMER_SECRET: ready.consumer_secret,
  };
  return { stage: { folder, baseUrl: ready.base_url, env }, stop: () => void child.kill() };
}

function writeRequests(folder: string, count: number): string {
  const head =
    'Authorization: Bearer {{token.payout}}\nX-Custom-Signature: {{signature}}\nContent-Type: application/json\n\n';
  const body = BODY.replace('REFERENCE', '{{$uuid}}').replace('TIMESTAMP', '{{$isoTimestamp}}');
  const block = (index: number): string =>
    `### p${index}\n# @expect status 201\nPOST {{base_url}}/payments/v1/payouts\n${head}${body}\n\n`;
  mkdirSync(join(folder, String(count)));
  writeFileSync(
    join(folder, String(count), 'payouts.http'),
    Array.from({ length: count }, (_, index) => block(index)).join(''),
  );
  return join(folder, String(count));
}

/** The same requests for the others, by our own export: they get a token and sign in their scripts. */
async function exportFor(
  stage: Stage,
  requests: string,
  format: 'postman' | 'httpyac',
  out: string,
): Promise<void> {
  await time(stage, [cli, 'export', requests, '--format', format, '--out', out]);
}

/** Measures `countersign run` against a bare loop, newman and httpYac: the same signed payouts, in one run. */
export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-run-'));
  const { stage, stop } = await startSandbox(folder);
  try {
    return await measure(stage);
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(stage: Stage): Promise<BenchResult[]> {
  const { folder, baseUrl } = stage;
  writeFileSync(join(folder, 'bare.mjs'), BARE_LOOP);
  writeFileSync(
    join(folder, 'peak.mjs'),
    // Not `maxRSS`: it counts what the process was before it became this program, a copy of the bench.
    [
      "import { existsSync, readFileSync, writeFileSync } from 'node:fs';",
      "const own = '/proc/self/status';",
      "const readPeak = () => (existsSync(own) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(own, 'latin1'))[1] : process.resourceUsage().maxRSS);",
      "process.on('exit', () => writeFileSync(new URL('peak', import.meta.url), String(readPeak())));",
    ].join('\n'),
  );
  const few = writeRequests(folder, FEW);
  const many = writeRequests(folder, MANY);
  const bare = (count: number) =>
    time(stage, [join(folder, 'bare.mjs'), baseUrl, String(count), join(folder, 'key.pem')], BODY);
  const ours = (requests: string) =>
    time(stage, [cli, 'run', requests, '--base-url', baseUrl, '--key', join(folder, 'key.pem')]);
  const takeTurns = async (requests: string, count: number, turns: number): Promise<Pair[]> => {
    const pairs: Pair[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      pairs.push({ bare: await bare(count), ours: await ours(requests) });
    }
    return pairs;
  };
  const fewPairs = await takeTurns(few, FEW, FEW_ROUNDS);
  const manyPairs = await takeTurns(many, MANY, MANY_ROUNDS);
  const others = await measureOthers(stage, few);
  const oursMs = median(fewPairs.map(({ ours: { ms } }) => ms));
  const peakMb = Math.max(...fewPairs.map(({ ours: one }) => one.peakMb));
  const figures = { ...describePairs(fewPairs), ...others };
  return [
    {
      name: 'run of 50 requests, against a bare Node loop',
      ratio: compare(fewPairs),
      budget: 1.5,
      higherIsBetter: false,
      figures,
    },
    {
      name: 'run of 1,000 requests, against a bare Node loop',
      ratio: compare(manyPairs),
      budget: 1.3,
      higherIsBetter: false,
      figures: describePairs(manyPairs),
    },
    {
      name: 'memory of a run of 50 requests, MB',
      ratio: peakMb,
      budget: 90,
      higherIsBetter: false,
      figures: { peakMb, peakOf1000Mb: Math.max(...manyPairs.map(({ ours: one }) => one.peakMb)) },
    },
    {
      name: 'run of 50 requests, against newman',
      ratio: oursMs / others.newmanMs,
      budget: 1,
      higherIsBetter: false,
      figures,
    },
    {
      name: 'run of 50 requests, against httpYac',
      ratio: oursMs / others.httpyacMs,
      budget: 1,
      higherIsBetter: false,
      figures,
    },
  ];
}

async function measureOthers(
  stage: Stage,
  requests: string,
): Promise<{ newmanMs: number; httpyacMs: number }> {
  const { folder, baseUrl, env } = stage;
  const [consumerKey, consumerSecret] = [
    env['COUNTERSIGN_CONSUMER_KEY']!,
    env['COUNTERSIGN_CONSUMER_SECRET']!,
  ];
  const privateKey = readFileSync(join(folder, 'key.pem'), 'utf8');
  await exportFor(stage, requests, 'postman', join(folder, 'payouts.json'));
  await exportFor(stage, requests, 'httpyac', join(folder, 'httpyac'));
  const values = {
    base_url: baseUrl,
    callback_url: `${baseUrl}/none`,
    consumer_key: consumerKey,
    consumer_secret: consumerSecret,
    private_key: privateKey,
  };
  writeFileSync(join(folder, 'httpyac', 'http-client.private.env.json'), JSON.stringify({ local: values }));
  const variables = Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const newman = await time(stage, [
    resolve('node_modules/newman/bin/newman.js'),
    'run',
    join(folder, 'payouts.json'),
    ...variables,
  ]);
  const httpyac = await time({ ...stage, folder: stage.folder }, [
    resolve('node_modules/httpyac/bin/httpyac.js'),
    'send',
    join(folder, 'httpyac', 'payouts.http'),
    '--all',
    '--env',
    'local',
  ]);
  return { newmanMs: newman.ms, httpyacMs: httpyac.ms };
}
