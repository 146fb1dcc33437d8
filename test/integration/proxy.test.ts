import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signText } from '../../electron/platform/crypto/rsa-signatures';
import { openServices } from '../support/open-services';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('proxy');
const data = join(directory, 'data');
const consumer = {
  COUNTERSIGN_CONSUMER_KEY: 'ck_proxy_test',
  COUNTERSIGN_CONSUMER_SECRET: 'cs_8c4f1f2a9d6b4b7e',
};
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = join(directory, 'public.pem');
const running: RunningCommand[] = [];
let url = '';
let token = '';

beforeAll(async () => {
  mkdirSync(data);
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  const sandbox = startCli(['sandbox', '--port', '0', '--json', '--public-key', publicKey], {
    env: consumer,
  });
  running.push(sandbox);
  const { base_url: baseUrl } = await sandbox.waitForLine(({ event }) => event === 'ready');
  await startProxy(String(baseUrl));
});
afterAll(() => Promise.all(running.map((one) => one.stop())));

async function startProxy(to: string): Promise<RunningCommand> {
  const args = ['proxy', '--to', to, '--port', '0', '--public-key', publicKey, '--data', data, '--json'];
  const proxy = startCli(args);
  running.push(proxy);
  url = String((await proxy.waitForLine(({ event }) => event === 'ready'))['url']);
  return proxy;
}

const proxy = (): RunningCommand => running.at(-1)!;

async function fetchToken(product: string): Promise<string> {
  const body = {
    consumer_key: consumer.COUNTERSIGN_CONSUMER_KEY,
    consumer_secret: consumer.COUNTERSIGN_CONSUMER_SECRET,
    product,
  };
  const answer = await fetch(`${url}/auth/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function writePayout(reference: string, extra = ''): string {
  return (
    `{"transaction":{"reference":"${reference}","amount":1000.00,"currency":"KES","description":"Salary","service_code":"SC1",` +
    `"timestamp":"2026-01-02T03:04:05Z"},"originator":{"msisdn":"254700000000","channel":"API","country":"KE","name":"A","purpose":"P"},` +
    `"recipient":{"reference":"x","account":"254711111111","name":"B","destination_code":"D"},"callback_url":"http://127.0.0.1:1/hooks"${extra}}`
  );
}

async function pay(body: string, signed: string, key: KeyObject = pair.privateKey): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'X-Custom-Signature': signText(signed, key),
  };
  return (await fetch(`${url}/payments/v1/payouts`, { method: 'POST', headers, body })).status;
}

it('tells of each exchange what it shows: operation, reference, signature, token, fields', async () => {
  token = await fetchToken('payout');
  expect(await pay(writePayout('px-good'), 'px-good1000.00KESC1')).toBe(201);
  const good = await proxy().waitForLine(({ reference }) => reference === 'px-good');
  expect(good).toMatchObject({
    event: 'exchange',
    method: 'POST',
    path: '/payments/v1/payouts',
    http_status: 201,
    signature: { valid: true, verdict: 'valid', causes: [] },
    token: { product: 'payout', is_expired: false },
  });
  expect(Date.parse((good['token'] as { expires_at: string }).expires_at)).toBeGreaterThan(Date.now());
  expect((good['field_problems'] as { field: string }[]).map(({ field }) => field)).toEqual([]);
});

it('has the doctor say why a signature does not verify', async () => {
  expect(await pay(writePayout('px-separator', ',"calback":1'), 'px-separator,1000.00,KE,SC1')).toBe(401);
  const bad = await proxy().waitForLine(({ reference }) => reference === 'px-separator');
  expect(bad).toMatchObject({
    http_status: 401,
    signature: { valid: false, verdict: 'explained', causes: [{ code: 'string.separator' }] },
  });
  expect(bad['field_problems']).toEqual([{ field: 'calback', message: expect.any(String) }]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await pay(writePayout('px-other'), 'px-other1000.00KESC1', privateKey);
  expect((await proxy().waitForLine(({ reference }) => reference === 'px-other'))['signature']).toMatchObject(
    {
      valid: false,
      verdict: 'other_key',
    },
  );
});

it('keeps exchanges over kill -9, without a secret in any file, and exports them', async () => {
  await proxy().stop('SIGKILL');
  const [jsonl, har] = await Promise.all(
    ['jsonl', 'har'].map((format) => runOnce(['proxy', 'export', '--data', data, '--format', format])),
  );
  const lines = jsonl!.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ reference, http_status: status }) => [reference, status])).toEqual([
    [null, 200],
    ['px-good', 201],
    ['px-separator', 401],
    ['px-other', 401],
  ]);
  const request = lines[1]!['request'] as { body_base64: string; headers: string[][] };
  expect(Buffer.from(request.body_base64, 'base64').toString()).toBe(writePayout('px-good'));
  expect(lines[1]!['string_to_sign']).toMatchObject({
    text: 'px-good1000.00KESC1',
    spans: expect.any(Array),
  });
  const { log } = JSON.parse(har!.stdout) as { log: { entries: { request: { url: string } }[] } };
  expect(log.entries).toHaveLength(4);
  expect(log.entries[1]!.request.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/payments\/v1\/payouts$/);
  const kept = readdirSync(data).map((name) => readFileSync(join(data, name)).toString('latin1'));
  for (const text of [...kept, jsonl!.stdout, har!.stdout]) {
    expect(text).not.toContain(consumer.COUNTERSIGN_CONSUMER_SECRET);
    expect(text).not.toContain(token);
  }
});

it('holds nothing up for bodies of a mebibyte that are made to be slow', async () => {
  const target = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(401).end());
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  await startProxy(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  const quotes = writePayout('px-slow', `,"meta":"${'\\\\\\"'.repeat(250_000)}"`);
  const hostile = ['\\"'.repeat(520_000), `[${'1,'.repeat(500_000)}1]`, 'password=x&'.repeat(95_000), quotes];
  const sent = hostile.map((body) => pay(body, 'px-slow1000.00KE'));
  let longestMs = 0;
  let isOver = false;
  // What this process, which has next to nothing to do, waits for the processor meanwhile.
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const slow = proxy()
    .waitForLine(({ reference }) => reference === 'px-slow')
    .finally(() => (isOver = true));
  while (!isOver) {
    const startedAtMs = performance.now();
    await fetch(`${url}/nothing`).then((answer) => answer.text());
    longestMs = Math.max(longestMs, performance.now() - startedAtMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await slow)['signature']).toMatchObject({ valid: false, verdict: 'explained' });
  await Promise.all(sent);
  target.close();
  lag.disable();
  // A tenth of a second is what is aimed at; other tests run beside this one.
  expect(longestMs).toBeLessThan(400 + lag.max / 1e6);
});

