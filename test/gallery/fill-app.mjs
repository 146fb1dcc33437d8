import { postWebhooks, sendPayment } from './made-payments.mjs';
import { payThroughProxy, startReceiver } from './your-backend.mjs';

/** Longer than any field is wide, from right to left, with characters of two UTF-16 units and one that turns text around. */
export const odd = `مرجع-الدفع-😀-\u202Egnp.exe-${'9'.repeat(160)}`;

const accounts = [
  '254712345678',
  '254712340001',
  '254712340003',
  '254712345679',
  '254712340002',
  '254712340004',
];
const people = [
  'Joseph Kamau',
  'Amina Yusuf',
  'Chidi Okafor',
  'Wanjiku Mwangi',
  'Ben Okello',
  'Leila Haddad',
];
const products = ['payout', 'remittance', 'payout', 'collection'];
const webhookStates = ['SUCCESS', 'SUCCESS', 'FAILED', 'SUCCESS', 'CANCELED', 'SUCCESS', 'SUCCESS'];

/** Puts 24 payments, 210 webhooks, keys, environments, a proxied backend and a receiver check into an empty app. */
export async function fillApp(app) {
  const { call } = app;
  await call('sandbox.updateSettings', { settleMs: 100 });
  await postWebhooks((await call('app.status')).listener.url, listWebhooks(), await readSecret(call));
  for (let count = 0; count < 24; count += 1) {
    await sendPayment(app, products[count % 4], `INV-2026-${2001 + count}`, {
      amount: 1000 + 137.5 * count,
      account: accounts[count % accounts.length],
      recipient: people[count % people.length],
    });
    if (count % 6 === 5) await readBalances(call);
  }
  await call('keys.generate', { name: 'Sandbox 2026', environment: null });
  await call('environments.save', {
    name: 'staging',
    kind: 'sandbox',
    baseUrl: 'https://staging.payments.example',
    variables: { api_key: 'k-1234567890' },
  });
  await call('environments.save', {
    name: 'production',
    kind: 'production',
    baseUrl: 'https://api.payments.example',
    variables: {},
  });
  await call('credentials.save', {
    environment: 'data/production',
    consumerKey: 'ck_live_4821',
    consumerSecret: 'not-a-real-secret',
  });
  await payThroughProxy(app);
  const scenarios = [
    'success',
    'failed',
    'canceled',
    'duplicate',
    'out-of-order',
    'extra-fields',
    'amount-form',
  ];
  await call('receiver.check', { url: await startReceiver(app), scenarios });
}

async function readBalances(call) {
  for (const product of ['payout', 'remittance', 'collection'])
    await call('balances.fetch', { environment: 'local', product });
}

async function readSecret(call) {
  const { secret } = await call('sandbox.revealWebhookSecret');
  return secret;
}

function listWebhooks() {
  return Array.from({ length: 210 }, (_, count) => ({
    status: webhookStates[count % webhookStates.length],
    code: '200.100',
    amount: 500 + 25 * count,
    currency: 'KES',
    client_reference: `INV-2026-${String(1000 + count)}`,
    payment_uuid: String(990_000_000 + count),
  }));
}

/** Puts very long, Arabic, reversed and emoji values where values stand. */
export async function fillOddly(app) {
  const { call } = app;
  const { listener } = await call('app.status');
  await sendPayment(app, 'payout', odd.slice(0, 120), { recipient: odd, amount: 123456789012.5 });
  await sendPayment(app, 'payout', `${odd.slice(0, 90)}-refused`, {
    recipient: odd,
    account: '254712340004',
  });
  await postWebhooks(listener.url, [
    {
      status: 'SUCCESS',
      amount: 99999999999.99,
      client_reference: odd,
      payment_uuid: odd,
      metadata: { [odd]: odd },
    },
  ]);
  await call('keys.generate', { name: odd.slice(0, 60), environment: null });
  await call('environments.save', {
    name: 'a-team-name-that-is-much-longer-than-any-column-is-wide-2026',
    kind: 'sandbox',
    baseUrl: `https://${'long-name.'.repeat(12)}payments.example`,
    variables: { [`very_long_name_${'x'.repeat(60)}`]: odd },
  });
  const { activeId } = await call('collections.list');
  await call('collections.create', {
    collectionId: activeId,
    name: 'مرجع 😀 a request whose name is longer than the tree and its tab are wide',
    kind: 'request',
    text: `# @operation payout\nPOST {{base_url}}/payments/v1/payouts\nX-Note: ${'n'.repeat(300)}\n\n${JSON.stringify(
      {
        transaction: { reference: odd, amount: 1500, service_code: 'MPESA-B2C' },
        originator: { country: 'KE' },
      },
      null,
      2,
    )}\n`,
  });
}
