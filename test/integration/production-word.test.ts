import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runOnce } from './cli-once';

/** Two services: one of tests, which points to the other, and that is production. */
let directory: string;
let data: string;
let test: Server;
let live: Server;
let received: string[];

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function serve(name: string, answer: () => object): Promise<Server> {
  const server = createServer((request, response) => {
    received.push(`${name} ${request.method} ${request.url}`);
    request.resume();
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-word-'));
  data = join(directory, 'data');
  live = await serve('live', () => ({}));
  test = await serve('test', () => ({ host: addressOf(live).replace('127.0.0.1', 'localhost') }));
  for (const one of [
    { name: 'dev', kind: 'sandbox', baseUrl: addressOf(test) },
    { name: 'ours', kind: 'production', baseUrl: addressOf(live) },
  ])
    await runOnce(['call', 'environments.save', '--data', data], { input: JSON.stringify(one) });
});
beforeEach(() => (received = []));
afterAll(() => {
  test.close();
  live.close();
  rmSync(directory, { recursive: true, force: true });
});

function run(text: string, ...more: string[]) {
  const file = join(directory, 'a.http');
  writeFileSync(file, text);
  return runOnce(['run', file, '--env', 'dev', '--data-directory', data, ...more]);
}

const captured = `### where
# @capture host = body host
GET {{base_url}}/where

### pay
POST {{host}}/pay

{"amount":1}
`;

it('sends nothing to production at an address that was captured, and says what to do', async () => {
  const { exitCode, stdout } = await run(captured);
  expect(received).toEqual(['test GET /where']);
  expect(exitCode).toBe(2);
  expect(stdout).toContain("--production 'ours'");
});

it('sends it there where the run was told of that environment, and of no other', async () => {
  expect((await run(captured, '--production', 'dev')).exitCode).toBe(2);
  expect(received).toEqual(['test GET /where']);
  expect((await run(captured, '--production', 'ours')).exitCode).toBe(0);
  expect(received.slice(1)).toEqual(['test GET /where', 'live POST /pay']);
});

it.each([
  ['the rows', () => ['--data', 'rows']],
  ['the call', () => ['--var', `row.host=${addressOf(live)}`]],
])('sends nothing at all where an address of %s is one of production', async (_name, more) => {
  const rows = join(directory, 'rows.csv');
  writeFileSync(rows, `host\n${addressOf(test)}\n${addressOf(live)}\n`);
  const given = more().map((one) => (one === 'rows' ? rows : one));
  const { exitCode, stderr } = await run('POST {{row.host}}/pay\n\n{"amount":1}\n', ...given);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('(cli.not_confirmed)')]);
  expect(received).toEqual([]);
});
