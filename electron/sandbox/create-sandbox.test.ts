import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  makePayout,
  makeRemittance,
  signBody,
  startTestSandbox,
  type SandboxClient,
} from '../../test/support/sandbox-client';
import { newReference } from '../../test/support/bodies';

let client: SandboxClient;
const webhooks: { body: Record<string, unknown>; headers: Record<string, unknown> }[] = [];
const receiver = createServer((message, response) => {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => {
    webhooks.push({
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>,
      headers: message.headers,
    });
    response.writeHead(204).end();
  });
});
let callbackUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  client = await startTestSandbox({ settings: { settleMs: 3_600_000 } });
});
afterAll(async () => {
  await client.sandbox.close();
  receiver.close();
});
beforeEach(async () => {
  webhooks.length = 0;
  client.sandbox.reset();
});

const webhooksOf = (reference: string) => webhooks.filter(({ body }) => body.client_reference === reference);

describe.each(['payout', 'remittance'] as const)('a %s', (product) => {
  const make = product === 'payout' ? makePayout : makeRemittance;

  test('is accepted, settles on the sandbox clock, moves money and sends its webhook', async () => {
    const body = make({ amount: 1250 }, {}, { callback_url: callbackUrl, meta: { order: 7 } });
    const { reference } = body.transaction;
    const accepted = await client.initiate(product, body);
    expect(accepted.status).toBe(201);
    expect(accepted.body).toMatchObject({
      status: '200.100',
      code: 'ACCEPTED',
      data: { amount: 1250, transaction_reference: reference, payment_uuid: expect.stringMatching(/^\d+$/) },
    });
    expect(accepted.body.data.time_received).toMatch(/Z$/);
    expect(await client.balance(product, 'KES')).toEqual({ actual: 1_000_000, available: 998_737.5 });
    expect((await client.status(product, { transaction_reference: reference })).body.data.state).toBe(
      'processing',
    );

    await client.admin('POST', 'clock/advance', { seconds: 3600 });
    await expect.poll(() => webhooksOf(reference).length).toBe(1);
    expect(webhooksOf(reference)[0]!.body).toEqual({
      status: 'SUCCESS',
      code: '200.100',
      amount: 1250,
      client_reference: reference,
      payment_uuid: accepted.body.data.payment_uuid,
      payment_reference: accepted.body.data.payment_reference,
      metadata: { order: 7 },
    });
    expect(await client.balance(product, 'KES')).toEqual({ actual: 998_737.5, available: 998_737.5 });
    const requestUuid = accepted.headers.get('x-request-id');
    for (const query of [
      { transaction_reference: reference },
      { payment_uuid: accepted.body.data.payment_uuid },
      { request_uuid: requestUuid },
    ]) {
      const answer = await client.status(product, query);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({
        state: 'succeeded',
        amount: 1250,
        total_charges: 12.5,
        total_amount: 1262.5,
        transaction_reference: reference,
      });
    }
  });

  test('sent again is a duplicate and leaves the first untouched', async () => {
    const body = make();
    await client.initiate(product, body);
    const again = await client.initiate(product, { ...body, meta: { other: true } });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({
      status: '200.100',
      code: 'REJECTED',
      description: 'duplicate ignored',
      data: {},
    });
    expect((await client.balance(product, 'KES')).available).toBe(998_990);
  });

  test('over both path forms is the same payment', async () => {
    const body = make();
    await client.initiate(product, body);
    const path = product === 'payout' ? '/payments/api/v1/payouts' : '/payments/api/v1/remittance';
    const again = await client.request('POST', path, body, {
      authorization: `Bearer ${await client.token(product)}`,
      'x-custom-signature': signBody(JSON.stringify(body)),
    });
    expect(again.body.description).toBe('duplicate ignored');
  });
});

