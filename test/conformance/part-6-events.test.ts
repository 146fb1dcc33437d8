import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { payout, referenceOf, remittance } from '../support/bodies';
import { paths, startService, type Service } from './support/service-client';
import { startReceiver } from './support/webhook-receiver';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
let service: Service;
let receiver: Receiver;
let statusFor: (count: number) => number = () => 204;
beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver((count) => statusFor(count));
});
beforeEach(async () => {
  await service.reset();
  statusFor = () => 204;
  receiver.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

interface DeliveryView {
  id: string;
  state: string;
  callback_url: string;
  next_attempt_at: number | null;
  attempts: {
    http_status: number | null;
    error: string | null;
    response_body: string | null;
    duration_ms: number;
  }[];
}
const deliveries = async (): Promise<DeliveryView[]> =>
  (await service.admin('GET', 'deliveries')).json.deliveries as DeliveryView[];

async function settle(account = '254711111111', callbackUrl = receiver.url): Promise<string> {
  const body = payout({ callback_url: callbackUrl, 'recipient.account': account });
  await service.initiate('payout', body);
  await service.advance(3600);
  return referenceOf(body);
}

test('6 rule 1: the final outcome of a payout is a POST of JSON to its callback_url', async () => {
  await settle();
  const [webhook] = await receiver.waitFor(1);
  expect(webhook).toMatchObject({ method: 'POST', path: '/webhooks' });
  expect(webhook?.headers['content-type']).toMatch(/^application\/json/);
});

test('6 rule 1: so is that of a remittance', async () => {
  const body = remittance({ callback_url: receiver.url });
  await service.initiate('remittance', body);
  await service.advance(3600);
  const [webhook] = await receiver.waitFor(1);
  expect(webhook?.json.client_reference).toBe(referenceOf(body));
});

test('6 rule 1: nothing is sent before the outcome is final', async () => {
  await service.initiate(
    'payout',
    payout({ callback_url: receiver.url, 'recipient.account': '254711110003' }),
  );
  await service.advance(100_000);
  expect(await deliveries()).toEqual([]);
  expect(receiver.received).toEqual([]);
});

test('6 rule 1: meta of the request is echoed, number formats and all', async () => {
  const body = payout({
    callback_url: receiver.url,
    meta: { nested: [1, { é: '😀' }], text: 'x', none: null },
  });
  await service.initiate('payout', body);
  await service.advance(3600);
  const [webhook] = await receiver.waitFor(1);
  expect(webhook?.json.metadata).toEqual(body.meta);
});

test('6 rule 1: the payload names status, code, amount, references, payment UUID and metadata (A3)', async () => {
  const body = payout({ callback_url: receiver.url });
  const { json } = await service.initiate('payout', body);
  await service.advance(3600);
  const [webhook] = await receiver.waitFor(1);
  expect(webhook?.json).toEqual({
    status: 'SUCCESS',
    code: expect.any(String),
    amount: 1000,
    client_reference: referenceOf(body),
    payment_uuid: json.data.payment_uuid,
    payment_reference: json.data.payment_reference,
    metadata: { order: 7 },
  });
});

test('6 rule 1: status is SUCCESS, FAILED or CANCELED (A3)', async () => {
  const statuses = [];
  for (const [index, account] of ['254711111111', '254711110001', '254711110002'].entries()) {
    await settle(account);
    statuses.push((await receiver.waitFor(index + 1))[index]?.json.status);
  }
  expect(statuses).toEqual(['SUCCESS', 'FAILED', 'CANCELED']);
});

test('6 rule 2: the simulator sends the production form', async () => {
  await service.post(paths.sendTest, {
    callback_url: receiver.url,
    status: 'FAILED',
    code: '1',
    amount: 1,
    client_reference: 'a',
    payment_uuid: '2',
    payment_reference: 'b',
    metadata: {},
  });
  const [webhook] = await receiver.waitFor(1);
  expect(Object.keys(webhook?.json as object)).toEqual([
    'status',
    'code',
    'amount',
    'client_reference',
    'payment_uuid',
    'payment_reference',
    'metadata',
  ]);
});

test('6 rule 3: any 2xx ends the delivery', async () => {
  for (const [index, status] of [200, 201, 202, 204, 299].entries()) {
    statusFor = () => status;
    await settle();
    await receiver.waitFor(index + 1);
    await expect.poll(async () => (await deliveries())[0]?.state).toBe('delivered');
    expect((await deliveries())[0]?.next_attempt_at).toBeNull();
  }
});

test('6 rule 3: anything else is tried again, redirects included, with the same webhook-id', async () => {
  const answers = [301, 404, 500, 200];
  statusFor = (count) => answers[count - 1] ?? 200;
  await settle();
  for (const [index, seconds] of [5, 300, 1800].entries()) {
    await receiver.waitFor(index + 1);
    await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(index + 1);
    await service.advance(seconds);
  }
  await receiver.waitFor(4);
  await expect.poll(async () => (await deliveries())[0]?.state).toBe('delivered');
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await deliveries())[0]?.attempts.map((attempt) => attempt.http_status)).toEqual(answers);
});

