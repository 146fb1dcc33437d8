import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { makeBody } from './made-payments.mjs';

/** A backend of the user's own that pays through the proxy: two payments right, one signed wrongly, one without a field. */
export async function payThroughProxy({ call }) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  await call('sandbox.registerKeys', { pems: [pem], mode: 'add' });
  const { consumerKey, consumerSecret } = await call('sandbox.makeBackendCredentials');
  const { sandbox, listener } = await call('app.status');
  const { url } = await call('proxy.start', { target: sandbox.baseUrl, port: 0, publicKey: pem });
  const post = (path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret, product: 'payout' };
  const token = await (await post('/auth/v1/token', JSON.stringify(credentials))).json();
  const pay = async (reference, separator, amount = 1500) => {
    const body = makeBody('payout', reference, { amount, callbackUrl: `${listener.url}/hooks` });
    const text = [reference, amount, 'KE', 'MPESA-B2C'].join(separator);
    const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
    const headers = { authorization: `Bearer ${token.access_token}`, 'X-Custom-Signature': signature };
    await (await post('/payments/v1/payouts', body, headers)).arrayBuffer();
  };
  for (const [reference, separator] of [
    ['PAY-2026-1001', ''],
    ['PAY-2026-1002', ''],
    ['PAY-2026-1003', '|'],
  ])
    await pay(reference, separator);
  const unsigned = makeBody('payout', 'PAY-2026-1004', { amount: -5 });
  await (
    await post('/payments/v1/payouts', unsigned, { authorization: `Bearer ${token.access_token}` })
  ).arrayBuffer();
  await (await fetch(`${url}/tsq/v1/wallet-balances?currency=KES`)).arrayBuffer();
}

/** Starts a webhook handler that fails where a payment failed. @returns its address */
export async function startReceiver({ onStop }) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => response.writeHead(body.includes('"FAILED"') ? 500 : 200).end());
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  onStop(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/hooks`;
}
