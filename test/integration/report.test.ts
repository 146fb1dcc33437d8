import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../electron/platform/database/database';
import { listMigrations, storeName } from '../../electron/sandbox/store/sandbox-store';
import { signText } from '../../electron/platform/crypto/rsa-signatures';
import { because } from '../support/programs';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('report');
const data = join(directory, 'data');
const env = { COUNTERSIGN_CONSUMER_KEY: 'ck_report', COUNTERSIGN_CONSUMER_SECRET: 'cs_report_0123456789' };
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const running: RunningCommand[] = [];
let receiver: Server;
let baseUrl = '';
let proxyUrl = '';
let token = '';

beforeAll(async () => {
  mkdirSync(data);
  const publicKey = join(directory, 'public.pem');
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  const sandbox = startCli(
    [
      'sandbox',
      '--port',
      '0',
      '--json',
      '--log',
      '--public-key',
      publicKey,
      '--data',
      data,
      '--settle-ms',
      '50',
    ],
    { env },
  );
  running.push(sandbox);
  baseUrl = String((await sandbox.waitForLine(({ event }) => event === 'ready'))['base_url']);
  const proxy = startCli([
    'proxy',
    '--to',
    baseUrl,
    '--port',
    '0',
    '--public-key',
    publicKey,
    '--data',
    data,
    '--json',
  ]);
  running.push(proxy);
  proxyUrl = String((await proxy.waitForLine(({ event }) => event === 'ready'))['url']);
});
afterAll(async () => {
  receiver.close();
  await Promise.all(running.map((one) => one.stop()));
});

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

async function pay(
  base: string,
  reference: string,
  { account = '254711111111', isSigned = true } = {},
): Promise<number> {
  const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const body =
    `{"transaction":{"reference":"${reference}","amount":10,"currency":"KES","description":"Salary","service_code":"SC1",` +
    `"timestamp":"2026-01-02T03:04:05Z"},"originator":{"msisdn":"254700000000","channel":"API","country":"KE","name":"A","purpose":"P"},` +
    `"recipient":{"reference":"x","account":"${account}","name":"B","destination_code":"D"},"callback_url":"${callback}"}`;
  const signature = signText(`${reference}10KESC1`, pair.privateKey);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(isSigned ? { 'X-Custom-Signature': signature } : {}),
  };
  return (await post(`${base}/payments/v1/payouts`, body, headers)).status;
}

async function judge(
  ...args: string[]
): Promise<{ exitCode: number | null; verdicts: Record<string, string> }> {
  const { exitCode, json } = await runOnce(['report', '--data', data, '--json', ...args]);
  const rules = json[0]!['rules'] as { rule: string; verdict: string; exercise: string; message: string }[];
  expect(rules.every(({ exercise, message }) => exercise !== '' && message !== '')).toBe(true);
  return { exitCode, verdicts: Object.fromEntries(rules.map(({ rule, verdict }) => [rule, verdict])) };
}

it('judges what ran through proxy and sandbox of one folder, each request once, while both run', async () => {
  const credentials = {
    consumer_key: env.COUNTERSIGN_CONSUMER_KEY,
    consumer_secret: env.COUNTERSIGN_CONSUMER_SECRET,
    product: 'payout',
  };
  const fetched = await post(`${baseUrl}/auth/v1/token`, JSON.stringify(credentials));
  token = ((await fetched.json()) as { access_token: string }).access_token;
  expect(await pay(proxyUrl, 'order-1')).toBe(201);
  expect(await pay(baseUrl, 'order-2', { account: '254711110006' })).toBe(201);
  await fetch(`${proxyUrl}/tsq/v1/wallet-balances`, { headers: { authorization: `Bearer ${token}` } });
  await expect
    .poll(async () => (await judge()).verdicts['webhook.duplicates'], { timeout: 60_000, interval: 500 })
    .toBe('held');
  const { exitCode, verdicts } = await judge();
  expect(exitCode).toBe(0);
  expect(verdicts).toEqual({
    'signature.sent': 'held',
    'reference.unique': 'held',
    'reference.reused_on_retry': 'not_seen',
    'reference.status_before_new': 'not_seen',
    'token.reused': 'held',
    'rate_limit.honoured': 'not_seen',
    'acceptance.both_forms': 'not_seen',
    'duplicate.understood': 'not_seen',
    'status.payment_uuid': 'not_seen',
    'timestamp.form': 'held',
    'webhook.answered': 'held',
    'webhook.duplicates': 'held',
    'balances.checked': 'held',
    'url.no_secret': 'held',
  });
});

it('is shown by the very command that it names what it has not seen', async () => {
  const since = new Date().toISOString();
  const { json } = await runOnce(['report', '--data', data, '--json', '--since', since]);
  const rules = json[0]!['rules'] as { rule: string; verdict: string; exercise: string }[];
  const { verdict, exercise } = rules.find(({ rule }) => rule === 'webhook.duplicates')!;
  expect(verdict).toBe('not_seen');
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  expect(exercise).toContain(` --base-url ${baseUrl} `);
  const command = exercise.replace('RECEIVER', hooks);
  expect((await runOnce(command.split(' ').slice(1))).exitCode).toBe(0);
  await expect
    .poll(async () => (await judge('--since', since)).verdicts['webhook.duplicates'], { timeout: 30_000 })
    .toBe('held');
});

