import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import { usualSetup } from '@shared/contract/usual-setup';
import { commandList } from '../../electron/cli/command-list';
import type { Services } from '../../electron/services/create-services';
import { payout } from '../support/bodies';
import { makeAuthority } from '../support/certificates';
import { listCommandRows, places, type Row } from '../support/command-rows';
import { startEchoingService, type EchoingService } from '../support/echoing-service';
import { openServices } from '../support/open-services';
import { startCli, type RunningCommand } from '../support/run-cli';
import { findSentinels, plantSentinels, type Finding } from '../support/secrets';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('secrets-cli');
const at = (...names: string[]): string => join(folder, ...names);
const sentinels = plantSentinels();
const fresh: string[] = [];

/** Plants a secret. Words of an accented letter come back composed and decomposed, and read as Latin-1. */
function plant(name: string, prefix = 's'): string {
  const value = `${prefix}-${randomBytes(16).toString('hex')}`;
  sentinels.add(name, value);
  if (prefix.normalize('NFD') !== prefix) sentinels.add(`${name}, decomposed`, value.normalize('NFD'));
  return value;
}

const token = `tk.${randomBytes(8).toString('hex')}.${randomBytes(24).toString('base64url')}`;
sentinels.add('token of the service', token);
const given = {
  consumerSecret: plant('consumer secret of the vault', 'sécret'),
  variable: plant('variable of the vault', 'Schlüssel'),
  header: plant('typed header'),
  password: plant('typed password'),
  query: plant('typed query'),
  proxyPassword: plant('proxy password', 'né'),
  storePassword: plant('store password'),
  envSecret: plant('consumer secret by environment'),
  envToken: plant('token by environment', 'tk'),
  adminToken: plant('admin token', 'admin'),
  hookHeader: plant('header of a webhook'),
  hookQuery: plant('query of a webhook'),
  misplaced: plant('secret where it does not belong'),
};
const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;
sentinels.add('webhook secret', webhookSecret.slice(6));
const client = makeAuthority('Payments CA').issue('client', { passphrase: sentinels.passphrase });

const request = `# @name Payout
# @operation payout
# @expect status 201
# @expect header X-Echo-0 == x
# @expect body echo[0] == x
# @capture echoed = body echo[1]
POST {{base_url}}/payments/v1/payouts?api_key=${given.query}&page=2
Authorization: Bearer {{token.payout}}
X-Custom-Signature: {{signature}}
X-Api-Key: ${given.header}
X-Sealed: {{%api_secret}}
Content-Type: application/json

${JSON.stringify({ ...payout({ 'transaction.reference': 'R-sweep' }), password: given.password, sealed: '{{api_secret}}' })}
`;

let service: EchoingService;
let rows: Readonly<Record<string, readonly Row[]>>;
const running: RunningCommand[] = [];
const findings: Finding[] = [];

function look(where: string, text: string | Uint8Array, gives: readonly string[] = []): void {
  const found = findSentinels(sentinels, { text, name: where });
  findings.push(...found.filter(({ secret }) => !gives.some((name) => secret.startsWith(name))));
}

type Call = <M extends MethodName>(method: M, input: MethodInput<M>) => Promise<MethodOutput<M>>;

async function withData(run: (call: Call, services: Services) => Promise<void>): Promise<void> {
  const services = openServices(at('data'));
  await run((method, input) => services.router.call(method, input), services);
  await services.close();
}

/** An environment of the hostile service, and one behind a proxy with a certificate of its own. */
async function prepareData(call: Call): Promise<void> {
  const { consumerSecret } = given;
  const common = { kind: 'sandbox', baseUrl: service.baseUrl } as const;
  const uat = await call('environments.save', {
    ...common,
    name: 'uat',
    variables: { api_secret: given.variable },
  });
  await call('credentials.save', { environment: uat.id, consumerKey: 'ck_sweep', consumerSecret });
  const text = sentinels.privateKeyPem;
  const { key } = await call('keys.import', { name: 'Planted', text, environment: uat.id });
  await call('environments.select', { id: uat.id });
  const { id } = await call('environments.save', {
    ...common,
    name: 'proxied',
    baseUrl: 'https://127.0.0.1:1',
  });
  await call('environments.setUp', {
    id,
    setup: {
      ...usualSetup,
      proxyUrl: service.baseUrl,
      proxyUser: 'me',
      clientCertificate: client.certificate,
    },
    secrets: {
      proxyPassword: given.proxyPassword,
      clientKey: client.key,
      clientKeyPassphrase: sentinels.passphrase,
    },
  });
  await call('credentials.save', { environment: id, consumerKey: 'ck_other', consumerSecret });
  writeFileSync(at('public.pem'), key.publicKeyPem);
}

