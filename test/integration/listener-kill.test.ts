import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { InboxReader } from '../../electron/listener/inbox-reader';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { openDatabase } from '../../electron/platform/database/database';
import { rawRequest } from '../support/load-generator';
import { makeTemporaryFolder } from '../support/temporary';
import { endWithTests } from '../support/run-cli';

const WEBHOOKS = 2000;
const CONNECTIONS = 50;

let dataDirectory: string;
beforeAll(() => {
  dataDirectory = makeTemporaryFolder('kill');
});

async function startListener(): Promise<{
  child: ChildProcessWithoutNullStreams;
  port: number;
  printed: string[];
}> {
  const child = endWithTests(
    spawn(process.execPath, ['out/cli/index.js', 'listen', '--port', '0', '--data', dataDirectory, '--json']),
  );
  const printed: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => reject(new Error(chunk.toString())));
    lines.on('line', (line) => {
      const message = JSON.parse(line) as { event: string; url: string; body_base64: string };
      if (message.event === 'ready') resolve(Number(new URL(message.url).port));
      else printed.push(Buffer.from(message.body_base64, 'base64').toString());
    });
  });
  return { child, port, printed };
}

/** Sends webhooks on many connections; `onAnswer` gets each body that was answered 200. */
function sendBurst(port: number, bodies: readonly string[], onAnswer: (body: string) => void): Promise<void> {
  let next = 0;
  const runConnection = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let current = '';
      const send = (): void => {
        if (next >= bodies.length) return void socket.end();
        current = bodies[next++]!;
        socket.write(rawRequest('POST', '/webhooks', [['Content-Type', 'application/json']], current));
      };
      socket.on('connect', send);
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('HTTP/1.1 200')) onAnswer(current);
        send();
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
    });
  return Promise.all(Array.from({ length: CONNECTIONS }, runConnection)).then(() => undefined);
}

function readStored(): Set<string> {
  const database = openDatabase({ file: join(dataDirectory, 'inbox.db'), migrations: inboxMigrations });
  const reader = new InboxReader(database);
  const bodies = new Set<string>();
  for (let before: number | null = null; ;) {
    const { rows } = reader.list({ limit: 500, before, search: '', filter: 'all' });
    for (const { id } of rows) bodies.add(Buffer.from(reader.get(id)!.body).toString());
    if (rows.length < 500) break;
    before = rows.at(-1)!.id;
  }
  database.close();
  return bodies;
}

describe('kill -9 during a burst of 2,000 webhooks', () => {
  it.each([0.1, 0.5, 0.9])(
    'loses nothing that was answered or printed, killed at %d of the burst',
    async (share) => {
      const { child, port, printed } = await startListener();
      const bodies = Array.from({ length: WEBHOOKS }, (_, index) =>
        JSON.stringify({ status: 'SUCCESS', client_reference: `at-${share}-${index}`, amount: index }),
      );
      const answered: string[] = [];
      await sendBurst(port, bodies, (body) => {
        answered.push(body);
        if (answered.length === Math.floor(WEBHOOKS * share)) child.kill('SIGKILL');
      });
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      expect(answered.length).toBeGreaterThanOrEqual(WEBHOOKS * share);

      const stored = readStored();
      expect(answered.filter((body) => !stored.has(body))).toEqual([]);
      expect(printed.filter((body) => !stored.has(body))).toEqual([]);
    },
  );

  it('finds them all by search after the restart', async () => {
    const { child } = await startListener();
    const database = openDatabase({ file: join(dataDirectory, 'inbox.db'), migrations: inboxMigrations });
    const reader = new InboxReader(database);
    await expect
      .poll(
        () =>
          (
            database
              .prepare('SELECT count(*) AS n FROM arrivals WHERE id > (SELECT id FROM indexed)')
              .get() as { n: number }
          ).n,
        { timeout: 30_000 },
      )
      .toBe(0);
    const found = reader.list({ limit: 500, before: null, search: 'at-0.9-1', filter: 'all' });
    const all = [...readStored()].filter((body) => body.includes('at-0.9-1'));
    expect(found.totalCount).toBe(all.length);
    expect(all.length).toBeGreaterThan(500);
    database.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
