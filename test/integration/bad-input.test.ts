import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { because, isInstalled } from '../support/programs';
import { openCliHost, type ContractClient } from '../support/contract-clients';
import { createStage, localEnvironment, remittanceInput, type Stage } from '../support/contract-stage';
import { startCli } from '../support/run-cli';
import { runOnce, type CliResult } from './cli-once';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('bad-input');
const at = (name: string): string => join(directory, name);
const openssl = (...args: string[]): void =>
  void execFileSync('openssl', args, { stdio: 'ignore', cwd: directory });
const hugeSizeBytes = 50 * 1024 * 1024;

const goodBody = `{"transaction":{"reference":"R-1","amount":1000,"service_code":"MPESA-KE"},"originator":{"country":"KE"}}`;
const bodies: Record<string, string> = {
  'good.json': goodBody,
  'empty.json': '',
  'cut.json': goodBody.slice(0, -9),
  'words.json': 'Dear sir or madam',
  'comma.json': '{\n  "transaction": {\n    "reference": "R-1",\n  }\n}',
  'no-reference.json': goodBody.replace('"reference":"R-1",', ''),
  'no-country.json': goodBody.replace('"country":"KE"', ''),
  'null-amount.json': goodBody.replace('1000', 'null'),
  'list-amount.json': goodBody.replace('1000', '[1000]'),
  'true-code.json': goodBody.replace('"MPESA-KE"', 'true'),
  'text-transaction.json': '{"transaction":"all of it","originator":{"country":"KE"}}',
};

/** One clear line that ends with its code, nothing on stdout, nothing of our insides. */
function expectRefusal(result: CliResult, exitCode: number, code: string, says: RegExp): void {
  expect(result.stderr).toMatch(/^countersign: [^\n]+ \([a-z]+\.[a-z_0-9]+\)\n$/);
  expect(result.stderr).toContain(`(${code})`);
  expect(result.stderr).toMatch(says);
  expect(result.stderr).not.toMatch(/\n\s+at |node:internal|Error:|\[object/);
  expect(result.stdout).toBe('');
  expect(result.exitCode).toBe(exitCode);
}

function listenOn(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

let selfSigned: ReturnType<typeof createTlsServer>;
let selfSignedPort: number;
let taken: Server;
let takenPort: number;
let client: ContractClient;
let stage: Stage;

/** Keys of another program, not our own. */
beforeEach(({ skip }) => skip(...because('openssl')));
beforeAll(async () => {
  if (!isInstalled('openssl')) return;
  for (const [name, text] of Object.entries(bodies)) writeFileSync(at(name), text);
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', 'key.pem');
  openssl('pkey', '-in', 'key.pem', '-pubout', '-out', 'public.pem');
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024', '-out', 'short.pem');
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'ec.pem');
  openssl('req', '-x509', '-key', 'key.pem', '-subj', '/CN=127.0.0.1', '-days', '2', '-out', 'cert.pem');
  writeFileSync(at('words.pem'), 'my key is in the other folder\n');
  writeFileSync(at('damaged.pem'), readFileSync(at('key.pem'), 'utf8').replace(/\n.{30}/, '\n!!!'));
  writeFileSync(at('empty.pem'), '');
  writeFileSync(at('request.http'), 'GET {{base_url}}/x\n');
  writeFileSync(at('huge.json'), goodBody.replace('R-1', 'R'.repeat(hugeSizeBytes)));
  selfSigned = createTlsServer({ key: readFileSync(at('key.pem')), cert: readFileSync(at('cert.pem')) });
  selfSignedPort = await listenOn(selfSigned);
  taken = createServer();
  takenPort = await listenOn(taken);
  client = await openCliHost();
  stage = createStage(client, directory);
});
afterAll(async () => {
  if (!isInstalled('openssl')) return;
  selfSigned.close();
  taken.close();
  await client.stop();
  client.removeData();
});

/** The error reply of a call that must be refused. */
async function refuse(
  method: string,
  input: unknown,
): Promise<{ code: string; message: string; details: unknown }> {
  const reply = await client.call(method, input);
  if (reply.ok) throw new Error(`${method} was answered: ${JSON.stringify(reply.value).slice(0, 200)}`);
  expect(reply.error.message).not.toMatch(/\n\s+at |node:internal|Error:|\[object/);
  return reply.error;
}

describe('a body that cannot be signed', () => {
  it.each([
    ['empty.json', 'signing.not_json', /JSON/],
    ['cut.json', 'signing.not_json', /line 1/],
    ['words.json', 'signing.not_json', /line 1/],
    ['comma.json', 'signing.not_json', /line 3/],
    ['no-reference.json', 'signing.field_missing', /transaction\.reference/],
    ['no-country.json', 'signing.field_missing', /originator\.country/],
    ['null-amount.json', 'signing.field_wrong_type', /transaction\.amount/],
    ['list-amount.json', 'signing.field_wrong_type', /transaction\.amount/],
    ['true-code.json', 'signing.field_wrong_type', /transaction\.service_code/],
    ['text-transaction.json', 'signing.field_missing', /transaction/],
  ])('%s: %s, on the command line and through the contract', async (file, code, says) => {
    expectRefusal(await runOnce(['sign', '--key', at('key.pem'), '--body', at(file)]), 2, code, says);
    const error = await refuse('signing.sign', { environment: localEnvironment, body: bodies[file] });
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(says);
    const sent = await remittanceInput(stage, { reference: 'R-1' });
    expect(await refuse('sending.send', { ...sent, body: bodies[file] })).toMatchObject({ code });
  });
});

describe('a key that cannot sign', () => {
  it.each([
    ['words.pem', 'keys.unreadable', /PEM|key/i],
    ['damaged.pem', 'keys.unreadable', /key/i],
    ['empty.pem', 'keys.unreadable', /empty|key/i],
    ['public.pem', 'keys.public_given', /public key/i],
    ['cert.pem', 'keys.public_given', /certificate|public/i],
    ['short.pem', 'keys.too_short', /2048/],
    ['ec.pem', 'keys.not_rsa', /RSA/],
  ])('%s: %s', async (file, code, says) => {
    const args = ['sign', '--key', at(file), '--body', at('good.json')];
    expectRefusal(await runOnce(args), 2, code, says);
    const text = readFileSync(at(file), 'utf8');
    const error = await refuse('keys.import', { name: 'Bad', text });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(says);
  });

  it('a file that is not there', async () => {
    const args = ['sign', '--key', at('none.pem'), '--body', at('good.json')];
    expectRefusal(await runOnce(args), 2, 'cli.unreadable_file', /--key: .*none\.pem: there is no such file/);
  });
});

describe('a port in use', () => {
  it.each([
    [['app', '--no-open'], 'web.port_in_use'],
    [['sandbox'], 'sandbox.port_in_use'],
    [['listen'], 'listener.port_in_use'],
  ])('%j: %s', async (args, code) => {
    const result = await runOnce([...args, '--port', String(takenPort), '--data', at('port')]);
    expectRefusal(result, 2, code, new RegExp(`${takenPort}.*(another|a free)`, 'i'));
  });

  it('is told by the contract, too, and in the status', async () => {
    expect(await refuse('sandbox.start', { port: takenPort })).toMatchObject({ code: 'sandbox.port_in_use' });
    const status = await stage.call('sandbox.status', {});
    expect(status).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(String(takenPort)) as string,
    });
    expect(await stage.call('sandbox.start', { port: 0 })).toMatchObject({ state: 'running', message: null });
  });
});

