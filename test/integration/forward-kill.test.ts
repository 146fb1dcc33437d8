import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { openDatabase } from '../../electron/platform/database/database';
import { rawRequest } from '../support/load-generator';
import { startBackend } from '../support/recording-backend';
import { startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

/** Times that the process is killed; a hundred for an evening. */
const KILLS = Number(process.env['COUNTERSIGN_TEST_KILLS'] ?? 10);
const CONNECTIONS = 20;

interface Sent {
  client_reference: string;
  n: number;
}

/** Sends webhooks until the listener is gone: each connection has references of its own, and one webhook under way. */
function sendUntilGone(port: number, round: number, onAnswer: (sent: Sent) => void): Promise<unknown> {
  const runConnection = (connection: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let n = 0;
      const current = (): Sent => ({ client_reference: `${round}-${connection}-${n % 3}`, n });
      const send = (): void => void socket.write(rawRequest('POST', '/hooks', [], JSON.stringify(current())));
      socket.on('connect', send);
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('HTTP/1.1 200')) onAnswer(current());
        n += 1;
        send();
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
    });
  return Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => runConnection(index)));
}

function readStored(directory: string): Set<string> {
  const database = openDatabase({ file: join(directory, 'inbox.db'), migrations: inboxMigrations });
  const rows = database.prepare('SELECT substr(raw, head_size + 1) AS body FROM arrivals').all() as {
    body: Buffer;
  }[];
  database.close();
  return new Set(rows.map(({ body }) => Buffer.from(body).toString()));
}

it(`keeps, forwards and keeps in order what was answered, over ${KILLS} times kill -9`, async () => {
  const directory = makeTemporaryFolder('forward-kill');
  let requests = 0;
  // Every thirtieth webhook meets a backend in trouble.
  const backend = await startBackend((_request, response, message) => {
    requests += 1;
    if (requests % 60 === 0) message.socket.destroy();
    else response.writeHead(requests % 60 === 30 ? 503 : 200).end();
  });
  const listen = ['listen', '--port', '0', '--data', directory, '--json', '--forward-to', backend.url];
  const answered: Sent[] = [];
  for (let round = 0; round < KILLS; round++) {
    const command = startCli(listen);
    const { url } = await command.waitForLine(({ event }) => event === 'ready');
    const killAt = answered.length + 10 + Math.floor(Math.random() * 400);
    const ended = once(command.child, 'exit');
    await sendUntilGone(Number(new URL(url as string).port), round, (sent) => {
      if (answered.push(sent) === killAt) setTimeout(() => command.child.kill('SIGKILL'), Math.random() * 20);
    });
    await ended;
    expect(command.child.signalCode).toBe('SIGKILL');
  }

  const last = startCli(listen);
  const forwarded = new Set<string>();
  const isAll = (): boolean => {
    for (const { body } of backend.taken) forwarded.add(body.toString());
    return answered.every((sent) => forwarded.has(JSON.stringify(sent)));
  };
  await expect.poll(isAll, { timeout: 60_000, interval: 200 }).toBe(true);
  await last.stop();
  await backend.close();

  const stored = readStored(directory);
  expect(answered.filter((sent) => !stored.has(JSON.stringify(sent)))).toEqual([]);
  const latest = new Map<string, number>();
  const outOfOrder = backend.taken
    .map(({ body }) => JSON.parse(body.toString()) as Sent)
    .filter(({ client_reference, n }) => {
      const before = latest.get(client_reference) ?? -1;
      latest.set(client_reference, n);
      return n < before;
    });
  expect(outOfOrder).toEqual([]);
});
