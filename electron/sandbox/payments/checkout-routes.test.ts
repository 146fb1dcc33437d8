import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeCollection, startTestSandbox, type SandboxClient } from '../../../test/support/sandbox-client';
import { createCheckoutRoutes } from './checkout-routes';

let client: SandboxClient;
beforeAll(async () => {
  client = await startTestSandbox();
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

async function open(top: object = {}) {
  const body = makeCollection({}, top);
  const accepted = await client.initiate('collection', body);
  expect(accepted.status).toBe(201);
  const url: string = accepted.body.data.checkout_url;
  expect(url.startsWith(client.sandbox.baseUrl)).toBe(true);
  return {
    path: new URL(url).pathname,
    reference: body.transaction.reference,
    uuid: accepted.body.data.payment_uuid,
  };
}

const choose = (path: string, outcome: string) =>
  client.request('POST', path, `outcome=${outcome}`, { 'content-type': 'application/x-www-form-urlencoded' });

test('the page shows the payment, works without scripts and lets nothing in from elsewhere', async () => {
  const { path, reference } = await open();
  const page = await client.request('GET', path);
  expect(page.status).toBe(200);
  expect(page.body).toContain(reference);
  expect(page.body).toContain('A &lt;b&gt;book&lt;/b&gt;');
  expect(page.body).toContain('KES 505.00');
  expect(page.body).toContain('width=device-width');
  expect(page.body).not.toMatch(/<script|src=|@import|url\(/);
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' http://127.0.0.1:9");
  expect(policy).not.toContain('unsafe');
});

test.each([
  "http://shop.example;script-src'unsafe-inline'/",
  'http://shop.example,default-src*/',
  'https://*.example/',
  'http://user:secret@shop.example/back',
])('a way back to %s adds nothing to the policy but an origin', async (redirectUrl) => {
  const { path } = await open({ redirect_url: redirectUrl });
  const page = await client.request('GET', path);
  const policy = page.headers.get('content-security-policy')!;
  expect(policy.split(';').map((directive) => directive.trim().split(' ')[0])).toEqual([
    'default-src',
    'style-src',
    'form-action',
    'frame-ancestors',
    'base-uri',
  ]);
  const [targets = ''] = /form-action [^;]*/.exec(policy) ?? [];
  expect(["form-action 'self'", "form-action 'self' http://shop.example"]).toContain(targets);
  expect(policy).not.toMatch(/[,*]|unsafe|secret/);
});

test.each([
  ['pay', 'succeeded', 'SUCCESS', 500],
  ['fail', 'failed', 'FAILED', 0],
  ['cancel', 'canceled', 'CANCELED', 0],
])(
  '%s ends the payment as %s, moves the money, queues the webhook and leads back',
  async (choice, state, status, money) => {
    const { path, reference, uuid } = await open();
    const answer = await choose(path, choice);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `http://127.0.0.1:9/thanks?order=7&reference=${reference}&state=${state}`,
    );
    const found = await client.status('collection', { transaction_reference: reference });
    expect(found.body.data).toMatchObject({ state, payment_uuid: uuid, amount: 500, total_charges: 5 });
    expect(await client.balance('collection', 'KES')).toEqual({ actual: money, available: money });
    const [delivery] = client.sandbox.listDeliveries(1);
    expect(JSON.parse(delivery!.body)).toMatchObject({ status, client_reference: reference });
  },
);

test('a second choice changes nothing', async () => {
  const { path } = await open();
  await choose(path, 'fail');
  const second = await choose(path, 'pay');
  expect(second.headers.get('location')).toContain('state=failed');
  expect(await client.balance('collection', 'KES')).toEqual({ actual: 0, available: 0 });
  expect(client.sandbox.listDeliveries(10)).toHaveLength(1);
  expect((await client.request('GET', path)).body).toContain('Payment failed');
});

test('no choice, a strange one and an unknown checkout change nothing', async () => {
  const { path } = await open();
  expect((await choose(path, 'constructor')).status).toBe(400);
  expect((await choose(path, '')).status).toBe(400);
  expect((await client.request('PUT', path)).status).toBe(405);
  expect((await client.request('GET', '/checkout/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  expect((await client.request('GET', '/checkout/../etc')).status).toBe(404);
  expect(client.sandbox.readState(1).payments[0]!.state).toBe('processing');
});

test('a wallet that is not active takes no collection', async () => {
  const answer = await client.initiate('collection', makeCollection({ currency: 'UGX' }));
  expect(answer).toMatchObject({ status: 400, body: { status: '400.100', code: 'REJECTED', data: null } });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'shop.example', ''])(
  'no way leads back to %j, even where a store holds it',
  async (redirectUrl) => {
    const checkout = { id: 'x', description: 'A book', customerName: null, redirectUrl };
    const money = { amountMinor: 100n, chargesMinor: 1n, currency: 'KES' };
    const payment = { ...money, checkout, state: 'succeeded', reference: 'R-1', paymentUuid: '1' };
    const context = {
      payments: { findByCheckout: () => payment, findByUuid: () => payment },
      settlement: { finish: () => undefined },
      commit: { afterCommit: async () => null },
    };
    const answer = createCheckoutRoutes(() => [context as never]);
    const path = '/checkout/00000000-0000-4000-8000-000000000000';
    const page = await answer({ method: 'GET', path, body: Buffer.alloc(0) } as never);
    expect(page.body).not.toContain('<a ');
    const chosen = await answer({ method: 'POST', path, body: Buffer.from('outcome=pay') } as never);
    expect([chosen.httpStatus, chosen.headers.includes('Location')]).toEqual([200, false]);
  },
);

test('the page shows the beginning of texts that a browser takes minutes to lay out, and marks for what turns a line', async () => {
  const long = 'a\u05d0'.repeat(20_000);
  const name = '\u202eAnn';
  const accepted = await client.initiate(
    'collection',
    makeCollection({ description: long }, { customer: { name, msisdn: '254700000000', email: 'a@b.test' } }),
  );
  expect(accepted.status).toBe(201);
  const { body } = await client.request('GET', new URL(accepted.body.data.checkout_url).pathname);
  expect(body).toContain('(40,000 characters)</p>');
  expect(body).toContain('<p>[RLO]Ann</p>');
});