it('answers 502 with the reason where the target is gone, and keeps that, too', async () => {
  const second = await startProxy('http://127.0.0.1:1');
  const answer = await fetch(`${url}/tsq/v1/wallet-balances`);
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringContaining('nothing listens there'),
  ]);
  const line = await second.waitForLine(({ event }) => event === 'exchange');
  expect(line).toMatchObject({
    http_status: 502,
    operation: 'balances',
    reason: expect.stringContaining('nothing listens there'),
  });
  await second.stop();
  expect(second.child.exitCode).toBe(0);
});

it('masks what the vault of its folder keeps for the target, and cookies, wherever the target repeats them', async () => {
  const [variable, consumerSecret, cookie] = ['Schlüssel "4b7e91d2"', 'cs_5d0a7f3e9b1c', 'c00kie-4b7e91'];
  const echo = { note: variable, echo: consumerSecret, set: cookie };
  const target = createServer((request, response) => {
    response.setHeader('Set-Cookie', `sid=${cookie}; Path=/`);
    request.resume().on('end', () => response.end(JSON.stringify(echo)));
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const baseUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  const { router, close } = openServices(data);
  const variables = { api_secret: variable };
  const { id: environment } = await router.call('environments.save', {
    ...{ name: 'uat', kind: 'sandbox', baseUrl, variables },
  });
  await router.call('credentials.save', { environment, consumerKey: 'ck_proxied', consumerSecret });
  await close();
  const second = await startProxy(baseUrl);
  expect(await (await fetch(`${url}/echo`)).json()).toEqual(echo);
  await second.waitForLine(({ path }) => path === '/echo');
  await second.stop();
  target.close();
  const { stdout } = await runOnce(['proxy', 'export', '--data', data]);
  const { answer } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { answer: { body_base64: string } };
  const kept = Buffer.from(answer.body_base64, 'base64').toString();
  expect(Object.keys(JSON.parse(kept) as object)).toEqual(Object.keys(echo));
  expect(kept).not.toMatch(/4b7e91|5d0a7f/);
});

it('a folder in which no proxy ran has nothing to export', async () => {
  const empty = await runOnce(['proxy', 'export', '--data', directory]);
  expect([empty.exitCode, empty.stdout]).toEqual([2, '']);
  expect(empty.stderr).toContain('(cli.no_data)');
});
