import { afterAll, beforeAll, expect, test } from 'vitest';
import { payout, referenceOf } from '../support/bodies';
import { bundleSandbox, killAtOnce, type Addresses } from './support/sandbox-process';
import { clientKeys, exchange, paths, signText, stringToSign } from './support/service-client';
import { startReceiver } from './support/webhook-receiver';
import { makeTemporaryFolder } from '../support/temporary';
import { casesOf } from '../support/effort';

const ROUNDS = casesOf(2, 4);
const CLIENTS = 16;
/** Clients send until so many were accepted in a round; then the process is killed while they still send. */
const ACCEPTED_A_ROUND = 60;

let bundle: Awaited<ReturnType<typeof bundleSandbox>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let folder: string;
beforeAll(async () => {
  folder = makeTemporaryFolder('killed');
  bundle = await bundleSandbox();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  bundle.remove();
});

const startOne = () =>
  bundle.start({
    port: 0,
    dataDirectory: folder,
    adminToken: 'admin',
    publicKeys: [clientKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    settings: { settleMs: 100, retries: 'fast' },
  });

async function fetchToken({ baseUrl, consumerKey, consumerSecret }: Addresses): Promise<string> {
  const body = JSON.stringify({
    consumer_key: consumerKey,
    consumer_secret: consumerSecret,
    product: 'payout',
  });
  const answer = await exchange(baseUrl, 'POST', paths.token, body, { 'content-type': 'application/json' });
  return answer.json.access_token as string;
}

/** Sends payouts until the connection breaks; gives the references that were answered 201. */
async function sendUntilBroken(baseUrl: string, token: string, accepted: Map<string, number>): Promise<void> {
  for (;;) {
    const amount = 1 + (accepted.size % 50);
    const body = payout({ 'transaction.amount': amount, callback_url: receiver.url });
    try {
      const { httpStatus } = await exchange(baseUrl, 'POST', paths.payout, JSON.stringify(body), {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-custom-signature': signText(stringToSign(body)),
      });
      if (httpStatus === 201) accepted.set(referenceOf(body), amount);
    } catch {
      return;
    }
  }
}

interface StateView {
  payments: { transaction_reference: string; state: string; amount: string; charges: string }[];
  wallets: {
    product: string;
    currency: string;
    actual_balance: string;
    available_balance: string;
    held_balance: string;
  }[];
}

async function readState(baseUrl: string): Promise<StateView> {
  const headers = { authorization: 'Bearer admin' };
  return (await exchange(baseUrl, 'GET', '/_sandbox/state?limit=1000', undefined, headers)).json as StateView;
}

test('8 invariant: kill -9 under load loses no acceptance, no money and no webhook', async () => {
  const accepted = new Map<string, number>();
  for (let round = 1; round <= ROUNDS; round++) {
    const { child, addresses } = await startOne();
    const token = await fetchToken(addresses);
    const clients = Array.from({ length: CLIENTS }, () =>
      sendUntilBroken(addresses.baseUrl, token, accepted),
    );
    await expect
      .poll(() => accepted.size, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(round * ACCEPTED_A_ROUND);
    await killAtOnce(child);
    await Promise.all(clients);
  }

  const { child, addresses } = await startOne();
  await expect
    .poll(
      async () =>
        (await readState(addresses.baseUrl)).payments.filter(({ state }) => state === 'processing').length,
      { timeout: 60_000 },
    )
    .toBe(0);
  const { payments, wallets } = await readState(addresses.baseUrl);

  const references = payments.map((payment) => payment.transaction_reference);
  expect(new Set(references).size).toBe(references.length);
  const amounts = new Map(payments.map((payment) => [payment.transaction_reference, Number(payment.amount)]));
  for (const [reference, amount] of accepted) expect(amounts.get(reference), reference).toBe(amount);

  const wallet = wallets.find(({ product, currency }) => product === 'payout' && currency === 'KES')!;
  const cents = (text: string) => Math.round(Number(text) * 100);
  const taken = payments.reduce((sum, { amount, charges }) => sum + cents(amount) + cents(charges), 0);
  expect(payments.every(({ state }) => state === 'succeeded')).toBe(true);
  expect(cents(wallet.actual_balance)).toBe(100_000_000 - taken);
  expect(cents(wallet.available_balance)).toBe(cents(wallet.actual_balance));
  expect(cents(wallet.held_balance)).toBe(0);

  const idsOf = (reference: string) =>
    new Set(
      receiver.received
        .filter(({ json }) => json.client_reference === reference)
        .map(({ headers }) => headers['webhook-id']),
    );
  await expect
    .poll(() => references.filter((reference) => idsOf(reference).size === 0).length, {
      timeout: 60_000,
      interval: 200,
    })
    .toBe(0);
  for (const reference of references) expect(idsOf(reference).size, reference).toBe(1);
  await killAtOnce(child);
});
