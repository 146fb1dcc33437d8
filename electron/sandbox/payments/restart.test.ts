import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../create-sandbox';
import { makeCollection, makePayout, startTestSandbox } from '../../../test/support/sandbox-client';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const directory = makeTemporaryFolder('sandbox');
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a restart keeps payments, money, keys, tokens and time, and takes up what was under way', async () => {
  const options = { dataDirectory: directory, settings: { settleMs: 60_000 } };
  const first = await startTestSandbox(options);
  const { consumerKey, consumerSecret } = first.sandbox;
  const token = await first.token('payout');
  const body = makePayout();
  const accepted = await first.initiate('payout', body);
  const collection = await first.initiate('collection', makeCollection());
  first.sandbox.advanceClock(30);
  const before = first.sandbox.readState(10);
  await first.sandbox.close();

  const second = await startTestSandbox({ ...options, publicKeys: [] });
  const after = second.sandbox.readState(10);
  expect([second.sandbox.consumerKey, second.sandbox.consumerSecret]).toEqual([consumerKey, consumerSecret]);
  expect(after.wallets).toEqual(before.wallets);
  expect(after.payments).toEqual(before.payments);
  expect(after.publicKeys).toEqual(before.publicKeys);
  expect(after.now).toBeGreaterThanOrEqual(before.now);
  expect((await second.initiate('payout', body, { authorization: `Bearer ${token}` })).status).toBe(200);
  const fresh = await second.initiate('payout', makePayout());
  expect(Number(fresh.body.data.payment_uuid)).toBeGreaterThan(Number(accepted.body.data.payment_uuid));

  second.sandbox.advanceClock(31);
  const found = await second.status('payout', { payment_uuid: accepted.body.data.payment_uuid });
  expect(found.body.data.state).toBe('succeeded');
  const { pathname } = new URL(collection.body.data.checkout_url);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await second.request('POST', pathname, 'outcome=pay', form)).status).toBe(303);
  await second.sandbox.close();
});

test('a webhook that was not delivered goes out after the restart, with the same id', async () => {
  const ids: unknown[] = [];
  let status = 503;
  const receiver = createServer((message, response) => {
    ids.push(message.headers['webhook-id']);
    message.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const options = { dataDirectory: directory, settings: { settleMs: 0, retries: 'standard' as const } };
  const first = await startTestSandbox(options);
  await first.initiate('payout', makePayout({}, {}, { callback_url: `http://127.0.0.1:${port}/` }));
  await expect.poll(() => ids.length).toBe(1);
  await first.sandbox.close();
  status = 200;
  const second = await startTestSandbox(options);
  second.sandbox.advanceClock(5);
  await expect.poll(() => second.sandbox.listDeliveries(1)[0]?.state).toBe('delivered');
  expect(new Set(ids).size).toBe(1);
  await second.sandbox.close();
  receiver.close();
});

test('given credentials are used and never written to the store', async () => {
  const given = {
    consumerKey: 'SENTINEL-KEY',
    consumerSecret: 'SENTINEL-SECRET',
    adminToken: 'SENTINEL-ADMIN',
  };
  const client = await startTestSandbox({ dataDirectory: directory, ...given });
  await client.initiate('payout', makePayout());
  const token = await client.token('payout');
  await client.sandbox.close();
  const names = ['sandbox.db', 'sandbox.db-wal'].map((name) => join(directory, name)).filter(existsSync);
  for (const name of names) {
    const bytes = readFileSync(name, 'latin1');
    for (const secret of [...Object.values(given), token]) expect(bytes).not.toContain(secret);
  }
});

test('the same seed gives the same identifiers; a port in use is said', async () => {
  const ids = async () => {
    const client = await startTestSandbox({ seed: 42 });
    const { data } = (await client.initiate('payout', makePayout({ reference: 'seeded' }))).body;
    await client.sandbox.close();
    return [data.payment_uuid, data.payment_reference];
  };
  expect(await ids()).toEqual(await ids());

  const taken = await createSandbox({ port: 0 });
  const port = Number(new URL(taken.baseUrl).port);
  await expect(createSandbox({ port })).rejects.toMatchObject({ code: 'sandbox.port_in_use' });
  await taken.close();
});

test('payments settle and requests pass also after the clock of the machine was set back, running or not', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const options = { dataDirectory: directory, settings: { settleMs: 300, rateLimit: 2 } };
    const first = await startTestSandbox(options);
    expect((await first.initiate('payout', makePayout())).status).toBe(201);
    const day = 86_400_000;
    vi.setSystemTime(Date.now() - day);
    await vi.waitFor(() => {
      vi.setSystemTime(Date.now() + 100);
      expect(first.sandbox.readState(1).payments[0]?.state).toBe('succeeded');
    }, 4000);
    vi.setSystemTime(Date.now() + 1000);
    const accepted = await first.initiate('payout', makePayout());
    expect(accepted.status).toBe(201);
    const before = first.sandbox.readState(1);
    expect(before.clockOffsetMs).toBeGreaterThan(day - 2000);
    vi.setSystemTime(Date.now() + 5000);
    await first.sandbox.close();

    const again = await startTestSandbox({ ...options, publicKeys: [] });
    expect(again.sandbox.readState(1).clockOffsetMs).toBe(before.clockOffsetMs);
    await again.sandbox.close();

    vi.setSystemTime(Date.now() - 2 * day);
    const second = await startTestSandbox({ ...options, publicKeys: [] });
    expect(second.sandbox.readState(1).now).toBeGreaterThanOrEqual(before.payments[0]!.timeReceived);
    await vi.waitFor(() => {
      vi.setSystemTime(Date.now() + 100);
      expect(second.sandbox.readState(1).payments[0]?.state).toBe('succeeded');
    }, 4000);
    await second.sandbox.close();
  } finally {
    vi.useRealTimers();
  }
});
