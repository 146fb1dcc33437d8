import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('cli-list-products');

it('status --list without a product tries first the one that found the payment before, and keeps its rate of queries', async () => {
  const asked: { product: string; reference: string; at: number }[] = [];
  const service = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { product?: string; transaction_reference?: string };
    const token = `token-of-${body.product}`;
    let answer: object = { access_token: token, token_type: 'Bearer', expires_in: 3600 };
    if (request.url !== '/auth/v1/token') {
      const product = request.headers.authorization!.replace('Bearer token-of-', '');
      const reference = body.transaction_reference!;
      asked.push({ product, reference, at: performance.now() });
      const isFound = product === 'collection' && reference !== 'R-3';
      if (!isFound) response.statusCode = 404;
      answer = isFound
        ? { status: '200.100', code: 'ACCEPTED', data: { state: 'succeeded', payment_uuid: '1' } }
        : { status: 'NOT_FOUND', code: '404.001.000' };
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  const list = join(directory, 'list.txt');
  writeFileSync(list, 'R-1\nR-2\nR-3\nR-4\n');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const command = startCli(['status', '--list', list, '--per-second', '10', '--base-url', url], {
    env: { COUNTERSIGN_CONSUMER_KEY: 'k', COUNTERSIGN_CONSUMER_SECRET: 's' },
  });
  await once(command.child, 'close');
  expect(command.child.exitCode).toBe(1);
  service.close();
  expect(command.readErrors()).toContain('3 of 4 found.');
  expect(asked.map(({ product, reference }) => `${reference} ${product}`)).toEqual([
    'R-1 payout',
    'R-1 remittance',
    'R-1 collection',
    'R-2 collection',
    'R-3 collection',
    'R-3 payout',
    'R-3 remittance',
    'R-4 collection',
  ]);
  const gaps = asked.slice(1).map(({ at }, index) => at - asked[index]!.at);
  // A query leaves a moment before it arrives, one sooner than the other.
  expect(Math.min(...gaps)).toBeGreaterThan(60);
});