function writeFiles(): void {
  for (const name of ['collection', 'out']) mkdirSync(at(name));
  writeFileSync(at('collection', 'payout.http'), request);
  writeFileSync(at('body.json'), JSON.stringify(payout({ 'transaction.reference': 'R-sweep' })));
  writeFileSync(at('private.pem'), sentinels.privateKeyPem);
  writeFileSync(at('broken.pem'), `${sentinels.privateKeyPem.slice(0, 400)}\nnot a key ${given.misplaced}`);
  writeFileSync(at('misplaced.txt'), given.misplaced);
  writeFileSync(at('refs.csv'), 'reference\nR-sweep\nR-other\n');
  const login = `-u amina:${given.password} -H 'X-Api-Key: ${given.header}' -d '{"password":"${given.password}"}'`;
  writeFileSync(at('curl.txt'), `curl -X POST ${service.baseUrl}/x?api_key=${given.query} ${login}`);
}

async function start(args: string, env: Record<string, string> = {}): Promise<string> {
  const command = startCli([...args.replaceAll('D/', `${folder}/`).split(' '), '--port', '0', '--json'], {
    env,
  });
  running.push(command);
  const { url, base_url: baseUrl } = await command.waitForLine(({ event }) => event === 'ready');
  return String(url ?? baseUrl);
}

/** What others ask is under way while they do, and has been given secrets. */
async function startServers(): Promise<Record<'sandbox' | 'listener' | 'proxy', string>> {
  const [sandbox, listener, proxy] = await Promise.all([
    start('sandbox --log --data D/sandbox --public-key D/public.pem', {
      COUNTERSIGN_CONSUMER_KEY: 'ck_sweep',
      COUNTERSIGN_CONSUMER_SECRET: given.envSecret,
      COUNTERSIGN_ADMIN_TOKEN: given.adminToken,
    }),
    start(`listen --data D/data --forward-to ${service.baseUrl}`, {
      COUNTERSIGN_WEBHOOK_SECRET: webhookSecret,
    }),
    start(`proxy --to ${service.baseUrl} --data D/data --public-key D/public.pem`),
  ]);
  const post = (url: string, secret: string, body: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Api-Key': secret },
      body: JSON.stringify(body),
    });
  const webhook = { client_reference: 'R-sweep', payment_uuid: '1' };
  for (const status of ['SUCCESS', 'FAILED'])
    await post(`${listener}/hooks?api_key=${given.hookQuery}`, given.hookHeader, { ...webhook, status });
  const { consumerSecret, password } = given;
  const body = {
    ...payout({ 'transaction.reference': 'R-other' }),
    password,
    consumer_secret: consumerSecret,
  };
  for (const base of [proxy, sandbox]) {
    for (const path of ['auth/v1/token', 'payments/v1/payouts'])
      await post(`${base}/${path}?api_key=${given.query}`, given.header, body);
  }
  return { sandbox, listener, proxy };
}

beforeAll(async () => {
  service = await startEchoingService(token);
  for (const secret of [given.consumerSecret, given.variable]) service.know(secret);
  await withData(prepareData);
  writeFiles();
  const urls = { service: service.baseUrl, ...(await startServers()) };
  rows = listCommandRows({ folder, urls, given, passphrase: sentinels.passphrase, webhookSecret });
}, 60_000);
afterAll(async () => {
  await Promise.all(running.map((command) => command.stop()));
  service.close();
});

/** Calls a command with and without `--json`; what it refuses, or writes in a form of its own, is alike. */
async function runRow(name: string, row: Row, named: ReadonlyMap<string, string>): Promise<void> {
  for (const more of [[], ['--json']]) {
    const args = row.args.split(' ').map((word) => {
      if (word === 'FRESH') fresh.push(makeTemporaryFolder('fresh'));
      return word === 'FRESH' ? fresh.at(-1)! : (named.get(word) ?? word.replaceAll('D/', `${folder}/`));
    });
    const words = [...name.split(' '), ...args, ...more];
    const where = `countersign ${name} ${row.args} ${more.join('')}`;
    const { env = {}, input = '', gives } = row;
    if (row.goesOn) {
      const command = startCli(words, { env });
      running.push(command);
      await expect.poll(() => command.readOutput(), { timeout: 30_000 }).not.toBe('');
      await command.stop();
      look(where, command.readOutput(), gives);
      continue;
    }
    const { stdout, stderr, exitCode } = await runOnce(words, { env, input, isReport: true });
    look(where, stdout, gives);
    look(`${where}, on stderr`, stderr, gives);
    if ((exitCode !== 0 && exitCode !== 1) || /--(?:format|reporter)\b/.test(row.args)) break;
  }
}

