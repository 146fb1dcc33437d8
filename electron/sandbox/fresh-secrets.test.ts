import { expect, test } from 'vitest';
import { makePayout, startTestSandbox } from '../../test/support/sandbox-client';

/** Everything of a sandbox that nobody may be able to foretell. */
async function readSecrets() {
  const client = await startTestSandbox();
  const { sandbox } = client;
  const answer = await client.initiate('payout', makePayout());
  const checkout = await client.initiate('collection', { ...makePayout() });
  const token = await client.token('payout');
  const second = await client.request('POST', '/auth/v1/token', {
    consumer_key: sandbox.consumerKey,
    consumer_secret: sandbox.consumerSecret,
    product: 'payout',
  });
  const secrets = {
    consumerKey: sandbox.consumerKey,
    consumerSecret: sandbox.consumerSecret,
    adminToken: sandbox.adminToken,
    webhookSecret: sandbox.revealWebhookSecret(),
    token,
    secondToken: second.body.access_token as string,
    requestId: answer.headers.get('x-request-id')!,
    secondRequestId: checkout.headers.get('x-request-id')!,
    paymentUuid: answer.body.data.payment_uuid as string,
    paymentReference: answer.body.data.payment_reference as string,
  };
  return { client, secrets };
}

test('no secret, token or id of a sandbox is that of another, or comes twice', async () => {
  const [first, second] = await Promise.all([readSecrets(), readSecrets()]);
  const values = [...Object.values(first.secrets), ...Object.values(second.secrets)];
  expect(new Set(values).size).toBe(values.length);
  // The signing key differs, too: what one issued the other does not know.
  const answer = await second.client.request('GET', '/tsq/v1/wallet-balances', undefined, {
    authorization: `Bearer ${first.secrets.token}`,
  });
  expect(answer.status).toBe(401);
  const idOf = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }).jti;
  expect(idOf(first.secrets.token)).not.toBe(idOf(first.secrets.secondToken));
  await Promise.all([first, second].map(({ client }) => client.sandbox.close()));
});
