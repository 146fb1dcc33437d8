import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  makeCollection,
  makePayout,
  signBody,
  startTestSandbox,
  testPublicPem,
  type SandboxClient,
  type TestAnswer,
} from '../../../test/support/sandbox-client';
import type { Tenancy } from '../open-tenancy';
import { openTenants, type TenantCredentials } from './open-tenants';

interface Member {
  readonly name: string;
  readonly made: Record<'consumer_key' | 'consumer_secret' | 'admin_token', string>;
  readonly token: string;
}

const folder = mkdtempSync(join(tmpdir(), 'tenants-'));
let client: SandboxClient;
let alice: Member;
let bob: Member;
const received: string[] = [];
const receiver = createServer((message, response) => {
  received.push(message.url ?? '');
  message.resume().on('end', () => response.writeHead(204).end());
});

const asAdmin = (token: string, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  client.request(method, `/_sandbox/${path}`, body, { authorization: `Bearer ${token}` });

async function fetchToken({ made }: Pick<Member, 'made'>, product = 'payout'): Promise<string> {
  const { consumer_key, consumer_secret } = made;
  const answer = await client.request('POST', '/auth/v1/token', { consumer_key, consumer_secret, product });
  expect(answer.status).toBe(200);
  return answer.body.access_token;
}

async function enroll(name: string, more: object = {}): Promise<Member> {
  const answer = await client.admin('POST', 'tenants', { name, public_keys: [testPublicPem], ...more });
  expect(answer.status).toBe(200);
  return { name, made: answer.body, token: await fetchToken({ made: answer.body }) };
}

const pay = (member: Pick<Member, 'token'>, body: object) => {
  const text = JSON.stringify(body);
  const headers = { authorization: `Bearer ${member.token}`, 'x-custom-signature': signBody(text) };
  return client.request('POST', '/payments/v1/payouts', text, headers);
};
const query = (member: Pick<Member, 'token'>, by: object) =>
  client.request('POST', '/tsq/v1/query/payments', by, { authorization: `Bearer ${member.token}` });
async function available(member: Pick<Member, 'token'>): Promise<number> {
  const answer = await client.request('GET', '/tsq/v1/wallet-balances?currency=KES', undefined, {
    authorization: `Bearer ${member.token}`,
  });
  return answer.body.results[0].available_balance;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  client = await startTestSandbox({ dataDirectory: folder, settings: { settleMs: 0, retries: 'none' } });
  alice = await enroll('alice');
  bob = await enroll('bob');
});
afterAll(async () => {
  await client.sandbox.close();
  receiver.close();
  rmSync(folder, { recursive: true });
});

test('one reference is one payment in each tenant, and takes the money of that one alone', async () => {
  const body = makePayout({ amount: 100 });
  const mine = await pay(alice, body);
  expect(mine.status).toBe(201);
  expect((await pay(alice, body)).body.description).toBe('duplicate ignored');
  const theirs = await pay(bob, makePayout({ reference: body.transaction.reference, amount: 7 }));
  expect(theirs.status).toBe(201);
  expect(theirs.body.data.payment_uuid).not.toBe(mine.body.data.payment_uuid);
  expect(await available(alice)).toBe(1_000_000 - 101);
  expect(await available(bob)).toBe(1_000_000 - 7.07);
  expect((await client.balance('payout', 'KES')).available).toBe(1_000_000);
});

test('a payment is found by nobody else, by none of its identifiers', async () => {
  const body = makePayout({ amount: 5 });
  const accepted = await pay(alice, body);
  const identifiers = [
    { transaction_reference: body.transaction.reference },
    { payment_uuid: accepted.body.data.payment_uuid },
    { request_uuid: accepted.headers.get('x-request-id') },
  ];
  for (const by of identifiers) {
    expect((await query(alice, by)).status).toBe(200);
    expect((await query(bob, by)).status).toBe(404);
    expect((await client.status('payout', by)).status).toBe(404);
  }
});

