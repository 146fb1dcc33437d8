import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clientKeys, startService } from './support/service-client';
import { startReceiver } from './support/webhook-receiver';
import { because } from '../support/programs';
import { makeTemporaryFolder } from '../support/temporary';

const run = promisify(execFile);

test('1 a client of curl and openssl alone lives through a payout, a remittance and a collection', async ({
  skip,
}) => {
  skip(...because('curl', 'openssl'));
  const folder = makeTemporaryFolder('shell-client');
  const receiver = await startReceiver();
  const service = await startService({ settings: { settleMs: 300 } });
  try {
    const key = join(folder, 'key.pem');
    writeFileSync(key, clientKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const { stdout } = await run('sh', [resolve(import.meta.dirname, 'support/life-of-payments.sh')], {
      env: {
        PATH: process.env.PATH,
        BASE_URL: service.baseUrl,
        CONSUMER_KEY: service.consumerKey,
        CONSUMER_SECRET: service.consumerSecret,
        PRIVATE_KEY: key,
        CALLBACK_URL: receiver.url,
      },
    });
    expect(
      stdout
        .replace(/accepted \d+/g, 'accepted')
        .trim()
        .split('\n'),
    ).toEqual([
      ...['payout', 'remittance'].flatMap((product) => [
        `${product} accepted`,
        `${product} duplicate ignored`,
        `${product} signature refused`,
        `${product} succeeded`,
        `${product} balance 998990`,
      ]),
      'collection accepted',
      'collection paid',
      'collection balance 500',
    ]);
    const webhooks = await receiver.waitFor(3);
    expect(webhooks.map(({ json }) => [json.client_reference, json.status, json.metadata])).toEqual([
      ['sh-payout', 'SUCCESS', { by: 'shell' }],
      ['sh-remittance', 'SUCCESS', { by: 'shell' }],
      ['sh-collection', 'SUCCESS', { by: 'shell' }],
    ]);
  } finally {
    await service.close();
    await receiver.close();
  }
});