describe('a service that cannot be reached', () => {
  const env = { COUNTERSIGN_TOKEN: 'a.b.c' };
  const places = (): [string, string, RegExp][] => [
    ['http://127.0.0.1:1', 'sending.unreachable', /127\.0\.0\.1 on port 1/],
    ['http://nowhere.invalid', 'sending.dns', /nowhere\.invalid/],
    [`https://127.0.0.1:${selfSignedPort}`, 'sending.tls', /certificate/i],
  ];

  it('is exit code 3 with the reason: refused, no such name, a certificate of its own making', async () => {
    for (const [baseUrl, code, says] of places()) {
      const args = ['balances', '--product', 'payout', '--base-url', baseUrl];
      expectRefusal(await runOnce(args, { env }), 3, code, says);
    }
  });

  it('stands in the exchange, which is kept', async () => {
    for (const [baseUrl, code, says] of places()) {
      const { id } = await stage.call('sending.send', {
        environment: localEnvironment,
        operation: 'other',
        title: 'Nowhere',
        method: 'GET',
        url: `${baseUrl}/x`,
        headers: [],
        body: null,
      });
      const { error, response } = await stage.call('history.get', { id });
      expect(response).toBeNull();
      expect(error).toMatchObject({ code });
      expect(error?.message).toMatch(says);
    }
  });
});

