import { execFile, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type newmanModule from 'newman';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { because } from '../support/programs';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

/** The starter collection, exported, run by the tools that it is exported for, against the sandbox that checks signatures. */
const starter = resolve('resources/starter/Payments API');
const initiations = [
  'Remittance to M-Pesa',
  'Remittance to bank',
  'Corporate remittance',
  'Salary payout',
  'Payout that fails',
  'Payout at the rate limit',
  'Checkout',
];
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
let folder: string;
let sandbox: RunningCommand;
let values: Record<string, string>;
let adminToken: string;

beforeAll(async () => {
  folder = makeTemporaryFolder('export');
  const publicKey = join(folder, 'public.pem');
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  sandbox = startCli(['sandbox', '--port', '0', '--public-key', publicKey, '--json']);
  const ready = await sandbox.waitForLine(({ event }) => event === 'ready');
  adminToken = String(ready['admin_token']);
  values = {
    base_url: String(ready['base_url']),
    consumer_key: String(ready['consumer_key']),
    consumer_secret: String(ready['consumer_secret']),
    callback_url: 'http://127.0.0.1:9/hooks',
    private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
});
afterAll(() => sandbox.stop());
/** The starter's fixed reference, whose first tries are refused, must be new to each tool. */
async function reset(): Promise<void> {
  const headers = { Authorization: `Bearer ${adminToken}` };
  const answer = await fetch(`${values['base_url']}/_sandbox/reset`, { method: 'POST', headers });
  expect(answer.status).toBe(200);
}

/** Gives the last answer to each request, by its name. */
function judge(answers: readonly (readonly [name: string, status: number])[]): void {
  const last = new Map(answers);
  for (const name of initiations) expect([200, 201], name).toContain(last.get(name));
  expect(last.get('Status by reference')).toBe(200);
  expect(last.get('Status of a payout')).toBe(200);
  expect(last.get('Send test webhook')).toBe(200);
  expect(last.size).toBe(12);
}

/** Answers everything with a cookie and another address, and tells which cookies came. */
async function startRedirecting(): Promise<{ cookies: string[]; url: string; close: () => void }> {
  const cookies: string[] = [];
  const server = createServer((request, answer) => {
    cookies.push(request.headers.cookie ?? '');
    answer.writeHead(302, { Location: '/elsewhere', 'Set-Cookie': 'sid=1; Path=/' }).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { cookies, url, close: () => void server.close() };
}

describe('export --format postman', () => {
  function runNewman(text: string, privateKey: string): Promise<newmanModule.NewmanRunSummary> {
    const newman = createRequire(import.meta.url)('newman') as typeof newmanModule;
    const given = { ...values, private_key: privateKey };
    return new Promise((done, fail) => {
      newman.run(
        {
          collection: JSON.parse(text) as object,
          envVar: Object.entries(given).map(([key, value]) => ({ key, value })),
          reporters: [],
        },
        (error, summary) => (error ? fail(error) : done(summary)),
      );
    });
  }
  const statusesOf = ({ run }: newmanModule.NewmanRunSummary) =>
    run.executions.map(({ item, response }) => [item.name, response?.code ?? 0] as const);

  it.each(['pkcs8', 'pkcs1'] as const)(
    'runs in Newman, signed by a %s key: every payment is accepted',
    async (type) => {
      await reset();
      const { stdout, exitCode } = await runOnce(['export', starter, '--format', 'postman']);
      expect(exitCode).toBe(0);
      const summary = await runNewman(stdout, pair.privateKey.export({ type, format: 'pem' }).toString());
      expect(summary.run.failures.map(({ error }) => error.message)).toEqual([]);
      judge(statusesOf(summary));
    },
  );

  it('follows nothing in Newman, and keeps no cookie of an answer', async () => {
    const { cookies, url, close } = await startRedirecting();
    const given = join(folder, 'redirected.http');
    writeFileSync(given, `GET ${url}\nCookie: theme=dark\n\n###\nGET ${url}\n`);
    const { stdout } = await runOnce(['export', given, '--format', 'postman']);
    const collection = stdout.replace('{{cookie}}', 'theme=dark');
    expect(statusesOf(await runNewman(collection, ''))).toHaveLength(2);
    expect(cookies).toEqual(['theme=dark', '']);
    close();
  });

  it('is refused with another key, and says what is missing without one', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const { stdout } = await runOnce([
      'export',
      join(starter, 'Payouts/Salary payout.http'),
      '--format',
      'postman',
    ]);
    const refused = await runNewman(stdout, other.export({ type: 'pkcs8', format: 'pem' }).toString());
    expect(new Set(statusesOf(refused).map(([, status]) => status))).toEqual(new Set([401]));
    const { run } = await runNewman(stdout, '');
    expect(run.failures[0]!.error.message).toContain('set the variable private_key');
    const secret = values['consumer_secret']!;
    values['consumer_secret'] = 'wrong';
    const stranger = await runNewman(stdout, values['private_key']!);
    values['consumer_secret'] = secret;
    expect(stranger.run.failures[0]!.error.message).toContain('The service answered 401. Check base_url');
  });
});

describe('export --format httpyac', () => {
  interface Report {
    requests: { name: string; response?: { statusCode: number } }[];
  }

  async function runHttpyac(cwd: string, ...more: string[]): Promise<(readonly [string, number])[]> {
    const entry = resolve('node_modules/httpyac/bin/httpyac.js');
    const child = spawn(process.execPath, [entry, 'send', '**/*.http', '--all', '--json', ...more], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((done) => child.once('close', done));
    const { requests } = JSON.parse(Buffer.concat(chunks).toString()) as Report;
    return requests.map(({ name, response }) => [name, response?.statusCode ?? 0] as const);
  }

  it('runs in httpYac, signed, with its environment and without: every payment is accepted', async () => {
    const out = join(folder, 'httpyac');
    const { exitCode, json } = await runOnce([
      'export',
      starter,
      '--format',
      'httpyac',
      '--out',
      out,
      '--json',
    ]);
    expect(exitCode).toBe(0);
    expect(json[0]).toMatchObject({ requests: 12 });
    // httpYac takes files in any order, and the requests of one file in theirs.
    const read = (path: string) => readFileSync(join(out, path), 'utf8');
    const lookups = [
      'Remittances/Remittance to bank',
      'Lookups/Status by reference',
      'Payouts/Salary payout',
      'Lookups/Status of a payout',
    ];
    writeFileSync(join(out, 'Journey.http'), lookups.map((path) => read(`${path}.http`)).join('\n###\n'));
    rmSync(join(out, 'Lookups/Status by reference.http'));
    rmSync(join(out, 'Lookups/Status of a payout.http'));
    writeFileSync(join(out, 'http-client.private.env.json'), JSON.stringify({ local: values }));
    for (const environment of [[], ['--env', 'local']]) {
      await reset();
      judge(await runHttpyac(out, ...environment));
    }
  });

  it('sends in httpYac a header Cookie with its request alone, all of it, goes on where it is empty, and follows nothing', async () => {
    const { cookies, url, close } = await startRedirecting();
    const [given, out] = [join(folder, 'cookies.http'), join(folder, 'cookies')];
    const requests = ['Cookie: {{none}}', 'Cookie: theme=dark; lang=en', 'A: b'];
    writeFileSync(given, requests.map((line) => `GET ${url}\n${line}\n`).join('\n###\n'));
    await runOnce(['export', given, '--format', 'httpyac', '--out', out]);
    const cookie = { local: { none: '', cookie: 'theme=dark; lang=en' } };
    writeFileSync(join(out, 'http-client.private.env.json'), JSON.stringify(cookie));
    expect(await runHttpyac(out)).toHaveLength(3);
    expect(cookies).toEqual(['', 'theme=dark; lang=en', '']);
    close();
  });
});

describe('export --format curl', () => {
  it('gives lines that bash runs as they are: every payment is accepted', async ({ skip }) => {
    skip(...because('bash', 'curl', 'openssl'));
    await reset();
    const { stdout } = await runOnce(['export', starter, '--format', 'curl']);
    const tokens: Record<string, string> = {};
    for (const product of ['payout', 'remittance', 'collection']) {
      const { consumer_key, consumer_secret } = values;
      const answer = await fetch(`${values['base_url']}/auth/v1/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ consumer_key, consumer_secret, product }),
      });
      tokens[`token_${product}`] = ((await answer.json()) as { access_token: string }).access_token;
    }
    const lines = stdout.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(12);
    const statuses = lines.map((line) => {
      // The one at the rate limit is accepted at its third try.
      for (let attempt = 1; ; attempt++) {
        const status = execFileSync(
          'bash',
          ['-c', line.replace('curl', "curl -s -o /dev/null -w '%{http_code}'")],
          {
            env: { ...process.env, ...values, ...tokens },
            encoding: 'utf8',
          },
        );
        if (status !== '429' || attempt === 3) return status;
      }
    });
    expect(statuses.filter((status) => status !== '200' && status !== '201')).toEqual([]);
  });

  it('encodes values for an address as the app does: its own, and those of the shell', async ({ skip }) => {
    skip(...because('bash', 'curl'));
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = makeTemporaryFolder('export-encoded');
    const value = 'a&b c/é%+😀~!()*\\$x';
    writeFileSync(join(own, 'a.http'), "GET {{base_url}}/{{%v}}?a={{%v}}&b='{{%w}}\n");
    writeFileSync(
      join(own, 'http-client.env.json'),
      JSON.stringify({ local: { base_url, v: value, w: '' } }),
    );
    const { stdout } = await runOnce(['export', own, '--format', 'curl', '--env', 'local']);
    for (const w of ["ü '", '']) {
      await promisify(execFile)('bash', ['-c', stdout], { env: { ...process.env, w } });
    }
    await runOnce(['send', join(own, 'a.http'), '--env', 'local', '--var', "w=ü '"]);
    server.close();
    expect(seen).toHaveLength(3);
    expect(seen[0]).toBe(seen[2]);
    expect(seen[1]).toBe(seen[0]?.replace('%C3%BC%20%27', ''));
  });
});

describe('export', () => {
  const exportStarter = (...args: string[]) => runOnce(['export', starter, ...args]);

  it.each([
    ['--format NAME is missing', []],
    ['--format is one of', ['--format', 'pdf']],
    ['--out DIR is missing', ['--format', 'httpyac']],
    ['is one argument too many', ['--format', 'har', 'more']],
    ["no environment 'none'", ['--format', 'har', '--env', 'none']],
  ])('says “%s”, in one line', async (message, args) => {
    const { exitCode, stderr, stdout } = await exportStarter(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('says that there is no folder, and that there is nothing in it', async () => {
    const empty = makeTemporaryFolder('export-empty');
    const runs = await Promise.all(
      [join(empty, 'none'), empty].map((place) => runOnce(['export', place, '--format', 'curl'])),
    );
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
    expect(runs[0]!.stderr).toContain('There is no folder');
    expect(runs[1]!.stderr).toContain('no request here to export');
  });

  it('replaces no file but an empty one, unless it is told to', async () => {
    const out = join(folder, 'kept.json');
    writeFileSync(out, 'mine');
    const refused = await exportStarter('--format', 'postman', '--out', out);
    expect([refused.exitCode, readFileSync(out, 'utf8')]).toEqual([2, 'mine']);
    expect((await exportStarter('--format', 'postman', '--out', out, '--force')).exitCode).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('"schema"');
    writeFileSync(out, '');
    const { json } = await exportStarter('--format', 'openapi', '--out', out, '--json');
    expect(json[0]).toEqual({
      format: 'openapi',
      requests: 12,
      files: [out],
      notes: expect.any(Array) as unknown,
    });
    await exportStarter('--format', 'curl', '--out', folder);
    expect(statSync(join(folder, 'Payments API.sh')).mode & 0o111).not.toBe(0);
    expect((await exportStarter('--format', 'httpyac', '--out', folder)).exitCode).toBe(2);
  });

  it('says how much of a folder is written where the rest cannot be', async () => {
    const out = makeTemporaryFolder('export-part');
    // The thirteenth of them is to be where this is.
    mkdirSync(join(out, '.httpyac.js'));
    const { exitCode, stderr } = await exportStarter('--format', 'httpyac', '--out', out, '--force');
    expect(exitCode).toBe(2);
    const said =
      'Name a file in it. 12 of 15 files are written there, and the rest is not: export again with --force.';
    expect(stderr).toContain(said);
  });

  it('says that a folder is begun where not one file of it could be written', async () => {
    const out = makeTemporaryFolder('export-none');
    mkdirSync(join(out, 'Remittances', 'Remittance to M-Pesa.http'), { recursive: true });
    const { exitCode, stderr } = await exportStarter('--format', 'httpyac', '--out', out, '--force');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      '0 of 15 files are written there, and the rest is not: export again with --force.',
    );
  });

  it('takes values of an environment of the collection, and none that is secret', async () => {
    const collection = makeTemporaryFolder('export-environment');
    writeFileSync(join(collection, 'a.http'), 'GET {{base_url}}/a?b={{b}}\nX-Key: {{api_key}}\n');
    const environment = { base_url: 'https://staging.example', b: '1.50', api_key: 'k-1234567890' };
    writeFileSync(join(collection, 'http-client.env.json'), JSON.stringify({ staging: environment }));
    const { stdout } = await runOnce(['export', collection, '--format', 'postman', '--env', 'staging']);
    expect(stdout).toContain('https://staging.example');
    expect(stdout).toContain('1.50');
    expect(stdout).not.toContain('k-1234567890');
  });
});

it('says why the environments of a collection are not in its export: two versions stand in their file', async () => {
  const collection = makeTemporaryFolder('export-conflict');
  writeFileSync(join(collection, 'A.http'), 'GET {{base_url}}/a\n');
  const versions = ['<<<<<<< HEAD', '"a": "1"', '=======', '"a": "2"', '>>>>>>> ann'];
  writeFileSync(join(collection, 'http-client.env.json'), ['{ "dev": {', ...versions, '} }'].join('\n'));
  const why =
    'http-client.env.json cannot be read as JSON (line 2: two versions, as a merge leaves them: keep one)';
  const named = await runOnce(['export', collection, '--format', 'postman', '--env', 'dev']);
  expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining(why)]);
  const plain = await runOnce(['export', collection, '--format', 'postman']);
  expect([plain.exitCode, plain.stderr]).toEqual([0, expect.stringContaining(`left out: ${why}`)]);
});
