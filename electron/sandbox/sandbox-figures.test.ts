import { expect, test } from 'vitest';
import { makePayout, startTestSandbox } from '../../test/support/sandbox-client';
import { createSandboxFigures } from './sandbox-figures';

test('figures have bounded labels, whatever is sent, and name no reference, tenant or secret', async () => {
  const figures = await createSandboxFigures();
  const client = await startTestSandbox({ settings: { settleMs: 0, retries: 'none' }, ...figures.hooks });
  figures.watch(client.sandbox);
  await client.sandbox.tenants.create({
    name: 'acme-team',
    ttlSeconds: null,
    callbackHosts: [],
    publicKeys: [],
  });
  const body = makePayout({ reference: 'R-of-a-customer' });
  expect((await client.initiate('payout', body)).status).toBe(201);
  expect((await client.initiate('payout', body)).status).toBe(200);
  for (const path of ['/a', '/b"} 1\n', '/%0Ac{d="e"}']) {
    await client.request('POST', encodeURI(path), { consumer_secret: client.sandbox.consumerSecret });
  }
  await expect
    .poll(async () => (await figures.readFigures()).text)
    .toContain('attempts_total{state="failed"} 1');
  const { text } = await figures.readFigures();
  const own = text.split('\n').filter((line) => line.startsWith('countersign_sandbox_requests_total'));
  expect(own.sort()).toEqual(
    [
      '{operation="none",verdict="not_found",status_class="4xx"} 3',
      '{operation="payout",verdict="accepted",status_class="2xx"} 1',
      '{operation="payout",verdict="duplicate",status_class="2xx"} 1',
      '{operation="token",verdict="ok",status_class="2xx"} 1',
    ].map((line) => `countersign_sandbox_requests_total${line}`),
  );
  expect(text).toContain('countersign_sandbox_request_duration_seconds_count{operation="payout"} 2');
  expect(text).toContain('countersign_sandbox_tenants 1');
  const { consumerKey, consumerSecret, adminToken } = client.sandbox;
  for (const secret of ['R-of-a-customer', 'acme-team', consumerKey, consumerSecret, adminToken]) {
    expect(text).not.toContain(secret);
  }
  await client.sandbox.close();
});
