import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { because, isInstalled } from '../support/programs';
import { projectRoot, startCli, type RunningCommand } from '../support/run-cli';
import { runOnce } from './cli-once';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('cli-service');
const at = (...parts: string[]) => join(directory, ...parts);
const starter = (...parts: string[]) => join(projectRoot, 'resources', 'starter', 'Payments API', ...parts);

let sandbox: RunningCommand;
let listener: RunningCommand;
let baseUrl: string;
let listenUrl: string;
let env: Record<string, string>;

const ready = (command: RunningCommand) => command.waitForLine((line) => line['event'] === 'ready');
/** Runs a command against the sandbox, with JSON lines. */
const ask = (...args: string[]) => runOnce([...args, '--base-url', baseUrl, '--json'], { env });
const send = (file: string, ...more: string[]) =>
  ask('send', file, '--key', at('key.pem'), '--callback-url', `${listenUrl}/hooks`, ...more);

/** Keys of another program, not our own. */
beforeEach(({ skip }) => skip(...because('openssl')));
beforeAll(async () => {
  if (!isInstalled('openssl')) return;
  execFileSync(
    'openssl',
    ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', at('key.pem')],
    {
      stdio: 'ignore',
    },
  );
  execFileSync('openssl', ['pkey', '-in', at('key.pem'), '-pubout', '-out', at('public.pem')]);
  sandbox = startCli([
    'sandbox',
    '--port',
    '0',
    '--json',
    '--public-key',
    at('public.pem'),
    '--settle-ms',
    '300',
  ]);
  listener = startCli(['listen', '--port', '0', '--json', '--data', at('inbox')]);
  const line = await ready(sandbox);
  baseUrl = line['base_url'] as string;
  env = {
    COUNTERSIGN_CONSUMER_KEY: line['consumer_key'] as string,
    COUNTERSIGN_CONSUMER_SECRET: line['consumer_secret'] as string,
  };
  listenUrl = (await ready(listener))['url'] as string;
});
afterAll(async () => {
  if (!isInstalled('openssl')) return;
  await Promise.all([sandbox.stop(), listener.stop('SIGINT')]);
});