test('the admin token of a tenant reads and changes its own things alone', async () => {
  const body = makePayout({ amount: 3 }, {}, { meta: { order: 'of-alice' } });
  const accepted = await pay(alice, body);
  const [id, uuid] = [accepted.headers.get('x-request-id')!, accepted.body.data.payment_uuid as string];
  const [hers, his] = [alice.made.admin_token, bob.made.admin_token];
  expect((await asAdmin(hers, 'GET', `requests/${id}`)).status).toBe(200);
  for (const path of [`requests/${id}`, `requests/${id}/explain`]) {
    expect((await asAdmin(his, 'GET', path)).body.error).toBe('sandbox.request_unknown');
  }
  expect((await asAdmin(his, 'POST', `payments/${uuid}/state`, { state: 'failed' })).body.error).toBe(
    'sandbox.payment_unknown',
  );
  const own = await asAdmin(hers, 'GET', 'state');
  expect(JSON.stringify(own.body)).toContain(uuid);
  for (const path of ['state', 'requests', 'deliveries', 'snapshot']) {
    const seen = JSON.stringify((await asAdmin(his, 'GET', path)).body);
    expect(seen).not.toContain(body.transaction.reference);
    expect(seen).not.toContain(uuid);
  }
  const before = await available(alice);
  await asAdmin(his, 'POST', 'wallets/payout/KES', { empty: true });
  await asAdmin(his, 'POST', 'clock/advance', { seconds: 60 });
  await asAdmin(his, 'PUT', 'faults', { error_rate: 1 });
  expect(await available(alice)).toBe(before);
  await asAdmin(his, 'POST', 'reset');
  expect(await available(bob)).toBe(1_000_000);
  expect((await query(alice, { payment_uuid: uuid })).status).toBe(200);
});

test('what is for the operator is refused to a tenant', async () => {
  const calls: [string, string, unknown?][] = [
    ['GET', 'tenants'],
    ['POST', 'tenants', { name: 'mallory' }],
    ['DELETE', 'tenants/alice'],
    ['POST', 'snapshot', { file: '/etc/passwd' }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await asAdmin(bob.made.admin_token, method, path, body);
    expect([answer.status, answer.body.error]).toEqual([403, 'sandbox.operator_only']);
  }
  const widened = await asAdmin(bob.made.admin_token, 'PUT', 'settings', {
    allowed_callback_hosts: ['10.0.0.1'],
  });
  expect(widened.body.error).toBe('sandbox.operator_only');
  expect((await asAdmin(bob.made.consumer_secret, 'GET', 'state')).status).toBe(401);
});

test('a token that says it is of another tenant is refused, and credentials do not mix', async () => {
  const [head, payload, signature] = alice.token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: bob.made.consumer_key })).toString('base64url');
  const before = await available(bob);
  expect((await pay({ token: `${head}.${forged}.${signature}` }, makePayout())).status).toBe(401);
  expect((await query({ token: `${head}.${forged}.${signature}` }, { payment_uuid: '1' })).status).toBe(401);
  expect(await available(bob)).toBe(before);
  const mixed = { consumer_key: alice.made.consumer_key, consumer_secret: bob.made.consumer_secret };
  const answer = await client.request('POST', '/auth/v1/token', { ...mixed, product: 'payout' });
  expect(answer.status).toBe(401);
});

test('keys are of one tenant: what another has registered does not verify', async () => {
  const carol = await enroll('carol', { public_keys: [] });
  const refused = await pay(carol, makePayout());
  expect([refused.status, refused.body.code]).toEqual([401, '400.200']);
  const own = await asAdmin(carol.made.admin_token, 'GET', 'requests');
  expect(own.body.requests.map(({ verdict }: { verdict: string }) => verdict)).toContain('signature');
  expect(JSON.stringify((await client.admin('GET', 'requests')).body)).not.toContain('"signature"');
});

test('webhooks and checkout pages are those of the tenant', async () => {
  const { port } = receiver.address() as AddressInfo;
  await pay(alice, makePayout({}, {}, { callback_url: `http://127.0.0.1:${port}/of-alice` }));
  await expect.poll(() => received).toContain('/of-alice');
  const hers = await asAdmin(alice.made.admin_token, 'GET', 'deliveries');
  const redeliver = `deliveries/${hers.body.deliveries[0].id}/redeliver`;
  expect((await asAdmin(bob.made.admin_token, 'POST', redeliver)).status).toBe(404);
  const token = await fetchToken(alice, 'collection');
  const made = await client.request('POST', '/payments/v1/collections', makeCollection(), {
    authorization: `Bearer ${token}`,
  });
  const page = await client.request('GET', new URL(made.body.data.checkout_url).pathname);
  const proxied = await client.request('POST', '/payments/v1/collections', makeCollection(), {
    authorization: `Bearer ${token}`,
    'x-forwarded-proto': 'https',
  });
  expect(proxied.body.data.checkout_url).toBe(
    `${client.sandbox.baseUrl.replace('http:', 'https:')}/checkout/${/[^/]+$/.exec(proxied.body.data.checkout_url as string)![0]}`,
  );
  expect(page.body).toContain('A &lt;b&gt;book&lt;/b&gt;');
});