test.each([
  ['0001', 'failed', 'FAILED', 1],
  ['0002', 'canceled', 'CANCELED', 1],
  ['0006', 'succeeded', 'SUCCESS', 2],
])('an account ending in %s becomes %s', async (ending, state, status, count) => {
  const body = makePayout({}, { account: `25471111${ending}` }, { callback_url: callbackUrl });
  const { reference } = body.transaction;
  await client.initiate('payout', body);
  client.sandbox.advanceClock(3600);
  await expect.poll(() => webhooksOf(reference).length).toBe(count);
  expect(webhooksOf(reference)[0]!.body.status).toBe(status);
  expect(new Set(webhooksOf(reference).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await client.status('payout', { transaction_reference: reference })).body.data.state).toBe(state);
  const taken = state === 'succeeded' ? 1010 : 0;
  expect(await client.balance('payout', 'KES')).toEqual({
    actual: 1_000_000 - taken,
    available: 1_000_000 - taken,
  });
});

test('an account ending in 0003 stays processing until somebody changes it', async () => {
  const body = makePayout({}, { account: '254711110003' }, { callback_url: callbackUrl });
  const accepted = await client.initiate('payout', body);
  client.sandbox.advanceClock(1_000_000);
  const query = { payment_uuid: accepted.body.data.payment_uuid };
  const before = await client.status('payout', query);
  expect(before.body.data.state).toBe('processing');
  const path = `payments/${query.payment_uuid}/state`;
  expect((await client.admin('POST', path, { state: 'failed' })).body.state).toBe('failed');
  const second = await client.admin('POST', path, { state: 'succeeded' });
  expect(second.status).toBe(409);
  await expect.poll(() => webhooksOf(body.transaction.reference).length).toBe(1);
});

test('an account ending in 0005 settles after thirty seconds, whatever is set for others', async () => {
  const other = await startTestSandbox({ settings: { settleMs: 10 } });
  const body = makePayout({}, { account: '254711110005' });
  await other.initiate('payout', body);
  const read = async () =>
    (await other.status('payout', { transaction_reference: body.transaction.reference })).body.data.state;
  other.sandbox.advanceClock(25);
  expect(await read()).toBe('processing');
  other.sandbox.advanceClock(6);
  expect(await read()).toBe('succeeded');
  await other.sandbox.close();
});

test('an account ending in 0004 is refused with a field error on recipient.account', async () => {
  const answer = await client.initiate('payout', makePayout({}, { account: '254711110004' }));
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    code: '400.100',
    status: 'REJECTED',
    data: { field_errors: [{ field: 'recipient.account' }] },
  });
});

test('an account ending in 0007 is answered 500 and no payment is made', async () => {
  const body = makePayout({}, { account: '254711110007' });
  const answer = await client.initiate('payout', body);
  expect(answer.status).toBe(500);
  expect(answer.body).toMatchObject({ code: '400.500', status: 'FAILED', data: null });
  const found = await client.status('payout', { transaction_reference: body.transaction.reference });
  expect(found.status).toBe(404);
});

test('an account ending in 0008 is answered 429 twice, then accepted', async () => {
  const body = makePayout({}, { account: '254711110008' });
  const answers = [];
  for (let count = 0; count < 4; count++) answers.push(await client.initiate('payout', body));
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 201, 200]);
  expect(answers[0]!.headers.get('retry-after')).toBe('1');
});

test.each([
  ['TZS', 1, 'SUSPENDED'],
  ['EUR', 1, 'No EUR wallet'],
  ['KES', 990_100, 'Insufficient funds'],
])('a payout of %s %s is refused by the rules: %s', async (currency, amount, text) => {
  const answer = await client.initiate('payout', makePayout({ currency, amount }));
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ status: '400.100', code: 'REJECTED', data: null });
  expect(answer.body.description).toContain(text);
});

test('a payout of all that is available, charges included, is accepted', async () => {
  expect((await client.initiate('payout', makePayout({ amount: 990_099 }))).status).toBe(201);
  expect((await client.balance('payout', 'KES')).available).toBe(0.01);
});

test('a refused reference may be used again; a used one may not, not even for another product', async () => {
  const reference = newReference();
  expect((await client.initiate('payout', makePayout({ reference, amount: 5_000_000 }))).status).toBe(400);
  expect((await client.initiate('payout', makePayout({ reference }))).status).toBe(201);
  expect((await client.initiate('payout', makePayout({ reference, amount: 5_000_000 }))).status).toBe(200);
  expect((await client.initiate('remittance', makeRemittance({ reference }))).status).toBe(200);
});
