import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { join } from 'node:path';
import type { MethodOutput } from '@shared/contract/contract';
import { afterEach, expect, it } from 'vitest';
import { because } from '../support/programs';
import { openWebHost } from '../support/contract-clients';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('not-taken');
const started: RunningCommand[] = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));

async function listen(...more: string[]): Promise<{ command: RunningCommand; url: URL }> {
  const command = startCli(['listen', '--port', '0', '--data', join(directory, 'a'), '--json', ...more]);
  started.push(command);
  const { url } = await command.waitForLine(({ event }) => event === 'ready');
  return { command, url: new URL(String(url)) };
}

/** Sends bytes, and waits for the end of the connection. */
const sendRaw = ({ port }: URL, bytes: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.resume().on('error', () => undefined);
    socket.once('close', () => resolve());
  });

it('tells whoever listens of what it does not take, and as one line of a flood', async () => {
  const { command, url } = await listen('--secret-path');
  const startedAt = performance.now();
  await sendRaw(url, 'nonsense\r\n\r\n');
  await expect
    .poll(() => command.readErrors(), { timeout: 10_000 })
    .toContain('A request was not taken: the request line cannot be read (400, from 127.0.0.1).');
  await Promise.all(
    Array.from({ length: 200 }, () => sendRaw(url, `GET / HTTP/1.1\r\nA: ${'x'.repeat(200_000)}`)),
  );
  await expect
    .poll(() => command.readErrors(), { timeout: 10_000 })
    .toMatch(
      /requests were not taken, the latest: its head is longer than 64 KiB \(431, from 127\.0\.0\.1\)/,
    );
  await fetch(url.origin);
  await expect
    .poll(() => command.readErrors(), { timeout: 10_000 })
    .toContain('its path does not begin with the secret part of the address (404, from 127.0.0.1)');
  // A line a second at most, however long the flood takes here.
  const seconds = (performance.now() - startedAt) / 1000;
  expect(command.readErrors().split('\n').length).toBeLessThan(10 + seconds);
  expect(command.lines).toHaveLength(1);
});

it('tells of plain HTTP at its HTTPS address, and of a sender that does not trust its certificate', async ({
  skip,
}) => {
  skip(...because('openssl'));
  const { command, url } = await listen('--https');
  await fetch(url.origin.replace('https', 'http')).catch(() => undefined);
  await expect.poll(() => command.readErrors(), { timeout: 10_000 }).toContain('this is plain HTTP');
  // Says why it goes, as curl and most others do; Node's own client says nothing.
  spawnSync('openssl', ['s_client', '-verify_return_error', '-connect', url.host], { input: '' });
  await expect
    .poll(() => command.readErrors(), { timeout: 10_000 })
    .toContain('does not trust the certificate');
  await new Promise<void>((resolve) => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(url.port),
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    socket.once('error', () => undefined).once('close', () => resolve());
  });
  await expect.poll(() => command.readErrors(), { timeout: 10_000 }).toContain('no TLS could be agreed on');
});

it('counts it in the status of the listener in the app', async () => {
  const client = await openWebHost();
  try {
    const read = async (): Promise<MethodOutput<'listener.status'>> => {
      const reply = await client.call('listener.status', {});
      if (!reply.ok) throw new Error(reply.error.message);
      return reply.value as MethodOutput<'listener.status'>;
    };
    const { url, notTaken } = await read();
    expect(notTaken).toBeNull();
    await sendRaw(new URL(url!), 'nonsense\r\n\r\n');
    await sendRaw(new URL(url!), 'BREW / HTTP/1.1\r\n\r\n');
    await expect
      .poll(async () => (await read()).notTaken, { timeout: 10_000 })
      .toMatchObject({ count: 2, httpStatus: 501, reason: "the method 'BREW' is not known" });
  } finally {
    await client.stop();
    client.removeData();
  }
});

it('makes no folder for a command that only reads, and says that there is none', async () => {
  const data = join(directory, 'misspelt');
  const waited = await runOnce(['inbox', 'wait', '--data', data, '--reference', 'R', '--within', '200ms']);
  expect(waited).toMatchObject({ exitCode: 3 });
  expect(waited.stderr).toContain(`There is no folder ${data} so far.`);
  expect(waited.stderr).toContain(`There is no folder ${data}: name it with --data DIR.`);
  const called = await runOnce(['call', 'history.list', '--data', data]);
  expect(called).toMatchObject({ exitCode: 2 });
  expect(called.stderr).toContain(`There is no folder ${data}.`);
  // Its --data are rows.
  const file = join(directory, 'one.http');
  writeFileSync(file, 'GET {{base_url}}/a\n');
  const ran = await runOnce(['run', file, '--env', 'local', '--data-directory', data]);
  expect([ran.exitCode, ran.stderr]).toEqual([
    2,
    `countersign: There is no folder ${data}. Name a data directory that is there. (cli.no_data)\n`,
  ]);
  expect(existsSync(data)).toBe(false);
  // To start the app there is to begin a folder.
  const begun = await runOnce(['call', 'sandbox.state', '--start', '--data', data]);
  expect(begun.exitCode).toBe(0);
  expect(existsSync(data)).toBe(true);
});

it('waits for a folder that whoever receives makes a moment later', async () => {
  const data = join(directory, 'later');
  const waiting = runOnce(['inbox', 'wait', '--data', data, '--filter', 'path == /x', '--within', '30s']);
  const command = startCli(['listen', '--port', '0', '--data', data, '--json']);
  started.push(command);
  const { url } = await command.waitForLine(({ event }) => event === 'ready');
  await fetch(`${String(url)}/x`, { method: 'POST', body: '{}' });
  expect(await waiting).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('POST /x') as string });
});

it('says that every path is taken where a secret one is set and not asked for', async () => {
  const args = ['listen', '--port', '0', '--data', join(directory, 'open'), '--json'];
  const command = startCli(args, { env: { COUNTERSIGN_SECRET_PATH: 'a'.repeat(20) } });
  started.push(command);
  await command.waitForLine(({ event }) => event === 'ready');
  expect(command.readErrors()).toContain('COUNTERSIGN_SECRET_PATH counts with --secret-path alone');
});