test('secrets are told once; a list, a state and the store of the sandbox hold none of a tenant', async () => {
  const list = await client.admin('GET', 'tenants');
  expect(list.body.tenants.map(({ name }: { name: string }) => name)).toEqual(['alice', 'bob', 'carol']);
  const seen = [
    list,
    await client.admin('GET', 'state'),
    await asAdmin(alice.made.admin_token, 'GET', 'state'),
  ];
  const stored = ['sandbox.db', 'sandbox.db-wal'].map((name) => readFileSync(join(folder, name), 'latin1'));
  for (const secret of [alice.made.consumer_secret, alice.made.admin_token]) {
    expect(JSON.stringify(seen.map(({ body }) => body as unknown)) + stored.join('')).not.toContain(secret);
  }
});

test('a removed tenant is gone with its token and its folder; its name begins anew', async () => {
  const dave = await enroll('dave');
  const body = makePayout({ amount: 50 });
  await pay(dave, body);
  const asked = Promise.all(Array.from({ length: 20 }, () => pay(dave, makePayout({ amount: 1 }))));
  expect((await client.admin('DELETE', 'tenants/dave')).status).toBe(200);
  // Each was answered: taken before it was removed, or by nobody after.
  for (const { status } of await asked) expect([201, 401]).toContain(status);
  expect((await query(dave, { transaction_reference: body.transaction.reference })).status).toBe(401);
  expect((await asAdmin(dave.made.admin_token, 'GET', 'state')).status).toBe(401);
  expect(readdirSync(join(folder, 'tenants'))).not.toContain('tenant-dave');
  const again = await enroll('dave');
  expect(again.made.consumer_key).not.toBe(dave.made.consumer_key);
  expect((await query(again, { transaction_reference: body.transaction.reference })).status).toBe(404);
  expect((await client.admin('DELETE', 'tenants/nobody')).status).toBe(404);
});

test('names, counts and times are bounded; a CI run that ended badly is forgotten in its time', async () => {
  for (const name of ['', '../up', 'Alice', 'a'.repeat(41), '-a', 'a b', 7]) {
    expect((await client.admin('POST', 'tenants', { name })).body.error).toBe('sandbox.bad_request');
  }
  expect((await client.admin('POST', 'tenants', { name: 'alice' })).status).toBe(409);
  expect((await client.admin('POST', 'tenants', { name: 'x', unknown: 1 })).status).toBe(400);
  await enroll('ci-1', { ttl_seconds: 1 });
  const names = (): string[] => client.sandbox.tenants.list().map(({ name }) => name);
  expect(names()).toContain('ci-1');
  await expect.poll(names, { timeout: 10_000 }).not.toContain('ci-1');
  await expect.poll(() => existsSync(join(folder, 'tenants', 'tenant-ci-1'))).toBe(false);
});

test('what a full disk refuses leaves nothing behind: no tenant that nobody has the secrets of, none that cannot be removed', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tenants-full-'));
  const listFolders = (): string[] => readdirSync(join(dataDirectory, 'tenants'));
  let isFull = () => false;
  const meta = {
    tenants: null,
    saveTenants() {
      if (isFull()) throw new Error('no space');
    },
  };
  const commit = { write: (work: () => void) => work(), flush: () => undefined };
  const tenants = openTenants({ meta, context: { commit } } as unknown as Tenancy, { dataDirectory });
  tenants.start('http://127.0.0.1:1');
  const wish = { name: 'ci', ttlSeconds: null, callbackHosts: [], publicKeys: [] };
  const { consumerKey } = await tenants.create(wish);
  isFull = () => true;
  await expect(tenants.create({ ...wish, name: 'late' })).rejects.toThrow('no space');
  expect(listFolders()).toEqual(['tenant-ci']);
  await expect(tenants.remove('ci')).rejects.toThrow('no space');
  expect(tenants.findByConsumerKey(consumerKey)).toBeNull();
  expect(tenants.list()).toMatchObject([{ name: 'ci', trouble: expect.stringContaining('Remove it again') }]);
  // There is room as soon as what it had is gone.
  isFull = () => listFolders().length > 0;
  await tenants.remove('ci');
  expect(tenants.list()).toEqual([]);
  await tenants.close();
  rmSync(dataDirectory, { recursive: true });
});

