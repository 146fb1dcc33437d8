import { createServer, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCli } from '../support/run-cli';
import { openWebClient, type WebClient } from '../support/web-client';
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

describe('in an app', () => {
  const call = async (folder: string, method: string, given: object): Promise<{ id: string }> => {
    const { stdout } = await runOnce(['call', method, '--data', folder], { input: JSON.stringify(given) });
    return JSON.parse(stdout) as { id: string };
  };
  const openApp = async (folder: string, env: Record<string, string> = {}) => {
    const app = startCli(['app', '--no-open', '--json', '--port', '0', '--data', folder], { env });
    const { url } = await app.waitForLine(({ event }) => event === 'ready');
    return { app, client: await openWebClient(url as string) };
  };
  const send = (client: WebClient, more: object) =>
    client.call('sending.send', {
      environment: 'data/dev',
      operation: 'other',
      identity: null,
      title: 'Pay',
      method: 'POST',
      url: `${addressOf(live)}/pay`,
      headers: [],
      body: '{"amount":1}',
      ...more,
    });
  const dev = { name: 'dev', kind: 'sandbox', baseUrl: 'http://127.0.0.1:9' };

  it('counts what is production in the usual folder, whichever folder it works on', async () => {
    const share = join(directory, 'home');
    const usual = join(
      share,
      process.platform === 'darwin' ? 'Library/Application Support/Countersign' : 'countersign',
    );
    await call(usual, 'environments.save', { name: 'ours', kind: 'production', baseUrl: addressOf(live) });
    const folder = join(directory, 'other');
    await call(folder, 'environments.save', dev);
    const { app, client } = await openApp(folder, { XDG_DATA_HOME: share, HOME: share, APPDATA: share });
    try {
      expect(await send(client, {})).toMatchObject({
        error: { code: 'sending.not_confirmed', details: { environment: 'own/data/ours', label: 'ours' } },
      });
      expect(received).toEqual([]);
      await send(client, { production: 'own/data/ours' });
      expect(received).toEqual(['live POST /pay']);
    } finally {
      await app.stop();
    }
  });

  it('counts an environment of a collection that is closed, by the address that its credentials are for', async () => {
    const folder = join(directory, 'closed');
    const shared = join(directory, 'shared');
    mkdirSync(shared);
    writeFileSync(
      join(shared, 'http-client.env.json'),
      JSON.stringify({ shop: { base_url: addressOf(live) } }),
    );
    await call(folder, 'environments.save', dev);
    const { id } = await call(folder, 'collections.open', { directory: shared });
    const environment = `${id}/shop`;
    await call(folder, 'environments.save', {
      id: environment,
      name: 'shop',
      kind: 'production',
      baseUrl: addressOf(live),
    });
    await call(folder, 'credentials.save', {
      environment,
      product: 'payout',
      consumerKey: 'key-of-the-shop',
      consumerSecret: 'secret-of-the-shop',
    });
    await call(folder, 'collections.close', { collectionId: id });
    const { app, client } = await openApp(folder);
    try {
      expect(await send(client, {})).toMatchObject({
        error: { code: 'sending.not_confirmed', details: { environment, label: 'shop' } },
      });
      expect(received).toEqual([]);
      await send(client, { production: environment });
      expect(received).toEqual(['live POST /pay']);
    } finally {
      await app.stop();
    }
  });
});
