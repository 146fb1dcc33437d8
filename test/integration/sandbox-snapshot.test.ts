import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { signText } from '../../electron/platform/crypto/rsa-signatures';
import { payout, referenceOf } from '../support/bodies';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('snapshot');
const file = join(folder, 'state.json');
const publicFile = join(folder, 'public.pem');
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(publicFile, pair.publicKey.export({ type: 'spki', format: 'pem' }));
const running: RunningCommand[] = [];
afterAll(() => Promise.all(running.map((command) => command.stop())));

interface Sandbox {
  command: RunningCommand;
  url: string;
  adminToken: string;
  read(): Promise<{
    wallets: Record<string, unknown>[];
    payments: Record<string, unknown>[];
    clock_offset_ms: number;
  }>;
  pay(): Promise<{ reference: string; httpStatus: number }>;
  admin(method: string, path: string, body?: object): Promise<unknown>;
}

async function start(...args: string[]): Promise<Sandbox> {
  const command = startCli(['sandbox', '--port', '0', '--json', '--settle-ms', '3600000', ...args]);
  running.push(command);
  const ready = await command.waitForLine(({ event }) => event === 'ready');
  const url = String(ready['base_url']);
  const adminToken = String(ready['admin_token']);
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const admin = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(`${url}/_sandbox/${path}`, { method, headers, ...init })).json();
  };
  return {
    command,
    url,
    adminToken,
    admin,
    read: async () => (await admin('GET', 'state')) as Awaited<ReturnType<Sandbox['read']>>,
    async pay() {
      const credentials = { consumer_key: ready['consumer_key'], consumer_secret: ready['consumer_secret'] };
      const token = await post('/auth/v1/token', { ...credentials, product: 'payout' });
      const { access_token: bearer } = (await token.json()) as { access_token: string };
      const body = payout({ callback_url: 'http://127.0.0.1:9/none' });
      const reference = referenceOf(body);
      const answer = await post('/payments/v1/payouts', body, {
        Authorization: `Bearer ${bearer}`,
        'X-Custom-Signature': signText(`${reference}1000KEMPESA`, pair.privateKey),
      });
      return { reference, httpStatus: answer.status };
    },
  };
}

const snapshot = (...args: string[]) => runOnce(['sandbox', 'snapshot', ...args, '--json']);
const held = (state: { wallets: Record<string, unknown>[] }) =>
  state.wallets.find(({ product, currency }) => product === 'payout' && currency === 'KES')?.['held_balance'];

it('saves a sandbox while it runs and loads it into a folder that was not there, and into one that runs', async () => {
  const data = join(folder, 'first');
  const first = await start('--data', data, '--public-key', publicFile);
  const { reference, httpStatus } = await first.pay();
  expect(httpStatus).toBe(201);
  await first.admin('POST', 'wallets/payout/UGX', { status: 'SUSPENDED' });
  await first.admin('POST', 'clock/advance', { seconds: 100 });
  const saved = await snapshot('save', file, '--data', data);
  expect([saved.exitCode, saved.json[0]]).toEqual([
    0,
    { event: 'saved', file, payments: 1, wallets: 7, webhooks: 0 },
  ]);
  expect(readFileSync(file, 'utf8')).not.toMatch(/secret|token/);
  expect(await runOnce(['sandbox', 'snapshot', 'save', file, '--data', data])).toMatchObject({
    exitCode: 0,
    stdout: `Saved 1 payment: ${file}\n`,
  });
  expect(await snapshot('save', publicFile, '--data', data)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cli.file_exists'),
  });
  expect(readFileSync(publicFile, 'utf8')).toContain('PUBLIC KEY');

  const other = join(folder, 'second');
  expect((await snapshot('load', file, '--data', other)).exitCode).toBe(0);
  const second = await start('--data', other);
  const state = await second.read();
  expect(state.payments).toMatchObject([{ transaction_reference: reference, state: 'processing' }]);
  expect([held(state), state.clock_offset_ms]).toEqual(['1010.00', 100_000]);
  expect((await second.pay()).httpStatus).toBe(201);

  const inMemory = await start();
  const loaded = await snapshot(
    'load',
    file,
    '--base-url',
    inMemory.url,
    '--admin-token',
    inMemory.adminToken,
  );
  expect([loaded.exitCode, loaded.stderr]).toEqual([0, '']);
  expect((await inMemory.pay()).httpStatus).toBe(201);
  expect(held(await inMemory.read())).toBe('2020.00');
  await inMemory.admin('POST', 'clock/advance', { seconds: 3600 });
  await expect.poll(async () => held(await inMemory.read())).toBe('0.00');
});

