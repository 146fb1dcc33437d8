import { spawn, type ChildProcess } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { payout } from '../support/bodies';
import { accessOf, fetchToken } from '../support/token';
import { casesOf } from '../support/effort';
import { endWithTests, readReadyLine } from '../support/run-cli';

interface Ready {
  base_url: string;
  consumer_key: string;
  consumer_secret: string;
  admin_token: string;
}

interface AdminState {
  wallets: Record<'product' | 'currency' | 'actual_balance' | 'available_balance' | 'held_balance', string>[];
  payments: Record<'transaction_reference' | 'state' | 'amount' | 'charges' | 'payment_uuid', string>[];
}

const CRASHES = casesOf(2, 4);
const PAYMENTS_A_ROUND = 300;
const CLIENTS = 64;
const START_MINOR = 100_000_000;

const directory = makeTemporaryFolder('crash');
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pemFile = join(directory, 'public.pem');
const webhooks = new Map<string, Set<string>>();
let receiver: Server;
let callbackUrl = '';

beforeAll(async () => {
  const publicKey = createPublicKey(keys.privateKey);
  writeFileSync(pemFile, publicKey.export({ type: 'spki', format: 'pem' }));
  receiver = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        client_reference: string;
        status: string;
      };
      const seen = webhooks.get(body.client_reference) ?? new Set<string>();
      webhooks.set(body.client_reference, seen.add(body.status));
      response.writeHead(204).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
});
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});

async function start(data = 'data'): Promise<{ child: ChildProcess; ready: Ready }> {
  const flags = ['--json', '--port', '0', '--data', join(directory, data), '--public-key', pemFile];
  const child = endWithTests(
    spawn(
      process.execPath,
      [resolve('out/cli/index.js'), 'sandbox', ...flags, '--settle-ms', '40', '--retries', 'fast'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  );
  return { child, ready: await readReadyLine<Ready>(child.stdout!) };
}

async function sendPayout(ready: Ready, token: string, reference: string): Promise<number> {
  const body = JSON.stringify(
    payout({ 'transaction.reference': reference, 'transaction.amount': 100, callback_url: callbackUrl }),
  );
  const signature = sign('sha256', Buffer.from(`${reference}100KEMPESA`), keys.privateKey).toString('base64');
  const response = await fetch(`${ready.base_url}/payments/v1/payouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-custom-signature': signature,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function readState(ready: Ready): Promise<AdminState> {
  const headers = { authorization: `Bearer ${ready.admin_token}` };
  const response = await fetch(`${ready.base_url}/_sandbox/state?limit=1000`, { headers });
  return (await response.json()) as AdminState;
}

async function readPaymentState(ready: Ready, token: string, reference: string): Promise<string | null> {
  const response = await fetch(`${ready.base_url}/tsq/v1/query/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transaction_reference: reference }),
  });
  const { data } = (await response.json()) as { data: { state?: string } };
  return data.state ?? null;
}

const minor = (text: string): number => Number(text.replace('.', ''));

/** Held + available is what is actual; what was taken is what left. */
function checkMoney(state: AdminState, succeeded: number): void {
  const wallet = state.wallets.find(({ product, currency }) => product === 'payout' && currency === 'KES')!;
  const [actual, available, held] = [
    wallet.actual_balance,
    wallet.available_balance,
    wallet.held_balance,
  ].map(minor);
  expect(available).toBeGreaterThanOrEqual(0);
  expect(available! + held!).toBe(actual);
  expect(START_MINOR - actual!).toBe(succeeded * 10_100);
}

test('kill -9 in a burst, again and again: nothing that was answered is lost or paid twice', async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < CRASHES; round++) {
    const { child, ready } = await start();
    const token = await fetchToken(accessOf(ready), 'payout');
    const exited = once(child, 'exit');
    let answered = 0;
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < PAYMENTS_A_ROUND) {
        const reference = `crash-${round}-${next++}`;
        // A connection that the crash cut is no answer.
        const status = await sendPayout(ready, token, reference).catch(() => null);
        if (status === null) return;
        expect(status).toBe(201);
        acknowledged.add(reference);
        if (++answered === PAYMENTS_A_ROUND / 2) child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    child.kill('SIGKILL');
    await exited;
  }
  expect(acknowledged.size).toBeGreaterThan((CRASHES * PAYMENTS_A_ROUND) / 3);

  const { child, ready } = await start();
  const token = await fetchToken(accessOf(ready), 'payout');
  for (const reference of acknowledged) {
    await expect.poll(() => readPaymentState(ready, token, reference), { timeout: 20_000 }).toBe('succeeded');
  }
  // What was accepted without its answer having arrived is there too, once.
  let state = await readState(ready);
  await expect
    .poll(async () => (state = await readState(ready)).payments.filter((one) => one.state !== 'succeeded'))
    .toEqual([]);
  const references = state.payments.map((payment) => payment.transaction_reference);
  expect(new Set(references).size).toBe(references.length);
  for (const reference of acknowledged) expect(references).toContain(reference);
  checkMoney(state, references.length);
  expect(await sendPayout(ready, token, [...acknowledged][0]!)).toBe(200);
  await expect
    .poll(() => references.filter((reference) => !webhooks.has(reference)), { timeout: 60_000 })
    .toEqual([]);
  for (const statuses of webhooks.values()) expect([...statuses]).toEqual(['SUCCESS']);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('kill -9 while webhooks go out: none is lost, and those of a reference first come in their order', async () => {
  const answered = new Map<string, string[]>();
  for (let round = 0; round < CRASHES; round++) {
    const { child, ready } = await start('ordered');
    const exited = once(child, 'exit');
    let left = 200;
    const client = async (at: number): Promise<void> => {
      const reference = `ordered-${at}`;
      for (let n = 0; ; n++) {
        const status = `${round}.${n}`;
        const response = await fetch(`${ready.base_url}/developer-tools/webhooks/send-test`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-sandbox-webhook': 'exact' },
          body: JSON.stringify({
            callback_url: `${callbackUrl}/${at % 3}`,
            client_reference: reference,
            status,
          }),
        }).catch(() => null);
        // What the crash cut off may be delivered or not.
        if (response === null) return;
        answered.set(reference, [...(answered.get(reference) ?? []), status]);
        if (--left === 0) child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, at) => client(at)));
    await exited;
  }
  const { child } = await start('ordered');
  for (const [reference, statuses] of answered) {
    const came = (): string[] =>
      [...(webhooks.get(reference) ?? [])].filter((status) => statuses.includes(status));
    await expect.poll(came, { timeout: 60_000 }).toEqual(statuses);
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
});
