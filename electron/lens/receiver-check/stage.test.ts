import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createWebhookSecret } from '../../platform/crypto/standard-webhooks';
import { OwnEffects } from './own-effects';
import { createPayment, reportPayment } from './played-webhook';
import { Stage } from './stage';

const secret = createWebhookSecret();
const server = createServer((_request, response) =>
  response.writeHead(302, { location: `/configured/${secret.slice(6)}/hooks` }).end(),
).listen(0, '127.0.0.1');
afterAll(() => void server.close());

it('shows the secret neither in what changed in the state nor in where a redirect leads', async () => {
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`);
  const options = { url, secret, state: null, timeoutMs: 2000, retryWaitsMs: [] };
  const stage = new Stage(options, new OwnEffects());
  const key = secret.slice(6);
  const told = [
    stage.describeChange({}, { configured: secret }),
    stage.describeChange({ set: [1] }, { set: [1, `key ${key}`] }),
    await stage.deliver(reportPayment(createPayment()), 'The webhook').then(String, String),
  ];
  expect(told[2]).toContain('a redirect to /configured/');
  for (const text of told) expect(text).not.toContain(key.slice(4, -4));
});
