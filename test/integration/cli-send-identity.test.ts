import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openServices } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

let folder: string;
let data: string;
let shop: string;
let baseUrl: string;
let server: Server;
let received: string[];

const writeEnvironments = (address: string): void =>
  writeFileSync(join(shop, 'http-client.env.json'), JSON.stringify({ uat: { base_url: address } }));
const send = (file: string, ...rest: string[]) =>
  runOnce(['send', file, '--env', 'uat', '--data', data, '--json', ...rest]);

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.end('{"status":"200.100","code":"ACCEPTED"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = makeTemporaryFolder('send-identity');
  data = join(folder, 'data');
  shop = join(folder, 'shop');
  mkdirSync(join(shop, 'deep'), { recursive: true });
  writeEnvironments(baseUrl);
  const text = '### One\n# @name One\nGET {{base_url}}/one\n\n### Two\n# @name Two\nGET {{base_url}}/two\n';
  for (const file of [join(shop, 'deep', 'ask.http'), join(folder, 'loose.http')]) writeFileSync(file, text);
});
afterEach(() => server.close());

it('keeps what was sent under its request where the file lies in an open collection, else under none', async () => {
  const services = openServices(data);
  const { id } = await services.router.call('collections.open', { directory: shop });
  await services.close();
  await send(join(shop, 'deep', 'ask.http'), '--name', 'Two');
  await runOnce([
    ...['send', join(folder, 'loose.http'), '--name', 'One', '--base-url', baseUrl, '--data', data],
  ]);
  const again = openServices(data);
  const { exchanges } = await again.router.call('history.list', {});
  await again.close();
  expect(received).toEqual(['/two', '/one']);
  expect(exchanges.map(({ identity }) => identity)).toEqual([
    null,
    { collectionId: id, path: 'deep/ask.http', block: 'Two' },
  ]);
});

it('keeps what a run sent under its requests, too', async () => {
  const services = openServices(data);
  const { id } = await services.router.call('collections.open', { directory: shop });
  await services.close();
  const run = ['run', shop, join(folder, 'loose.http'), '--env', 'uat', '--data-directory', data];
  expect(await runOnce(run)).toMatchObject({ exitCode: 0 });
  const again = openServices(data);
  const { exchanges } = await again.router.call('history.list', {});
  await again.close();
  expect(exchanges.map(({ identity, url }) => [identity, new URL(url).pathname])).toEqual([
    [null, '/two'],
    [null, '/one'],
    [{ collectionId: id, path: 'deep/ask.http', block: 'Two' }, '/two'],
    [{ collectionId: id, path: 'deep/ask.http', block: 'One' }, '/one'],
  ]);
});

it('sends nothing to an address that its credentials were not kept for, and names both', async () => {
  const services = openServices(data);
  const { id } = await services.router.call('collections.open', { directory: shop });
  const environment = `${id}/uat`;
  await services.router.call('credentials.save', { environment, consumerKey: 'ck', consumerSecret: 'cs' });
  await services.close();
  writeEnvironments('http://127.0.0.1:9');
  const result = await send(join(shop, 'deep', 'ask.http'), '--name', 'One');
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('"environments.address_changed"');
  expect(result.stderr).toContain(
    `is for ${baseUrl}, and it is at http://127.0.0.1:9 now. Nothing was sent.`,
  );
  expect(received).toEqual([]);
});

it('gives the answer to a payment whose reference cannot be kept, and says that: an error would have it sent again', async () => {
  const text = `# @operation payout\nPOST {{base_url}}/payments/v1/payouts\n\n{"transaction":{"reference":"R-1"}}\n`;
  writeFileSync(join(shop, 'deep', 'pay.http'), text);
  const services = openServices(data);
  await services.router.call('collections.open', { directory: shop });
  await services.close();
  await send(join(shop, 'deep', 'ask.http'), '--name', 'One');
  // No setting can be written beside it.
  rmSync(join(data, 'settings.lock'), { force: true });
  mkdirSync(join(data, 'settings.lock'));
  const { exitCode, stderr, json } = await send(join(shop, 'deep', 'pay.http'));
  expect([exitCode, received]).toEqual([0, ['/one', '/payments/v1/payouts']]);
  expect(json).toMatchObject([{ http_status: 200, reference: 'R-1' }]);
  expect(stderr).toMatch(/The reference of what was sent is not kept: .*settings\.lock is a folder/);
});
