import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJsonTree, textOf } from '@shared/json/json-tree';
import { lintFound } from '@shared/signing/lints';
import { findSignedFields } from '@shared/signing/signed-fields';
import {
  makePayout,
  signBody,
  startTestSandbox,
  testPublicPem,
  type SandboxClient,
} from '../../../test/support/sandbox-client';
import { runDiagnosis } from '../../platform/doctor/run-diagnosis';

let client: SandboxClient;
beforeAll(async () => {
  client = await startTestSandbox({ settings: { settleMs: 0, retries: 'none' } });
});
afterAll(() => client.sandbox.close());

/** Writes the first letter of every name as an escape: another spelling of the same names. */
function escapeNames(json: string): string {
  return json.replace(/"(\w)(\w*)":/g, (_all, first: string, rest: string) => {
    return `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}${rest}":`;
  });
}

const metadataOf = (reference: string): unknown => {
  const delivery = client.sandbox.listDeliveries(100).find((one) => one.transactionReference === reference);
  return delivery === undefined ? undefined : (JSON.parse(delivery.body) as { metadata: unknown }).metadata;
};

test('names written with escapes are the same names to preview, sandbox and doctor alike', async () => {
  const payout = makePayout({}, {}, { meta: { invoice: 'INV-7' } });
  const body = escapeNames(JSON.stringify(payout));
  expect(body).toContain('"\\u006deta":');
  const answer = await client.initiate('payout', body);
  expect(answer.status).toBe(201);
  client.sandbox.advanceClock(1);
  expect(metadataOf(payout.transaction.reference)).toEqual({ invoice: 'INV-7' });
  const key = { pem: testPublicPem, name: null, environment: null, fingerprint: '' };
  const question = { body, signature: signBody(body), key, otherKeys: [], claimedString: null, earlier: [] };
  expect((await runDiagnosis(question)).verdict).toBe('valid');
  expect(textOf(readJsonTree(body), 'transaction', 'reference')).toBe(payout.transaction.reference);
});

test('a name that stands there twice, once with an escape, is warned of, and its last value counts', async () => {
  const payout = makePayout({ reference: 'first' });
  const body = JSON.stringify(payout)
    .replace('"reference":"first"', '"reference":"first","\\u0072eference":"twice-1"')
    .replace(/\}$/, ',"meta":{"a":1},"m\\u0065ta":{"a":2}}');
  expect(lintFound(body, findSignedFields(body)).map(({ code }) => code)).toContain('duplicate_key');
  const answer = await client.initiate('payout', body);
  expect(answer.body.data.transaction_reference).toBe('twice-1');
  client.sandbox.advanceClock(1);
  expect(metadataOf('twice-1')).toEqual({ a: 2 });
});

test('a status query and a sample webhook are read by the same names', async () => {
  const payout = makePayout();
  await client.initiate('payout', payout);
  const query = escapeNames(JSON.stringify({ transaction_reference: payout.transaction.reference }));
  expect((await client.status('payout', query)).status).toBe(200);
  const sample = escapeNames(
    JSON.stringify({
      callback_url: 'http://127.0.0.1:9/',
      status: 'SUCCESS',
      client_reference: 'sample-1',
      amount: 1,
      metadata: { b: 1 },
    }),
  ).replace(':1,', ':1.00,');
  const sent = await client.request('POST', '/developer-tools/webhooks/send-test', sample);
  expect(sent.status).toBe(200);
  const delivery = client.sandbox.listDeliveries(100).find((one) => one.transactionReference === 'sample-1');
  expect(delivery?.body).toContain('"amount":1.00,');
  expect(metadataOf('sample-1')).toEqual({ b: 1 });
});