it('has rows for every command', () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(commandList).sort());
  for (const [name, list] of Object.entries(rows)) expect(`${name}: ${list.length}`).not.toBe(`${name}: 0`);
});

/** Two hundred processes: beside other suites of a busy machine they took longer than a test usually may. */
const SWEEP_MS = 600_000;

it(
  'lets no secret out on the terminal, whatever command is called',
  async () => {
    const { json } = await runOnce(['inbox', 'list', '--json', '--data', at('data')]);
    const named = new Map<string, string>([
      [places[1], String(json[0]!['id'])],
      [places[2], String(json[1]!['id'])],
    ]);
    const waiting = Object.entries(rows).flatMap(([name, list]) => list.map((row) => ({ name, row })));
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await runRow(next.name, next.row, named);
    };
    await Promise.all([work(), work(), work()]);
    for (const { child, readErrors } of running) look(child.spawnargs.slice(2, 4).join(' '), readErrors());
    expect(findings.splice(0)).toEqual([]);
  },
  SWEEP_MS,
);

it('lets no secret out in a reply or an event, whatever the service answers', async () => {
  await withData(async (call, services) => {
    const told: { name: string; value: unknown }[] = [];
    services.events.subscribeAll((name, value) => void told.push({ name, value }));
    const environment = 'data/uat';
    const { id: collectionId } = await call('collections.open', { directory: at('collection') });
    const asked: { [M in MethodName]?: MethodInput<M> } = {
      'tokens.fetch': { environment, product: 'collection', isForced: true },
      'balances.fetch': { environment, product: 'payout' },
      'lookups.status': { environment, product: 'payout', by: 'transaction_reference', value: 'R-sweep' },
      'webhooks.sendTest': { environment, callbackUrl: service.baseUrl },
      'running.start': { environment, collectionId, path: '' },
      'receiver.check': { url: service.baseUrl, scenarios: ['success'], secret: webhookSecret },
      'journey.get': { reference: 'R-sweep' },
      'balances.readings': { environment },
    };
    for (const [method, input] of Object.entries(asked)) {
      const reply = await services.router.dispatch(method, input);
      told.push({ name: method, value: reply });
      expect([method, reply.ok]).toEqual([method, true]);
    }
    const readRun = () => call('running.get', {});
    await expect.poll(async () => (await readRun()).run?.state, { timeout: 30_000 }).toBe('over');
    told.push({ name: 'running.get', value: await readRun() });
    for (const { id } of (await call('history.list', { limit: 100 })).exchanges)
      told.push({ name: `history.get ${id}`, value: await call('history.get', { id }) });
    for (const { name, value } of told) look(name, JSON.stringify(value));
  });
  expect(findings.splice(0)).toEqual([]);
});

/** The log of webhooks has them, and the answers to replays, as they came; the sandbox is the service, and keeps what is its own. */
const isKeptOnPurpose = ({ secret, where }: Finding): boolean =>
  basename(where).startsWith('inbox.db') ||
  (where.startsWith(at('sandbox')) && /by environment|admin token/.test(secret)) ||
  (basename(where).startsWith('proxy.db') && secret.startsWith('variable of the vault'));

it('lets no secret out into a file of the data folder, of an export, an import, a report or a backup', () => {
  const folders = [at('data'), at('sandbox'), at('out'), at('imported'), at('imported-sealed'), ...fresh];
  const found = folders.flatMap((directory) => findSentinels(sentinels, { directory }));
  expect(found.filter((one) => !isKeptOnPurpose(one))).toEqual([]);
  // Its inbox has what came, as the folder's own has.
  const inInbox = ['header of', 'query of', 'token of', 'consumer secret of', 'variable of'];
  look('the backup', gunzipSync(readFileSync(at('out', 'backup.tar.gz'))), inInbox);
  expect(findings).toEqual([]);
});

it('did send them to the service, which they are for', () => {
  for (const secret of [given.consumerSecret, given.query, given.header, given.password, token])
    expect(service.readReceived()).toContain(secret);
  expect(service.readReceived()).not.toContain(sentinels.passphrase);
});