test('6 rule 3: the standard schedule ends after its eighth attempt', async () => {
  statusFor = () => 503;
  await settle();
  for (const [index, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
    await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(index + 1);
    await service.advance(seconds);
  }
  await expect
    .poll(async () => (await deliveries())[0])
    .toMatchObject({ state: 'failed', next_attempt_at: null });
  expect(receiver.received).toHaveLength(8);
});

test('6 rule 3: the fast schedule and none, by a setting', async () => {
  statusFor = () => 503;
  for (const [retries, waits] of [
    ['fast', [1, 2, 4, 8]],
    ['none', []],
  ] as const) {
    await service.reset();
    await service.admin('PUT', 'settings', { retries });
    await settle();
    for (const [index, seconds] of waits.entries()) {
      await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(index + 1);
      await service.advance(seconds);
    }
    await expect.poll(async () => (await deliveries())[0]?.state).toBe('failed');
    expect((await deliveries())[0]?.attempts).toHaveLength(waits.length + 1);
  }
  await service.admin('PUT', 'settings', { retries: 'standard' });
});

test('6 rule 3: attempts keep their timing and the answer; a delivery can be sent again', async () => {
  await settle();
  await receiver.waitFor(1);
  await expect.poll(async () => (await deliveries())[0]?.state).toBe('delivered');
  const [delivery] = await deliveries();
  expect(delivery?.attempts[0]).toMatchObject({ http_status: 204, error: null, response_body: '' });
  expect(delivery?.attempts[0]?.duration_ms).toBeGreaterThan(0);
  expect((await service.admin('POST', `deliveries/${delivery!.id}/redeliver`)).httpStatus).toBe(200);
  await receiver.waitFor(2);
  expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
});

test('6 a host that is not this machine gets no webhook unless it was allowed', async () => {
  await settle('254711111111', 'https://example.invalid/hook');
  await expect.poll(async () => (await deliveries())[0]?.state).toBe('failed');
  expect((await deliveries())[0]?.attempts[0]?.error).toMatch(/--allow-callback-host/);
});

test('6 link-local and metadata addresses get no webhook even when allowed', async () => {
  await service.admin('PUT', 'settings', { allowed_callback_hosts: ['169.254.169.254', '[fe80::1]'] });
  for (const url of ['http://169.254.169.254/latest', 'https://[fe80::1]/', 'http://0xa9fea9fe/']) {
    await service.reset();
    await settle('254711111111', url);
    await expect.poll(async () => (await deliveries())[0]?.state, { message: url }).toBe('failed');
    expect((await deliveries())[0]?.attempts[0]?.error, url).toMatch(/^Refused/);
  }
  await service.admin('PUT', 'settings', { allowed_callback_hosts: [] });
});

test('6 an account ending in 0006 has its webhook delivered twice', async () => {
  await settle('254711110006');
  await receiver.waitFor(2);
  await expect.poll(async () => (await deliveries())[0]?.state).toBe('delivered');
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[0]?.text).toBe(receiver.received[1]?.text);
});