it('leaves the keys that are registered where it is loaded beside its own, up to as many as fit', async () => {
  const sandbox = await start();
  const makePem = (): string => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return publicKey.export({ type: 'spki', format: 'pem' }).toString();
  };
  const own = Array.from({ length: 19 }, makePem);
  await sandbox.admin('PUT', 'public-keys', { pems: own });
  const given = ['load', file, '--base-url', sandbox.url, '--admin-token', sandbox.adminToken];
  expect((await snapshot(...given)).exitCode).toBe(0);
  // Signed with the snapshot's key, by whom its folder never knew.
  expect((await sandbox.pay()).httpStatus).toBe(201);
  const keys = (await sandbox.admin('GET', 'public-keys')) as { public_keys: unknown[] };
  expect(keys.public_keys).toHaveLength(20);
  await sandbox.admin('PUT', 'public-keys', { pems: [...own, makePem()] });
  const full = await snapshot(...given);
  expect([full.exitCode, full.stderr]).toEqual([2, expect.stringContaining('nothing was changed')]);
  expect(full.stderr).toContain('take away some of these first');
  expect((await sandbox.pay()).httpStatus).toBe(401);
});

it('takes nothing that is none, newer, damaged or does not add up, and changes nothing', async () => {
  const data = join(folder, 'third');
  const sandbox = await start('--data', data, '--public-key', publicFile);
  await sandbox.pay();
  const before = await sandbox.read();
  const good = readFileSync(file, 'utf8');
  const broken: Record<string, string> = {
    'none.json': '{"a":1}',
    'text.json': 'PK\u0003\u0004',
    'cut.json': good.slice(0, 500),
    'newer.json': good.replace('"version":1', '"version":2'),
    'money.json': good.replace('"held_minor":101000', '"held_minor":0'),
    'negative.json': good.replace('"held_minor":101000', '"held_minor":-1'),
    'twice.json': good.replace(
      /("checkouts":\[)\]/,
      '$1{"id":"a","payment_uuid":1},{"id":"a","payment_uuid":2}]',
    ),
    'column.json': good.replace('"reference":', '"reference; DROP TABLE payments":'),
    'deep.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  };
  for (const [name, text] of Object.entries(broken)) writeFileSync(join(folder, name), text);
  symlinkSync('/dev/zero', join(folder, 'device.json'));
  for (const name of [...Object.keys(broken), 'device.json', 'missing.json']) {
    const given = [
      'load',
      join(folder, name),
      '--base-url',
      sandbox.url,
      '--admin-token',
      sandbox.adminToken,
    ];
    const refused = await snapshot(...given);
    expect([name, refused.exitCode, refused.stdout], refused.stderr).toEqual([name, 2, '']);
    expect(refused.stderr).toMatch(/^\{"event":"error",[^\n]*[Nn]othing was changed[^\n]*\}\n$/);
  }
  const taken = await snapshot('load', file, '--data', data);
  expect(taken.exitCode).toBe(2);
  expect(taken.stderr).toContain(sandbox.url);
  expect(await sandbox.read()).toMatchObject({ payments: before.payments, wallets: before.wallets });
  await sandbox.command.stop();
  const twice = await snapshot('load', join(folder, 'twice.json'), '--data', data);
  expect([twice.exitCode, twice.stdout]).toEqual([2, '']);
  expect((await (await start('--data', data)).read()).payments).toMatchObject(before.payments);
});

it('goes on from the time of what it loads, where the clock there was ahead', async () => {
  const ahead = join(folder, 'ahead.json');
  const hourMs = 3_600_000;
  const saved = JSON.parse(readFileSync(file, 'utf8')) as { tables: { payments: Record<string, unknown>[] } };
  for (const payment of saved.tables.payments) {
    const detail = JSON.parse(String(payment['detail'])) as unknown[];
    detail.push(Number(detail.pop()) + hourMs);
    Object.assign(payment, { detail: JSON.stringify(detail), due_at: Number(detail.at(-1)) + 1000 });
  }
  writeFileSync(ahead, JSON.stringify(saved));
  const sandbox = await start();
  const given = ['load', ahead, '--base-url', sandbox.url, '--admin-token', sandbox.adminToken];
  expect((await snapshot(...given)).exitCode).toBe(0);
  await expect
    .poll(async () => (await sandbox.read()).payments, { timeout: 10_000 })
    .toMatchObject([{ state: 'succeeded' }]);
  expect((await sandbox.read()).clock_offset_ms).toBeGreaterThan(hourMs - 60_000);
});
