import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import {
  makePayout,
  signBody,
  startTestSandbox,
  type SandboxClient,
} from '../../../test/support/sandbox-client';
import type { SandboxRequestQuery } from '@shared/contract/sandbox';
import { connectDatabase } from '../../platform/database/database';
import { answerJson } from '../http/answers';
import type { ReceivedRequest } from './received-request';
import { createRequestLog } from './request-log';
import type { StoredRequest } from './stored-request';

const makeReceived = (id: string, verdict: 'accepted' | 'duplicate'): ReceivedRequest => ({
  id,
  at: 0,
  durationMs: 1,
  operation: 'payout',
  reference: id,
  request: {
    method: 'POST',
    target: '/payments/v1/payouts',
    headers: [],
    trailers: [],
    head: Buffer.from('POST /payments/v1/payouts HTTP/1.1'),
    body: Buffer.from('{}'),
    isTooLong: false,
    countedBytes: 0,
    remoteAddress: '127.0.0.1',
    receivedAt: 0,
    startedAtMs: 0,
  },
  answer: answerJson(201, '{}', verdict, ''),
  isDropped: false,
});

let client: SandboxClient | null = null;
afterEach(async () => {
  await client?.sandbox.close();
  client = null;
});
const start = async (options = {}): Promise<SandboxClient> =>
  (client = await startTestSandbox({ settings: { settleMs: 3_600_000 }, ...options }));
const list = (query: Partial<SandboxRequestQuery> = {}) =>
  client!.sandbox.listRequests({
    limit: 1000,
    operation: null,
    statusClass: null,
    reference: null,
    text: null,
    ...query,
  }).requests;
const latest = () => client!.sandbox.readRequest(list({ limit: 1 })[0]!.id);
const stateOf = (checks: readonly { id: string; state: string }[]) =>
  Object.fromEntries(checks.map(({ id, state }) => [id, state]));

/** Sends bytes as they are. */
function sendBytes(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const url = new URL(path, client!.sandbox.baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
      },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode!)),
    );
    request.on('error', reject).end(body);
  });
}

test('keeps headers and bodies of both sides, the string to sign with its spans, and the checks in order', async () => {
  await start();
  const body = makePayout({ amount: 1250 });
  const accepted = await client!.initiate('payout', body);
  const detail = latest();
  expect(detail).toMatchObject({
    id: accepted.headers.get('x-request-id'),
    operation: 'payout',
    verdict: 'accepted',
    httpStatus: 201,
    reference: body.transaction.reference,
    request: { body: JSON.stringify(body), isCut: false, isMasked: false, bodyBase64: null },
  });
  expect(JSON.parse(detail.answer.body)).toEqual(accepted.body);
  expect(detail.answer.headers).toContainEqual(['X-Request-Id', detail.id]);
  const { text, spans } = detail.stringToSign!;
  expect(spans.map(({ start: from, end }) => text.slice(from, end))).toEqual([
    body.transaction.reference,
    '1250',
    (body.originator as { country: string }).country,
    body.transaction.service_code,
  ]);
  expect(detail.checks.map(({ id, state }) => `${id} ${state}`)).toEqual(
    ['rate', 'address', 'body', 'token', 'product', 'signature', 'fields', 'reference', 'wallet'].map(
      (id) => `${id} passed`,
    ),
  );
});

test('names the check that answered, and those that were not reached', async () => {
  await start();
  const body = JSON.stringify(makePayout());
  await client!.initiate('payout', body, {
    'x-custom-signature': signBody(`${body} `.replace('1000', '1001')),
  });
  expect(stateOf(latest().checks)).toMatchObject({
    product: 'passed',
    signature: 'failed',
    fields: 'not_reached',
  });
  await client!.initiate('payout', makePayout({}, { account: '254711110008' }));
  expect(stateOf(latest().checks)).toMatchObject({ rate: 'passed', reference: 'passed', outcome: 'failed' });
  await client!.request('POST', '/nowhere', {});
  expect(latest().checks.map(({ id, state }) => [id, state])).toEqual([
    ['rate', 'passed'],
    ['address', 'failed'],
  ]);
  await client!.status('payout', { transaction_reference: 'nobody' });
  expect(stateOf(latest().checks)).toMatchObject({ address: 'passed', fields: 'passed', found: 'failed' });
  client!.sandbox.updateSettings({ rateLimit: 1 });
  for (let count = 0; count < 3; count++) await client!.request('POST', '/auth/v1/token', {});
  expect(
    stateOf(
      list({ statusClass: '4xx' })
        .map((one) => client!.sandbox.readRequest(one.id))
        .find((one) => one.httpStatus === 429)!.checks,
    ),
  ).toMatchObject({ rate: 'failed' });
});