it('names commands that run as printed, from an empty folder on', async ({ skip }) => {
  skip(...because('bash', 'curl'));
  const empty = join(directory, 'empty');
  mkdirSync(empty);
  const readExercises = async (): Promise<Record<string, string>> => {
    const { json } = await runOnce(['report', '--data', empty, '--json']);
    const rules = json[0]!['rules'] as { rule: string; exercise: string }[];
    return Object.fromEntries(rules.map(({ rule, exercise }) => [rule, exercise]));
  };
  const [start] = (await readExercises())['signature.sent']!.split(', then ');
  const publicKey = join(directory, 'public.pem');
  const args = start!.replace('public.pem', publicKey).split(' ').slice(1);
  const sandbox = startCli([...args, '--port', '0', '--json']);
  running.push(sandbox);
  const { base_url: own, admin_token: adminToken } = await sandbox.waitForLine(
    ({ event }) => event === 'ready',
  );
  const then = await readExercises();
  expect(then['signature.sent']).toBe(`have your backend send a payout (the sandbox runs at ${String(own)})`);
  const [curl] = then['acceptance.both_forms']!.split(' (with ');
  const asked = spawnSync('bash', ['-c', `${curl} --silent --write-out '%{http_code}' --output /dev/null`], {
    env: { ...process.env, COUNTERSIGN_ADMIN_TOKEN: String(adminToken) },
  });
  expect(String(asked.stdout)).toBe('200');
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const trigger = then['webhook.answered']!.replace('RECEIVER', hooks).split(' ').slice(1);
  expect((await runOnce(trigger)).exitCode).toBe(0);
});

it('exits with 1 once a rule is broken, and tells which request did', async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  const since = new Date().toISOString();
  expect(await pay(proxyUrl, 'order-3', { isSigned: false })).toBe(401);
  await fetch(`${baseUrl}/tsq/v1/wallet-balances?access_token=${token}`);
  const logged = await running[0]!.waitForLine(
    ({ event, reference }) => event === 'request' && reference === 'order-3',
  );
  expect(logged).toMatchObject({
    http_status: 401,
    verdict: 'signature',
    operation: 'payout',
    reason: expect.stringContaining('is missing'),
  });
  expect(running[0]!.readOutput()).not.toContain(token);
  const { exitCode, verdicts } = await judge('--since', since);
  expect(exitCode).toBe(1);
  expect(verdicts).toMatchObject({
    'signature.sent': 'broken',
    'url.no_secret': 'broken',
    'balances.checked': 'not_seen',
  });
  const [markdown, html] = await Promise.all(
    ['md', 'html'].map((format) => runOnce(['report', '--data', data, '--format', format])),
  );
  expect(markdown!.stdout).toMatch(/\| `signature\.sent` \| BROKEN \|.*`px_[0-9a-f]{16}`/);
  expect(html!.stdout).toContain('<td class="broken">BROKEN</td>');
  expect([markdown!.exitCode, html!.exitCode]).toEqual([1, 1]);
  expect(markdown!.stdout + html!.stdout).not.toContain(token);
});

it("says that --since goes by the sandbox's clock, where that is ahead", async () => {
  const ahead = join(directory, 'ahead');
  mkdirSync(ahead);
  const db = openDatabase({ file: join(ahead, storeName), migrations: listMigrations() });
  db.exec("INSERT OR REPLACE INTO meta VALUES ('clock_offset_ms', '7200000')");
  db.close();
  const { stderr } = await runOnce(['report', '--data', ahead, '--since', '1h']);
  expect(stderr).toContain(
    "The sandbox's clock is 2 h 0 min ahead of this machine's, and --since goes by it",
  );
  expect((await runOnce(['report', '--data', ahead])).stderr).toBe('');
});

it("takes what was sent for the app's own environment for no doing of a backend, as the app does", async () => {
  const own = join(directory, 'own');
  const app = startCli(['app', '--no-open', '--json', '--port', '0', '--data', own]);
  running.push(app);
  await app.waitForLine(({ event }) => event === 'ready');
  const local = ['--env', 'Local sandbox', '--data', own];
  await expect
    .poll(async () => (await runOnce(['balances', ...local])).exitCode, { timeout: 30_000 })
    .toBe(0);
  const payout = 'resources/starter/Payments API/Payouts/Salary payout.http';
  expect((await runOnce(['send', payout, ...local])).exitCode).toBe(0);
  const listSeen = async (): Promise<unknown[]> => {
    const { json } = await runOnce(['report', '--data', own, '--json']);
    const rules = json[0]!['rules'] as { rule: string; verdict: string }[];
    return rules.filter(({ verdict }) => verdict !== 'not_seen');
  };
  expect(await listSeen()).toEqual([]);

  // Nobody tells the key any more; requests for balances that say the same are thinned out.
  const sealed = { COUNTERSIGN_PASSPHRASE: 'a long passphrase' };
  const input = JSON.stringify({ current: null, next: sealed.COUNTERSIGN_PASSPHRASE });
  expect((await runOnce(['call', 'vault.setPassphrase', '--data', own], { input })).exitCode).toBe(0);
  for (let round = 0; round < 3; round++)
    expect((await runOnce(['balances', ...local], { env: sealed })).exitCode).toBe(0);
  expect(await listSeen()).toEqual([]);
});
