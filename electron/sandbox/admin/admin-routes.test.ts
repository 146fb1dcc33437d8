import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  makePayout,
  signBody,
  startTestSandbox,
  testKeys,
  testPublicPem,
  type SandboxClient,
} from '../../../test/support/sandbox-client';

let client: SandboxClient;
beforeAll(async () => {
  client = await startTestSandbox({ settings: { settleMs: 3_600_000 }, seed: 1 });
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

test.each([
  ['GET', 'state'],
  ['POST', 'reset'],
  ['PUT', 'public-keys'],
  ['GET', 'deliveries'],
])('%s %s is closed without the admin token, and says so', async (method, path) => {
  for (const authorization of ['', 'Bearer wrong', `Bearer ${await client.token('payout')}`]) {
    const answer = await client.request(method, `/_sandbox/${path}`, undefined, { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('an unknown admin address is 404, a wrong method 405', async () => {
  expect((await client.admin('GET', 'nothing')).status).toBe(404);
  expect((await client.admin('DELETE', 'state')).status).toBe(405);
});

test('the state shows wallets, payments, requests and settings, and no secret', async () => {
  const accepted = await client.initiate('payout', makePayout());
  const { body } = await client.admin('GET', 'state');
  expect(body.wallets).toContainEqual({
    product: 'payout',
    currency: 'KES',
    actual_balance: '1000000.00',
    available_balance: '998990.00',
    held_balance: '1010.00',
    alert_limit: '50000.00',
    status: 'ACTIVE',
  });
  expect(body.payments[0]).toMatchObject({
    payment_uuid: accepted.body.data.payment_uuid,
    state: 'processing',
    amount: '1000.00',
    charges: '10.00',
  });
  expect(body.requests[0]).toMatchObject({ verdict: 'accepted', http_status: 201 });
  const text = JSON.stringify(body);
  for (const secret of [
    client.sandbox.consumerSecret,
    client.sandbox.adminToken,
    client.sandbox.consumerKey,
    await client.token('payout'),
  ]) {
    expect(text).not.toContain(secret);
  }
});

test('a public key is replaced and added over HTTP, and takes effect at once', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const otherPem = other.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const pem = {
    'content-type': 'application/x-pem-file',
    authorization: `Bearer ${client.sandbox.adminToken}`,
  };
  const put = await client.request('PUT', '/_sandbox/public-keys', otherPem, pem);
  expect(put.body.public_keys).toHaveLength(1);
  expect((await client.initiate('payout', makePayout())).status).toBe(401);
  const body = JSON.stringify(makePayout());
  const signed = { 'x-custom-signature': signBody(body, other.privateKey) };
  expect((await client.initiate('payout', body, signed)).status).toBe(201);
  const added = await client.request('POST', '/_sandbox/public-keys', testPublicPem, pem);
  expect(added.body.public_keys).toHaveLength(2);
  expect((await client.initiate('payout', makePayout())).status).toBe(201);
  const refused = await client.request('PUT', '/_sandbox/public-keys', 'nonsense', pem);
  expect(refused).toMatchObject({ status: 400, body: { error: 'keys.not_a_key' } });
});

test('the clock moves forward only', async () => {
  const before = client.sandbox.readState(1).now;
  expect((await client.admin('POST', 'clock/advance', { seconds: 60 })).body.now).toBeGreaterThanOrEqual(
    before + 60_000,
  );
  for (const seconds of [-1, 0, '5', null]) {
    expect((await client.admin('POST', 'clock/advance', { seconds })).status).toBe(400);
  }
  expect((await client.admin('POST', 'clock/advance', '{')).body.error).toBe('sandbox.bad_request');
});

describe('faults', () => {
  test('every request fails at an error rate of 1, and nothing is made', async () => {
    expect((await client.admin('PUT', 'faults', { error_rate: 1 })).body.error_rate).toBe(1);
    const answer = await client
      .initiate('payout', makePayout(), { authorization: 'Bearer x' })
      .catch(() => null);
    expect(answer).toMatchObject({ status: 500, body: { code: '400.500' } });
    expect(client.sandbox.readState(10).payments).toEqual([]);
  });

  test('a dropped connection leaves a payment that can be found', async () => {
    await client.token('payout');
    await client.admin('PUT', 'faults', { drop_rate: 1 });
    const body = makePayout();
    await expect(client.initiate('payout', body)).rejects.toThrow();
    await client.admin('PUT', 'faults', {});
    const found = await client.status('payout', { transaction_reference: body.transaction.reference });
    expect(found.body.data.state).toBe('processing');
  });

  test('latency and a slow body delay the same answer', async () => {
    await client.admin('PUT', 'faults', { latency_ms: 60, slow_body_ms: 60 });
    const startedAt = performance.now();
    const { reference } = makePayout().transaction;
    const answer = await client.initiate('payout', makePayout({ reference }));
    expect(answer.body.data.transaction_reference).toBe(reference);
    expect(performance.now() - startedAt).toBeGreaterThan(100);
  });

  test.each([{ error_rate: 2 }, { latency_ms: -1 }, { unknown: 1 }, { drop_rate: 'x' }])(
    '%o is refused and nothing is changed',
    async (faults) => {
      expect((await client.admin('PUT', 'faults', faults)).status).toBe(400);
      expect(client.sandbox.readFaults().errorRate).toBe(0);
    },
  );

  test('the same seed and requests give the same faults', async () => {
    const draw = async () => {
      const own = await startTestSandbox({ seed: 'faults', faults: { errorRate: 0.5 } });
      const statuses: number[] = [];
      for (let count = 0; count < 30; count++) {
        statuses.push((await own.request('GET', '/tsq/v1/wallet-balances')).status);
      }
      await own.sandbox.close();
      return statuses;
    };
    const first = await draw();
    expect(await draw()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([401, 500]));
  });
});

test('an address that is not there is answered with those that are', async () => {
  const unknown = await client.admin('GET', 'stats');
  expect(unknown.status).toBe(404);
  for (const address of ['GET state', 'POST payments/{payment_uuid}/state', 'GET requests/{id}/explain']) {
    expect(unknown.body.message).toContain(address);
  }
  const wrongMethod = await client.admin('POST', 'state');
  expect(wrongMethod.status).toBe(405);
  expect(wrongMethod.body.message).toContain('GET state');
});

describe('explain', () => {
  const explain = async (answer: { headers: Headers }) =>
    (await client.admin('GET', `requests/${answer.headers.get('x-request-id')}/explain`)).body;

  test('tells the string that was expected, byte by byte, and what the doctor finds was signed', async () => {
    const body = makePayout({ reference: 'é-1' });
    const wrong = sign('sha256', Buffer.from('é-1-1000-KE-MPESA'), testKeys.privateKey);
    const refused = await client.initiate('payout', body, { 'x-custom-signature': wrong.toString('base64') });
    expect(refused.status).toBe(401);
    const explanation = await explain(refused);
    expect(explanation.verdict).toBe('signature');
    expect(explanation.signature).toMatchObject({
      expected_string: 'é-11000KEMPESA',
      expected_bytes_hex: Buffer.from('é-11000KEMPESA').toString('hex'),
      body: JSON.stringify(body),
      public_key_pem: expect.stringContaining('BEGIN PUBLIC KEY'),
    });
    expect(explanation.signature.findings).toMatchObject({ verdict: 'explained' });
    expect(explanation.signature.findings.causes[0].code).toBe('string.separator');
  });

  describe('with two keys registered', () => {
    const second = generateKeyPairSync('rsa', { modulusLength: 3072 });
    const secondPem = second.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const signWith = (text: string, form: BufferEncoding) =>
      sign('sha256', Buffer.from(text), second.privateKey).toString(form);
    test.each(['base64', 'base64url', 'hex'] as const)(
      'what the second key signed is not called another key, in %s',
      async (form) => {
        await client.admin('PUT', 'public-keys', { pems: [testPublicPem, secondPem] });
        const refused = await client.initiate('payout', makePayout({ reference: 'two-keys' }), {
          'x-custom-signature': signWith('two-keys|1000|KE|MPESA', form),
        });
        const { signature } = await explain(refused);
        await client.admin('PUT', 'public-keys', testPublicPem);
        expect(signature.public_key_pem).toBe(secondPem);
        expect(signature.findings.verdict).toBe('explained');
        const codes = signature.findings.causes.map(({ code }: { code: string }) => code);
        expect(codes).toContain('string.separator');
        expect(codes.filter((code: string) => code.startsWith('key.'))).toEqual([]);
      },
    );
  });

  test('does not ask to sign otherwise what a key verifies that was registered since', async () => {
    const late = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signature = sign('sha256', Buffer.from('late-key1000KEMPESA'), late.privateKey).toString('base64');
    const refused = await client.initiate('payout', makePayout({ reference: 'late-key' }), {
      'x-custom-signature': signature,
    });
    const asked = 'Sign the expected string below';
    expect((await explain(refused)).explanation).toContain(asked);
    const pem = late.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await client.admin('POST', 'public-keys', { pems: [pem] });
    const { explanation, signature: explained } = await explain(refused);
    await client.admin('PUT', 'public-keys', testPublicPem);
    expect(explanation).toMatch(
      /^When it came, it was refused: .* registered since .* send the request again\.$/,
    );
    expect(explanation).not.toContain(asked);
    expect(explained).toMatchObject({ public_key_pem: pem, findings: { verdict: 'valid' } });
    expect((await explain(refused)).explanation).toContain(asked);
  });

  test('names the fields, the reason of a token, and what passed', async () => {
    const fields = await client.initiate('payout', makePayout({ amount: 1.5 }));
    const explained = await explain(fields);
    expect(explained.field_errors).toMatchObject([{ field: 'transaction.amount' }]);
    expect(explained.explanation).toMatch(/^Validation failed\. Mend the fields/);
    const token = await client.initiate('payout', makePayout(), { authorization: 'Bearer a.b.c' });
    expect((await explain(token)).explanation).toContain('header cannot be read');
    const accepted = await client.initiate('payout', makePayout());
    expect(await explain(accepted)).toMatchObject({ verdict: 'accepted', signature: null });
  });

  test('does not know a request of which it never heard', async () => {
    expect((await client.admin('GET', 'requests/none/explain')).status).toBe(404);
  });
});

test('settings change the acceptance form, the path form and the 400 form', async () => {
  const set = (settings: object) => client.admin('PUT', 'settings', settings);
  await set({ acceptance_form: '100', path_form: 'api', bad_request_form: 'error_object' });
  expect((await client.initiate('payout', makePayout())).status).toBe(404);
  const send = async (payout: object) => {
    const body = JSON.stringify(payout);
    return client.request('POST', '/payments/api/v1/payouts', body, {
      authorization: `Bearer ${await client.token('payout')}`,
      'x-custom-signature': signBody(body),
    });
  };
  expect((await send(makePayout())).body).toMatchObject({ status: 'ACCEPTED', code: '100' });
  expect((await send(makePayout({ amount: 0 }))).body).toMatchObject({
    error: 'validation_failed',
    param: 'transaction.amount',
    request_id: expect.any(String),
  });
  await set({ acceptance_form: '200.100', path_form: 'both', bad_request_form: 'envelope' });
  expect((await set({ retries: 'sometimes' })).status).toBe(400);
});

test('the rate limit answers 429 with Retry-After before anything else, and lets go with the clock', async () => {
  client.sandbox.updateSettings({ rateLimit: 2 });
  const get = () => client.request('GET', '/tsq/v1/wallet-balances');
  const answers = await Promise.all(Array.from({ length: 8 }, get));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(4);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  client.sandbox.advanceClock(1);
  expect((await get()).status).toBe(401);
  client.sandbox.updateSettings({ rateLimit: 0 });
});

test('the state names what webhooks are signed with, once they are', async () => {
  expect((await client.admin('GET', 'state')).body.webhook_signing_secret).toBeNull();
  client.sandbox.updateSettings({ webhookSigning: true });
  const secret = (await client.admin('GET', 'state')).body.webhook_signing_secret;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
  expect(client.sandbox.revealWebhookSecret()).toBe(secret);
  expect(JSON.stringify(client.sandbox.readState(10))).not.toContain(secret);
  client.sandbox.updateSettings({ webhookSigning: false });
});

describe('a wallet by hand', () => {
  const change = (wallet: string, body: unknown) => client.admin('POST', `wallets/${wallet}`, body);

  test('is topped up, suspended, activated and emptied, to the hundredth', async () => {
    expect((await change('payout/KES', { top_up: '0.05' })).body).toMatchObject({
      available_balance: '1000000.05',
    });
    await change('payout/KES', { status: 'SUSPENDED' });
    expect((await client.initiate('payout', makePayout())).body.description).toContain('SUSPENDED');
    await change('payout/KES', { status: 'ACTIVE' });
    const accepted = await client.initiate('payout', makePayout());
    expect((await change('payout/KES', { empty: true })).body).toMatchObject({
      actual_balance: '1010.00',
      available_balance: '0.00',
      held_balance: '1010.00',
    });
    expect((await client.initiate('payout', makePayout())).body.description).toContain('Insufficient funds');
    const { payment_uuid: uuid } = accepted.body.data;
    expect((await client.admin('POST', `payments/${uuid}/state`, { state: 'succeeded' })).status).toBe(200);
    expect(await client.balance('payout', 'KES')).toEqual({ actual: 0, available: 0 });
  });

  test.each([
    ['payout/XXX', { empty: true }, 404],
    ['nothing/KES', { empty: true }, 400],
    ['payout/KES', {}, 400],
    ['payout/KES', { empty: true, top_up: '1' }, 400],
    ['payout/KES', { top_up: '-1' }, 400],
    ['payout/KES', { top_up: '0.001' }, 400],
    ['payout/KES', { top_up: '0' }, 400],
    ['payout/KES', { top_up: '999999999999.99' }, 400],
    ['payout/KES', { status: 'CLOSED' }, 400],
  ])('%s %o is refused with %i, and nothing is changed', async (wallet, body, status) => {
    const before = client.sandbox.readState(1).wallets;
    expect((await change(wallet, body)).status).toBe(status);
    expect(client.sandbox.readState(1).wallets).toEqual(before);
  });
});

// What a turn wrote is committed or undone together: a refusal inside it would take the payments of others along.
test.each<[string, (sandbox: SandboxClient['sandbox']) => unknown]>([
  ['a wallet that is not there', (sandbox) => sandbox.changeWallet('payout', 'XXX', { kind: 'empty' })],
  [
    'an amount too large',
    (sandbox) => sandbox.changeWallet('payout', 'KES', { kind: 'top_up', amount: '999999999999.99' }),
  ],
  ['a payment that is not there', (sandbox) => sandbox.setPaymentState('none', 'succeeded')],
  ['a delivery that is not there', (sandbox) => sandbox.redeliver('none')],
  ['a key that is none', (sandbox) => sandbox.registerKeys(['none'], 'add')],
])('refusing %s undoes nothing of its turn', async (_what, refuse) => {
  const before = client.sandbox.readState(1).wallets.find(({ product }) => product === 'payout')!;
  const accepted = client.initiate('payout', makePayout());
  expect(() => refuse(client.sandbox)).toThrow();
  client.sandbox.changeWallet('payout', 'KES', { kind: 'top_up', amount: '1' });
  expect((await accepted).status).toBe(201);
  const after = client.sandbox.readState(1).wallets.find(({ product }) => product === 'payout')!;
  expect(Number(after.actualBalance)).toBe(Number(before.actualBalance) + 1);
});