test('keeps no token, password or consumer secret, whatever it stands in', async () => {
  const directory = makeTemporaryFolder('request-log');
  await start({ dataDirectory: directory });
  const { consumerKey, consumerSecret } = client!.sandbox;
  const token = await client!.token('payout');
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
  await client!.request('GET', `/tsq/v1/wallet-balances?note=${token}`, undefined, {
    authorization: `Bearer ${token}`,
  });
  await client!.request('POST', '/auth/v1/token', {}, { authorization: `Basic ${basic}` });
  await client!.initiate('payout', makePayout({}, {}, { meta: { echo: `${token} ${consumerSecret}` } }));
  await client!.sandbox.close();
  const files = readdirSync(directory).filter((name) => name.startsWith('sandbox-requests.db'));
  expect(files).toContain('sandbox-requests.db');
  const kept = files.map((name) => readFileSync(`${directory}/${name}`, 'latin1')).join('');
  expect(kept).toContain('/auth/v1/token');
  for (const secret of [consumerSecret, token, basic]) expect(kept.includes(secret)).toBe(false);
  client = null;
});

test('is there after a restart, and gone after a reset', async () => {
  const options = { dataDirectory: makeTemporaryFolder('request-log') };
  await start(options);
  await client!.initiate('payout', makePayout());
  const { id } = latest();
  await client!.sandbox.close();
  await start(options);
  expect(client!.sandbox.readRequest(id).checks).toHaveLength(9);
  client!.sandbox.reset();
  expect(list()).toEqual([]);
});

