import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('environment-names');
const data = join(folder, 'data');

async function callOnce(method: string, input: object): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runOnce(['call', method, '--data', data], {
    input: JSON.stringify(input),
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

it('what was sent follows an environment that gets another name', async () => {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(folder, 'a.http');
  writeFileSync(file, 'GET {{base_url}}/a\n');
  await callOnce('environments.save', { name: 'uat', kind: 'sandbox', baseUrl });
  const sent = await runOnce(['send', file, '--env', 'uat', '--data', data]);
  server.close();
  expect(sent.exitCode).toBe(0);
  await callOnce('environments.save', { id: 'data/uat', name: 'test', kind: 'sandbox', baseUrl });
  expect(await callOnce('history.list', {})).toMatchObject({ exchanges: [{ environment: 'data/test' }] });
});
