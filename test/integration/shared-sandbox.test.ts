import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:https';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOrMakeCertificate } from '../../electron/listener/self-signed';
import { signText } from '../../electron/platform/crypto/rsa-signatures';
import { payout, referenceOf } from '../support/bodies';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('shared-sandbox');
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { cert, key } = readOrMakeCertificate(null, null);
const at = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

interface Ready {
  base_url: string;
  status_url: string;
  admin_token: string;
  tenants: Record<'name' | 'consumer_key' | 'consumer_secret' | 'admin_token', string>[];
}
let sandbox: RunningCommand;
let ready: Ready;

/** Over TLS, with the certificate checked. */
function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const outgoing = request(`${ready.base_url}${path}`, {
      method,
      ca: cert,
      agent: false,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    });
    outgoing.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, body: JSON.parse(text) as Record<string, unknown> }),
      );
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
async function fetchToken(tenant: Ready['tenants'][number]): Promise<string> {
  const { consumer_key, consumer_secret } = tenant;
  const answer = await send('POST', '/auth/v1/token', { consumer_key, consumer_secret, product: 'payout' });
  return String(answer.body['access_token']);
}
const pay = (token: string) => {
  const body = payout({ callback_url: 'https://hooks.example/none' });
  const signature = signText(`${referenceOf(body)}1000KEMPESA`, pair.privateKey);
  return send('POST', '/payments/v1/payouts', body, { ...bearer(token), 'X-Custom-Signature': signature });
};

beforeAll(async () => {
  sandbox = startCli(
    [
      ...['sandbox', '--json', '--port', '0', '--status-port', '0', '--filter', 'tag == alice'],
      ...['--tenant', 'alice', '--tenant', 'bob'],
      ...['--tls-cert', at('cert.pem', cert), '--tls-key', at('key.pem', key)],
    ],
    { env: { COUNTERSIGN_ADMIN_TOKEN: 'an-admin-token-of-this-test' } },
  );
  ready = (await sandbox.waitForLine(({ event }) => event === 'ready')) as unknown as Ready;
});
afterAll(() => sandbox.stop());

it('tells each tenant once, serves TLS, logs what fits, and answers what is under way when it is stopped', async () => {
  expect(ready.base_url).toMatch(/^https:/);
  const [alice, bob] = ready.tenants as [Ready['tenants'][0], Ready['tenants'][0]];
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect((await send('PUT', '/_sandbox/public-keys', { pem }, bearer(alice.admin_token))).status).toBe(200);
  const [hers, his] = await Promise.all([fetchToken(alice), fetchToken(bob)]);
  expect([(await pay(hers)).status, (await pay(his)).status]).toEqual([201, 401]);
  const line = await sandbox.waitForLine(({ operation }) => operation === 'payout');
  expect(line).toMatchObject({ event: 'request', tenant: 'alice', http_status: 201 });
  expect((await fetch(`${ready.status_url}/ready`)).status).toBe(200);
  const figures = await (await fetch(`${ready.status_url}/metrics`)).text();
  expect(figures).toContain('requests_total{operation="payout",verdict="signature",status_class="4xx"} 1');

  await send('PUT', '/_sandbox/faults', { latency_ms: 700 }, bearer(alice.admin_token));
  const underWay = Promise.all([pay(hers), pay(hers), pay(hers)]);
  await expect
    .poll(async () => (await fetch(`${ready.status_url}/metrics`)).text())
    .toContain('requests_total{operation="payout",verdict="accepted",status_class="2xx"} 4');
  const stopped = sandbox.stop('SIGTERM');
  for (const { status } of await underWay) expect(status).toBe(201);
  await expect(send('GET', '/_sandbox/openapi.json')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket/);
  await stopped;
  expect(sandbox.child.exitCode).toBe(0);
  const operations = sandbox.lines.filter(({ event }) => event === 'request').map(({ tenant }) => tenant);
  expect(new Set(operations)).toEqual(new Set(['alice']));
});

it('opens to the network only behind a token and TLS, or the explicit word: one line, exit 2', async () => {
  const env = { COUNTERSIGN_ADMIN_TOKEN: '' };
  const bare = await runOnce(['sandbox', '--host', '0.0.0.0', '--port', '0'], { env });
  expect([bare.exitCode, bare.stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(bare.stderr).toMatch(/give --tls-cert and --tls-key, or --allow-plain-http/);
  const open = await runOnce(['sandbox', '--host', '0.0.0.0', '--port', '0', '--allow-plain-http'], { env });
  expect([open.exitCode, open.stderr]).toEqual([2, expect.stringMatching(/COUNTERSIGN_ADMIN_TOKEN/)]);
  const listen = await runOnce(['listen', '--host', '0.0.0.0', '--port', '0', '--data', folder]);
  expect([listen.exitCode, listen.stderr]).toEqual([2, expect.stringMatching(/--allow-plain-http/)]);
});