test('over a restart tenants keep what they have, and what was under way goes on', async () => {
  const before = await available(alice);
  await client.sandbox.close();
  client = await startTestSandbox({ dataDirectory: folder, settings: { settleMs: 0, retries: 'none' } });
  expect(await available(alice)).toBe(before);
  const made: TenantCredentials = await client.sandbox.tenants.create({
    name: 'late',
    ttlSeconds: null,
    callbackHosts: ['hooks.example.com'],
    publicKeys: [],
  });
  expect(made.tenant.callbackHosts).toEqual(['hooks.example.com']);
  expect((await asAdmin(made.adminToken, 'GET', 'settings')).body.allowed_callback_hosts).toEqual([
    'hooks.example.com',
  ]);
});

test('a store that cannot be opened shuts out its tenant alone, until it is mended or removed', async () => {
  const broken = await enroll('broken');
  const store = join(folder, 'tenants', 'tenant-broken', 'sandbox.db');
  await client.sandbox.close();
  renameSync(store, `${store}.away`);
  mkdirSync(store);
  const told: string[] = [];
  const options = { dataDirectory: folder, onTrouble: (message: string) => void told.push(message) };
  client = await startTestSandbox(options);
  expect(told).toEqual([expect.stringMatching(/^The tenant 'broken' is shut out, the others are served: /)]);
  await available(alice);
  const mine = await asAdmin(broken.made.admin_token, 'GET', 'state');
  expect([mine.status, mine.body.error]).toEqual([503, 'sandbox.tenant_shut']);
  const { consumer_key, consumer_secret } = broken.made;
  const asked = { consumer_key, consumer_secret, product: 'payout' };
  expect((await client.request('POST', '/auth/v1/token', asked)).status).toBe(401);
  const listed = (await client.admin('GET', 'tenants')).body.tenants as {
    name: string;
    trouble: string | null;
  }[];
  expect(listed.filter(({ trouble }) => trouble !== null).map(({ name }) => name)).toEqual(['broken']);
  expect((await client.admin('POST', 'tenants', { name: 'broken' })).status).toBe(409);
  await enroll('another');
  await client.sandbox.close();
  rmSync(store, { recursive: true });
  renameSync(`${store}.away`, store);
  client = await startTestSandbox({ ...options, onTrouble: undefined });
  expect((await asAdmin(broken.made.admin_token, 'GET', 'state')).status).toBe(200);
  // As a removal leaves it that was cut off before the list was saved.
  await client.sandbox.close();
  rmSync(store);
  client = await startTestSandbox(options);
  expect(told.at(-1)).toContain('Remove the tenant.');
  expect((await asAdmin(broken.made.admin_token, 'GET', 'state')).status).toBe(503);
  expect((await client.admin('DELETE', 'tenants/broken')).status).toBe(200);
});

test('removes nothing of what stands in the place of a folder that went', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tenants-gone-'));
  const { sandbox } = await startTestSandbox({ dataDirectory: data });
  await sandbox.tenants.create({ name: 'ci', ttlSeconds: null, callbackHosts: [], publicKeys: [] });
  const other = join(data, 'tenants', 'tenant-ci');
  renameSync(data, `${data}-away`);
  mkdirSync(other, { recursive: true });
  await expect(sandbox.tenants.remove('ci')).rejects.toThrow('was moved, removed or unmounted');
  expect(existsSync(other)).toBe(true);
  rmSync(data, { recursive: true });
  renameSync(`${data}-away`, data);
  await sandbox.tenants.remove('ci');
  expect(existsSync(other)).toBe(false);
  await sandbox.close();
  rmSync(data, { recursive: true });
});

test('a sandbox that the network reaches calls nothing on its own loopback, and sends for nobody without a token', async () => {
  const shared = await startTestSandbox({ isExposed: true, settings: { settleMs: 0, retries: 'none' } });
  const { port } = receiver.address() as AddressInfo;
  const callbackUrl = `http://127.0.0.1:${port}/inside`;
  const body = { callback_url: callbackUrl, status: 'SUCCESS' };
  const sample = (headers: Record<string, string>) =>
    shared.request('POST', '/developer-tools/webhooks/send-test', body, headers);
  expect((await sample({})).status).toBe(401);
  expect((await sample({ authorization: `Bearer ${await shared.token('payout')}` })).status).toBe(403);
  await shared.initiate('payout', makePayout({}, {}, { callback_url: callbackUrl }));
  await expect
    .poll(() => shared.sandbox.listDeliveries(1)[0]?.attempts[0]?.error)
    .toMatch(/127\.0\.0\.1 is not allowed.*--allow-callback-host/);
  expect(received).not.toContain('/inside');
  await shared.sandbox.close();
});
