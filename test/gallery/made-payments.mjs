import { createHmac, randomUUID } from 'node:crypto';

/** Bodies of payments as an engineer would have them; `changes` go over the parts. */
const makers = {
  payout: (reference, { amount, account, callbackUrl, recipient }) => ({
    transaction: {
      reference,
      amount,
      currency: 'KES',
      description: 'Salary',
      service_code: 'MPESA-B2C',
      timestamp: '2026-11-22T09:30:00Z',
    },
    originator: {
      msisdn: '254720000555',
      channel: 'API',
      country: 'KE',
      name: 'Baraka Foods Ltd',
      purpose: 'Salary',
    },
    recipient: { reference: 'EMP-0042', account, name: recipient, destination_code: 'MPESA' },
    callback_url: callbackUrl,
    meta: { batch: 'salaries' },
  }),
  remittance: (reference, { amount, account, callbackUrl, recipient }) => ({
    transaction: {
      reference,
      amount,
      currency: 'KES',
      description: 'Family support',
      service_code: 'MPESA',
      timestamp: '2026-11-22 09:30:00',
    },
    originator: {
      originator_type: 'Individual',
      first_name: 'Ann',
      other_names: 'Wanjiru',
      dob: '1990-02-28',
      nationality: 'Kenyan',
      id_type: 'PASSPORT',
      id_number: 'A1234567',
      id_expiry_date: '2032-02-29',
      address: 'Nairobi',
      company_name: 'none',
      company_registration: 'none',
      service_provider: 'Sender Ltd',
      msisdn: '254700000000',
      channel: 'API',
      country: 'KE',
      purpose: 'Education',
    },
    recipient: {
      recipient_type: 'Individual',
      first_name: recipient,
      other_names: 'Okello',
      id_type: 'NATIONAL-ID',
      id_number: '1',
      id_expiry_date: '2032-01-01',
      dob: '1985-12-31',
      address: 'Kampala',
      company_name: 'none',
      company_registration: 'none',
      msisdn: '256700000000',
      country: 'UGA',
      nationality: 'Ugandan',
      relationship: 'Brother',
      reference: 'rec-1',
      account_type: 'MOMO',
      account,
      bank_code: '01',
    },
    callback_url: callbackUrl,
    meta: { order: 7 },
  }),
  collection: (reference, { amount, account, callbackUrl, recipient }) => ({
    transaction: { reference, amount, currency: 'KES', description: 'A book' },
    customer: { name: recipient, msisdn: account, email: 'cleo@example.com' },
    callback_url: callbackUrl,
    redirect_url: 'https://shop.example/thanks',
    meta: { cart: 'c-1' },
  }),
};

const paths = {
  payout: '/payments/v1/payouts',
  remittance: '/payments/v1/remittance',
  collection: '/payments/v1/collections',
};
const titles = { payout: 'Salary payout', remittance: 'Remittance to M-Pesa', collection: 'Checkout' };

/** The body of a payment. */
export function makeBody(product, reference, options) {
  const usual = { amount: 1500, account: '254712345678', recipient: 'Joseph Kamau', callbackUrl: '' };
  return JSON.stringify(makers[product](reference, { ...usual, ...options }), null, 2);
}

/** Sends a payment as the Requests view does, signed by the app. */
export async function sendPayment({ call }, product, reference, options = {}) {
  const { environment } = await call('app.status');
  const signature = product === 'collection' ? [] : [['X-Custom-Signature', '{{signature}}']];
  return call('sending.send', {
    environment: environment.id,
    operation: product,
    title: titles[product],
    method: 'POST',
    url: `${environment.baseUrl}${paths[product]}`,
    headers: [
      ['Authorization', `Bearer {{token.${product}}}`],
      ...signature,
      ['Content-Type', 'application/json'],
    ],
    body: makeBody(product, reference, { callbackUrl: environment.variables.callback_url, ...options }),
  });
}

/** Posts webhooks to the listener, ten at a time; signed as the service signs, where there is a secret. */
export async function postWebhooks(url, bodies, secret = null) {
  for (let first = 0; first < bodies.length; first += 10) {
    await Promise.all(
      bodies.slice(first, first + 10).map((body) => postWebhook(url, JSON.stringify(body), secret)),
    );
  }
}

async function postWebhook(url, body, secret) {
  const id = `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(secret === null ? {} : signed) },
    body,
  });
  await response.arrayBuffer();
}