describe('a body of 50 MB', () => {
  it('is refused before it is signed or sent', async () => {
    const sign = ['sign', '--key', at('key.pem'), '--body', at('huge.json')];
    expectRefusal(await runOnce(sign), 2, 'cli.file_too_large', /--body: .*8 MiB/);
    const send = ['send', at('huge.json'), '--base-url', 'http://127.0.0.1:1'];
    expectRefusal(await runOnce(send), 2, 'cli.file_too_large', /FILE: .*16 MiB/);
    expect(
      await refuse('signing.sign', {
        environment: localEnvironment,
        body: readFileSync(at('huge.json'), 'utf8'),
      }),
    ).toMatchObject({ code: 'app.bad_input', message: expect.stringContaining("'body'") as string });
  });

  it('is refused by the sandbox with its 400 error object', async () => {
    const { environment } = await stage.call('app.status', {});
    const { response } = await stage.call('sending.send', {
      environment: localEnvironment,
      operation: 'other',
      title: 'Huge',
      method: 'POST',
      url: `${environment.baseUrl}/payments/v1/remittance`,
      headers: [['Content-Type', 'application/json']],
      body: readFileSync(at('huge.json'), 'utf8'),
    });
    expect(response?.httpStatus).toBe(400);
    expect(JSON.parse(response!.body)).toMatchObject({ error: 'body_too_large' });
  });

  it('as a webhook is kept whole', async () => {
    const { url } = await stage.call('listener.status', {});
    const body = readFileSync(at('huge.json'));
    expect(await post(`${url}/hooks`, body)).toBe(200);
    const [newest] = (await stage.call('inbox.list', {})).webhooks;
    expect(newest).toMatchObject({ sizeBytes: body.length, status: null });
    expect(await stage.call('inbox.get', { id: newest!.id })).toMatchObject({ isBodyCut: true });
  });

  it('and more than the listener takes is answered 413; the listener goes on', async () => {
    const { url } = await stage.call('listener.status', {});
    expect(await post(`${url}/hooks`, Buffer.alloc(65 * 1024 * 1024, 'x'))).toBe(413);
    expect(await post(`${url}/hooks`, Buffer.from('{"status":"SUCCESS"}'))).toBe(200);
    expect((await stage.call('inbox.list', {})).webhooks[0]?.sizeBytes).toBe(20);
  });
});

/** Posts over a connection of its own. @returns the status, also where the server stops reading early */
function post(url: string, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-length': body.length }, agent: false },
      (answer) => {
        status = answer.statusCode;
        answer.resume().on('close', () => resolve(status));
      },
    );
    // A server that has answered may end the connection while the rest is still on its way.
    sent.on('error', (error) => (status === undefined ? reject(error) : resolve(status)));
    sent.end(body);
  });
}

describe('a data directory that cannot be written to', () => {
  // A path below a file, and a file system that takes nothing: also refused to root, whom permissions do not stop.
  const places = [join(directory, 'good.json', 'data'), '/proc/countersign'];

  it.each([
    ['app', '--no-open', '--port', '0'],
    ['sandbox', '--port', '0'],
    ['listen', '--port', '0'],
    ['proxy', '--to', 'http://127.0.0.1:1', '--port', '0'],
  ])('%s says which and what to do', async (...args) => {
    for (const place of places) {
      const result = await runOnce([...args, '--data', place]);
      expectRefusal(result, 2, 'platform.unwritable', /--data/);
      expect(result.stderr).toContain(place);
    }
  });
});

it('none of it ends the app: every service still runs', async () => {
  const app = startCli(['app', '--no-open', '--json', '--port', '0', '--data', at('last')]);
  await app.waitForLine((line) => line['event'] === 'ready');
  await app.stop();
  expect(app.readOutput()).not.toMatch(/\n\s+at |Error:/);
  const status = await stage.call('app.status', {});
  expect([status.sandbox.state, status.listener.state, status.vault.state]).toEqual([
    'running',
    'running',
    'unlocked',
  ]);
});

describe('what was named and is no file', () => {
  const circle = at('circle');
  beforeAll(() => {
    symlinkSync('circle', circle);
    symlinkSync('/dev/zero', at('endless.json'));
    execFileSync('mkfifo', [at('pipe.json')]);
    mkdirSync(at('turning'));
    symlinkSync('collection.json', at('turning/collection.json'));
    writeFileSync(at('turning/a.http'), 'POST {{base_url}}/x\n\n< b.bin\n');
  });
  const base = ['--base-url', 'http://127.0.0.1:9'];
  it.each<[name: string, args: string[], code: string]>([
    ['a collection to run', ['run', circle, ...base], 'running.bad_file'],
    ['a table', ['run', at('request.http'), ...base, '--data', circle], 'running.bad_data'],
    ['a run to go on with', ['run', at('request.http'), '--resume', circle, ...base], 'running.bad_resume'],
    [
      'a folder to go on with',
      ['run', at('request.http'), '--resume', directory, ...base],
      'running.bad_resume',
    ],
    [
      'what has no end',
      ['run', at('request.http'), '--resume', at('endless.json'), ...base],
      'running.bad_resume',
    ],
    [
      'what has no beginning',
      ['run', at('request.http'), '--resume', at('pipe.json'), ...base],
      'running.bad_resume',
    ],
    ['a collection to export', ['export', circle, '--format', 'curl'], 'cli.usage'],
    ['an import', ['import', 'auto', circle, '--into', at('imported')], 'import.not_readable'],
    ['a backup', ['data', 'restore', circle, '--data', at('restored')], 'data.unreadable_file'],
  ])('%s is refused in one line', async (_name, args, code) => {
    const { exitCode, stderr } = await runOnce(args, { cwd: directory });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`(${code})`)]);
  });

  it.each(['run', 'send'])('%s looks for no collection behind a link in a circle', async (command) => {
    const file = command === 'run' ? at('turning') : at('turning/a.http');
    const { stderr, stdout } = await runOnce([command, file, ...base], { cwd: directory });
    expect(stderr + stdout).toContain('b.bin');
    expect(stderr + stdout).not.toContain('app.internal');
  });
});
