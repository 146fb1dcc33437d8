import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { payoutBlock } from '../support/counting-service';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const taken = '{"status":"200.100","code":"ACCEPTED","description":"ok","data":{"payment_uuid":"1"}}';
const wallets =
  '{"code":200,"status":"SUCCESS","description":"ok","results":[{"currency":"KES","actual_balance":10,"available_balance":10,"status":"ACTIVE"}]}';

/** Runs a payment, and one behind it that looks at the balance, which stays; gives what is advised there. */
async function advise(status: readonly [httpStatus: number, body: string]): Promise<string> {
  const server = createServer((request, response) => {
    const [httpStatus, body] = request.url?.startsWith('/payments/')
      ? ([201, taken] as const)
      : request.url?.includes('wallet-balances')
        ? ([200, wallets] as const)
        : status;
    request.resume().on('end', () => {
      response.writeHead(httpStatus, { 'Content-Type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const folder = makeTemporaryFolder('balances');
  const balance = payoutBlock('balance', ['expect balance changes by -5 within 300ms'], 'R-2');
  writeFileSync(join(folder, 'a.http'), `${payoutBlock('before', [], 'R-1')}${balance}`);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { json } = await runOnce(['run', 'a.http', '--base-url', url, '--json'], {
    cwd: folder,
    env: { COUNTERSIGN_TOKEN: 'token-of-the-run' },
  });
  await new Promise((done) => server.close(done));
  const [judged] = json[1]!['expectations'] as { outcome: string; advice: string }[];
  expect(judged!.outcome).toBe('failed');
  return judged!.advice;
}

it('names, where a balance is not what was expected, the earlier payments that may have moved it, and no others', async () => {
  const unknown = await advise([500, '{"status":"FAILED","code":"400.500","description":"x","data":null}']);
  expect(unknown).toMatch(/Not known to be final when this left, and in the same balance: R-1\.$/);
  const final = await advise([
    200,
    '{"status":"200.100","code":"ACCEPTED","data":{"transaction_reference":"R-1","state":"failed"}}',
  ]);
  const nobody = await advise([404, '{"status":"NOT_FOUND","code":"404.001.000","data":null}']);
  for (const advice of [final, nobody]) expect(advice).toMatch(/^Amount and charge .*this wallet\.$/);
});