describe('sandbox and listen', () => {
  it('first print where they are', async () => {
    expect(Object.keys(await ready(sandbox))).toEqual([
      'event', 'base_url', 'consumer_key', 'consumer_secret', 'admin_token',
    ]); // prettier-ignore
    expect(Object.keys(await ready(listener))).toEqual(['event', 'url']);
  });

  it('end with exit code 0 when they are told to', async () => {
    const commands = [
      startCli(['sandbox', '--port', '0', '--json', '--data', at('durable')]),
      startCli(['listen', '--port', '0', '--json', '--data', at('other')]),
    ];
    for (const [index, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
      await ready(commands[index]!);
      await commands[index]!.stop(signal);
      expect(commands[index]!.child.exitCode).toBe(0);
    }
  });
});

describe('token', () => {
  it('prints the token, its product and its end', async () => {
    const { json, exitCode } = await ask('token', '--product', 'payout');
    expect(exitCode).toBe(0);
    expect(Object.keys(json[0] ?? {})).toEqual(['access_token', 'product', 'expires_at']);
    expect(Date.parse(json[0]?.['expires_at'] as string)).toBeGreaterThan(Date.now());
  });

  it('gives exit code 1 where the credentials are refused, and repeats no secret', async () => {
    const secret = 'cs_wrong_secret_value';
    const result = await runOnce(['token', '--product', 'payout', '--base-url', baseUrl], {
      env: { ...env, COUNTERSIGN_CONSUMER_SECRET: secret },
    });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('(tokens.refused)');
    expect(result.stderr).not.toContain(secret);
  });
});

describe('a service that ends its connections without a word', () => {
  /** In front of the sandbox: the second request of a connection gets no answer. */
  async function serveWordless(): Promise<{ url: string; paths: string[]; close(): void }> {
    const paths: string[] = [];
    const used = new WeakSet<object>();
    const server = createServer((request, response) => {
      paths.push(request.url!);
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      void (async () => {
        const { method = 'GET', headers } = request;
        const content = await buffer(request);
        const answer = await fetch(baseUrl + request.url!, {
          method,
          headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
          ...(content.length > 0 && { body: content }),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(Buffer.from(await answer.arrayBuffer()));
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, paths, close: () => server.close().closeAllConnections() };
  }

  it('is asked again for balances and states', async () => {
    const { url, paths, close } = await serveWordless();
    const askIt = (...args: string[]) => runOnce([...args, '--base-url', url, '--json'], { env });
    const balances = await askIt('balances', '--product', 'payout', '--currency', 'KES');
    expect([balances.stderr, balances.json[0]?.['http_status']]).toEqual(['', 200]);
    const status = await askIt('status', '--reference', 'nobody-knows-it');
    expect([status.stderr, status.json[0]?.['http_status']]).toEqual(['', 404]);
    expect(paths.slice(0, 6).map((path) => path.split('?')[0])).toEqual([
      '/auth/v1/token', '/tsq/v1/wallet-balances', '/tsq/v1/wallet-balances',
      '/auth/v1/token', '/tsq/v1/query/payments', '/tsq/v1/query/payments',
    ]); // prettier-ignore
    close();
  });

  it('gets each payment once', async () => {
    const { url, paths, close } = await serveWordless();
    const file = starter('Payouts', 'Salary payout.http');
    const args = ['send', file, '--key', at('key.pem'), '--callback-url', `${listenUrl}/hooks`];
    const sent = await runOnce([...args, '--base-url', url, '--json'], { env });
    expect(sent.stderr).toContain('may have been processed');
    expect(paths).toEqual(['/auth/v1/token', '/payments/v1/payouts']);
    close();
  });
});

describe('send, status, balances, trigger and inbox', () => {
  it('carry a payout from signature to webhook', async () => {
    const kept = ['--data', at('kept')];
    const before = await ask('balances', '--product', 'payout', '--currency', 'KES', ...kept);
    const sent = await send(starter('Payouts', 'Salary payout.http'));
    expect([sent.exitCode, sent.stderr]).toEqual([0, '']);
    expect(Object.keys(sent.json[0] ?? {})).toEqual([
      'http_status', 'outcome', 'reference', 'string_to_sign', 'signature', 'timings', 'body',
    ]); // prettier-ignore
    const { reference, string_to_sign: signed } = sent.json[0] as Record<string, string>;
    expect(sent.json[0]).toMatchObject({ http_status: 201, outcome: 'accepted' });
    expect(signed).toBe(`${reference}1500KEMPESA-B2C`);

    const webhook = await listener.waitForLine(
      (line) =>
        line['event'] === 'webhook' &&
        Buffer.from(line['body_base64'] as string, 'base64').includes(reference ?? '-'),
    );
    expect(Object.keys(webhook)).toEqual(expect.arrayContaining([
      'event', 'id', 'received_at', 'method', 'path', 'headers', 'body_base64', 'size_bytes',
    ])); // prettier-ignore
    expect(webhook).toMatchObject({ method: 'POST', path: '/hooks' });

    const status = await ask('status', '--reference', reference ?? '', '--watch', '--interval-ms', '50');
    expect(status.exitCode).toBe(0);
    expect(status.json.at(-1)).toMatchObject({ http_status: 200, found: true, state: 'succeeded' });
    const after = await ask('balances', '--product', 'payout', '--currency', 'KES', ...kept);
    const available = (result: typeof after) =>
      (result.json[0]?.['results'] as { available_balance: number }[])[0]!.available_balance;
    expect(available(before) - available(after)).toBe(1515);
    expect(after.json[0]?.['below_limit']).toEqual([]);
    const history = await ask('balances', '--history', '--product', 'payout', '--currency', 'kes', ...kept);
    expect(history.json.map(({ available: one }) => Number(one))).toEqual([
      available(before),
      available(after),
    ]);

    const shown = await runOnce(['inbox', 'show', webhook['id'] as string, '--data', at('inbox'), '--json']);
    expect(shown.json[0]).toMatchObject({ id: webhook['id'], body_base64: webhook['body_base64'] });
  });

  it('send the payout at the rate limit of the starter: 429 twice, then accepted, with one reference', async () => {
    const patient = starter('Payouts', 'Payout at the rate limit.http');
    const nobody = ['--callback-url', 'http://127.0.0.1:9/'];
    const results = [];
    for (let count = 0; count < 3; count++)
      results.push(await ask('send', patient, '--key', at('key.pem'), ...nobody));
    const answers = results.map(({ json }) => json[0]);
    expect(answers.map((answer) => answer?.['http_status'])).toEqual([429, 429, 201]);
    expect(new Set(answers.map((answer) => answer?.['reference']))).toEqual(new Set(['PATIENT-PAYOUT-1']));
  });

  it('send a remittance, too', async () => {
    const { json } = await send(starter('Remittances', 'Remittance to M-Pesa.http'));
    expect(json[0]).toMatchObject({ http_status: 201, outcome: 'accepted' });
  });

  it('read a request from standard input, take variables, and name the missing ones', async () => {
    const input =
      'POST {{base_url}}/tsq/v1/query/payments\nAuthorization: Bearer {{token.payout}}\nContent-Type: application/json\n\n{"transaction_reference":"{{ref}}"}';
    const args = ['send', '-', '--base-url', baseUrl, '--json'];
    const missing = await runOnce(args, { env, input });
    expect([missing.exitCode, missing.stderr.includes('{{ref}}')]).toEqual([2, true]);
    const found = await runOnce([...args, '--var', 'ref=none'], { env, input });
    expect(found.json[0]).toMatchObject({ http_status: 404, outcome: 'not_found' });
    expect(found.exitCode).toBe(1);
  });

  it('choose one request of several by name', async () => {
    const file = at('two.http');
    writeFileSync(file, '### a\nGET {{base_url}}/nothing\n\n### b\nGET {{base_url}}/nothing\n');
    expect((await send(file)).stderr).toContain("'a', 'b'");
    expect((await send(file, '--name', 'b')).json).toHaveLength(1);
    writeFileSync(file, 'no request at all\n');
    expect((await send(file)).stderr).toContain('line 1');
  });

  it('refuse a signature of another key with exit code 1', async () => {
    execFileSync('openssl', ['genpkey', '-algorithm', 'RSA', '-out', at('other.pem')], { stdio: 'ignore' });
    const result = await ask(
      'send',
      starter('Payouts', 'Salary payout.http'),
      '--key',
      at('other.pem'),
      '--callback-url',
      listenUrl,
    );
    expect(result.exitCode).toBe(1);
    expect(result.json[0]).toMatchObject({ http_status: 401, outcome: 'unauthorized' });
  });

  it('take the environment of the collection that a file stands in', async () => {
    mkdirSync(at('collection', 'deep'), { recursive: true });
    mkdirSync(at('data'));
    writeFileSync(
      at('collection', 'http-client.env.json'),
      JSON.stringify({ ci: { base_url: baseUrl, ref: 'nobody' } }),
    );
    writeFileSync(
      at('collection', 'deep', 'q.http'),
      'POST {{base_url}}/tsq/v1/query/payments\nAuthorization: Bearer {{token.payout}}\nContent-Type: application/json\n\n{"transaction_reference":"{{ref}}"}',
    );
    const args = ['send', at('collection', 'deep', 'q.http'), '--env', 'ci', '--data', at('data'), '--json'];
    const { json, stderr } = await runOnce(args, { env });
    expect(stderr).toBe('');
    expect(json[0]).toMatchObject({ http_status: 404, reference: 'nobody' });
  });

  it('say not found with exit code 1', async () => {
    const status = await ask('status', '--reference', 'nobody');
    expect([status.exitCode, status.json[0]?.['found']]).toEqual([1, false]);
    const all = await ask('balances', '--currency', 'KES');
    expect(all.json.map(({ product, http_status }) => [product, http_status])).toEqual([
      ['payout', 200],
      ['remittance', 200],
      ['collection', 200],
    ]);
    const balances = await ask('balances', '--product', 'payout', '--currency', 'JPY');
    expect([balances.exitCode, balances.json[0]?.['http_status']]).toEqual([1, 404]);
  });

  it('trigger a test webhook whose number arrives as written, and export it', async () => {
    const { json, exitCode } = await ask(
      'trigger', '--callback-url', `${listenUrl}/test`, '--amount', '1000.50', '--client-reference', 'T-1', '--metadata', '{"a": 1}',
    ); // prettier-ignore
    expect(exitCode).toBe(0);
    expect(Object.keys(json[0] ?? {})).toEqual(['http_status', 'body']);
    const webhook = await listener.waitForLine((line) => line['path'] === '/test');
    const body = Buffer.from(webhook['body_base64'] as string, 'base64').toString();
    expect(body).toContain('1000.50');
    const exported = await runOnce(['inbox', 'export', '--data', at('inbox'), '--json']);
    expect(exported.json.map(({ id }) => id)).toContain(webhook['id']);
    const har = await runOnce(['inbox', 'export', '--format', 'har', '--data', at('inbox')]);
    const { log } = JSON.parse(har.stdout) as {
      log: { entries: { request: { postData: { text: string } } }[] };
    };
    expect(log.entries.map(({ request }) => request.postData.text)).toContain(body);
    const list = await runOnce(['inbox', 'list', '--search', 'T-1', '--data', at('inbox'), '--json']);
    expect(list.json).toMatchObject([{ id: webhook['id'], client_reference: 'T-1' }]);
  });

  it('say in words what an answer of trigger without a body is', async () => {
    const elsewhere = createServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const call = ['trigger', '--callback-url', `${listenUrl}/test`, '--base-url', url];
    const { stdout, exitCode } = await runOnce(call, { env: { COUNTERSIGN_TOKEN: 'token-of-the-run' } });
    await new Promise((done) => elsewhere.close(done));
    expect([stdout.trim(), exitCode]).toEqual(['307 Answered 307: the service points elsewhere', 1]);
  });

  it('have trigger send nothing for an address that no webhook can go to', async () => {
    for (const address of ['javascript:1', 'file:///etc/passwd', 'ftp://x.test/', 'nowhere']) {
      const { stderr, exitCode } = await runOnce([
        'trigger',
        '--callback-url',
        address,
        '--base-url',
        'http://127.0.0.1:9',
      ]);
      expect([exitCode, stderr]).toEqual([
        2,
        'countersign: --callback-url takes an absolute http or https URL. (cli.usage)\n',
      ]);
    }
  });

  it('trigger what a handler has to stand: changed bodies and scenarios', async () => {
    const fire = (path: string, ...more: string[]) =>
      ask('trigger', '--callback-url', `${listenUrl}/${path}`, ...more);
    const received = async (path: string, count: number) => {
      const find = () => listener.lines.filter((line) => line['path'] === `/${path}`);
      await expect.poll(() => find().length, { timeout: 20_000 }).toBe(count);
      return find().map((line) => ({
        id: (line['headers'] as [string, string][]).find(
          ([name]) => name.toLowerCase() === 'webhook-id',
        )?.[1],
        body: Buffer.from(line['body_base64'] as string, 'base64').toString(),
      }));
    };
    writeFileSync(at('hook.json'), '{ "status": "FAILED",\n "metadata": {"order": 1.0} }');
    const file = ['--body', at('hook.json')];
    await fire('file', ...file);
    expect((await received('file', 1))[0]?.body).toBe('{ "status": "FAILED",\n "metadata": {"order": 1.0} }');
    await fire(
      'set',
      ...file,
      '--set',
      'metadata.order=2.50',
      '--set',
      'extra.kind=new',
      '--unset',
      'status',
      '--amount',
      '7.0',
    );
    expect((await received('set', 1))[0]?.body).toBe(
      '{"metadata":{"order":2.50},"amount":7.0,"extra":{"kind":"new"}}',
    );
    await fire('twice', '--scenario', 'duplicate');
    const [first, second] = await received('twice', 2);
    expect(second).toEqual(first);
    await fire('order', '--scenario', 'out-of-order', '--client-reference', 'O-1');
    const states = (await received('order', 2)).map(
      ({ body }) => (JSON.parse(body) as { status: string }).status,
    );
    expect(states).toEqual(['SUCCESS', 'ACCEPTED']);
    const burst = await fire('burst', '--scenario', 'burst:50', '--client-reference', 'B');
    expect([burst.exitCode, burst.json.length]).toEqual([0, 50]);
    expect(new Set((await received('burst', 50)).map(({ id }) => id)).size).toBe(50);
    await fire('late', '--scenario', 'late:600');
    const { admin_token: token } = await ready(sandbox);
    const headers = { Authorization: `Bearer ${String(token)}` };
    expect(listener.lines.filter((line) => line['path'] === '/late')).toEqual([]);
    const body = '{"seconds":600}';
    await fetch(`${baseUrl}/_sandbox/clock/advance`, { method: 'POST', headers, body });
    await received('late', 1);
    const counted = await fetch(`${baseUrl}/_sandbox/requests?reference=O-1&limit=1`, { headers });
    expect(await counted.json()).toMatchObject({
      requests: [{ reference: 'O-1' }],
      counts: { total: 2, by_verdict: { ok: 2 }, by_http_status: { 200: 2 } },
    });
    for (const wrong of [
      ['--set', 'a'],
      ['--scenario', 'never'],
      ['--body', at('key.pem')],
    ]) {
      const refused = await fire('wrong', ...wrong);
      expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});