test('of a newer version is said at once, with what to do, and left as it is', async () => {
  const directory = makeTemporaryFolder('request-log');
  await start({ dataDirectory: directory });
  await client!.initiate('payout', makePayout());
  await client!.sandbox.close();
  client = null;
  const file = join(directory, 'sandbox-requests.db');
  const database = connectDatabase(file);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const before = readFileSync(file);
  await expect(start({ dataDirectory: directory })).rejects.toMatchObject({
    code: 'platform.database_newer',
    message: expect.stringMatching(
      /^sandbox-requests\.db was written by a newer.*install the newer version, or choose/,
    ) as string,
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('filters by operation, class of status, reference and text', async () => {
  await start();
  const body = makePayout({ reference: 'order-7' }, {}, { meta: { note: 'Zanzibar' } });
  await client!.initiate('payout', body);
  await client!.initiate('payout', { ...body, transaction: { ...body.transaction, amount: -1 } });
  await client!.status('payout', { transaction_reference: 'order-7' });
  await client!.status('payout', { transaction_reference: 'order-8' });
  expect(list({ operation: 'payout' })).toHaveLength(2);
  expect(list({ operation: 'payout', statusClass: '2xx' })).toHaveLength(1);
  expect(list({ statusClass: '4xx' }).map(({ operation }) => operation)).toEqual(['status', 'payout']);
  expect(list({ reference: 'order-7' })).toHaveLength(3);
  expect(list({ text: 'ZANZIBAR' })).toHaveLength(2);
  expect(list({ text: 'ZANZIBAR', limit: 1 })).toHaveLength(1);
  expect(list({ reference: "' OR 1=1 --" })).toEqual([]);
  const { body: answer } = await client!.admin('GET', 'requests?operation=payout&status_class=2xx');
  expect(answer.requests).toMatchObject([{ operation: 'payout', http_status: 201 }]);
  const { body: one } = await client!.admin('GET', `requests/${answer.requests[0].id}`);
  expect(one).toMatchObject({ string_to_sign: { text: expect.stringContaining('order-7') } });
  expect((await client!.admin('GET', 'requests?status_class=x')).status).toBe(400);
});

test('marks what it cut, and still knows what should have been signed', async () => {
  await start();
  const body = JSON.stringify(
    makePayout({ reference: 'long-1' }, {}, { meta: { pad: 'x'.repeat(300_000) } }),
  );
  const wrong = signBody(body.replace('long-1', 'long-2'));
  await client!.initiate('payout', body, { 'x-custom-signature': wrong });
  const detail = latest();
  expect(detail.request).toMatchObject({ isCut: true, sizeBytes: body.length });
  expect(detail.request.body).toHaveLength(65_536);
  expect(detail.stringToSign!.text).toContain('long-1');
  expect(detail.stringToSign!.spans).toHaveLength(4);
  const explained = await client!.sandbox.explain(detail.id, false);
  expect(explained.signature!.body).toBe(body);
});

test('takes bytes that are no text, NULs and 10 MiB, and keeps what they were', async () => {
  await start();
  const bytes = Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x22, 0x7d]);
  expect(await sendBytes('/payments/v1/payouts', bytes, { 'x-note': 'caf\u00e9\u00ff' })).toBe(400);
  const detail = latest();
  expect(Buffer.from(detail.request.bodyBase64!, 'base64')).toEqual(bytes);
  expect(detail.request.headers).toContainEqual(['x-note', 'caf\u00e9\u00ff']);
  expect(detail.stringToSign).toBeNull();
  expect(await sendBytes('/payments/v1/payouts', Buffer.from('{"a":"\\u0000 \u0000"}'))).toBe(400);
  expect(latest().request.body).toBe('{"a":"\\u0000 \u0000"}');
  expect(await sendBytes('/payments/v1/payouts', Buffer.alloc(10 * 1024 * 1024, 0x20))).toBe(400);
  expect(latest()).toMatchObject({ verdict: 'body', request: { isTooLong: true, body: '' } });
});

test('ten thousand requests in a row leave a thousand, the latest', async () => {
  await start();
  const { port } = new URL(client!.sandbox.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const total = 10_000;
  await new Promise<void>((resolve) => {
    let answers = 0;
    socket.on('data', (chunk) => {
      answers += chunk.toString('latin1').split('HTTP/1.1 404').length - 1;
      if (answers >= total) resolve();
    });
    for (let index = 0; index < total; index++) socket.write(`GET /n/${index} HTTP/1.1\r\nHost: x\r\n\r\n`);
  });
  socket.destroy();
  const kept = list();
  expect(kept).toHaveLength(1000);
  expect(kept[0]!.path).toBe('/n/9999');
  expect(kept.at(-1)!.path).toBe('/n/9000');
});

test('under load accepted requests are counted alone, and refused ones kept', () => {
  const requests = new Map<string, StoredRequest>();
  const store = {
    insertAll: (all: readonly StoredRequest[]) => all.forEach((one) => requests.set(one.id, one)),
    list: () => [],
    *readSince() {},
    isCut: () => false,
    find: (id: string) => requests.get(id) ?? null,
    clear: () => requests.clear(),
    close: () => undefined,
  };
  const log = createRequestLog({ consumerSecret: 'c', openStore: () => store });
  const add = (id: string, verdict: 'accepted' | 'duplicate'): void => log.add(makeReceived(id, verdict));
  for (let index = 0; index < 1500; index += 1) add(`a${index}`, 'accepted');
  for (let index = 0; index < 10; index += 1) add(`r${index}`, 'duplicate');
  log.list({ limit: 1 });
  expect(log.skipped()).toBe(500);
  expect(requests.size).toBe(1000);
  expect([requests.has('a9'), requests.has('a10'), requests.has('a999'), requests.has('r9')]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  add('after', 'accepted');
  log.close();
  expect([log.skipped(), requests.has('after')]).toEqual([500, true]);
  log.clear();
  expect([log.skipped(), requests.size]).toEqual([0, 0]);
});

test('large bodies are bounded by their bytes', async () => {
  await start();
  const body = Buffer.from(`{"pad":"${'x'.repeat(200_000)}"}`);
  for (let index = 0; index < 160; index++) await sendBytes('/payments/v1/payouts', body);
  const kept = list();
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length).toBeLessThan(130);
});
