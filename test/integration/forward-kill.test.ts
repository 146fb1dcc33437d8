import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inboxMigrations } from '../../electron/listener/inbox-schema';
import { MOST_REPLAYS } from '../../electron/listener/replay-rows';
import { openDatabase } from '../../electron/platform/database/database';
import { formatSortableId } from '../../electron/platform/sortable-id';
import { rawRequest } from '../support/load-generator';
import { startBackend } from '../support/recording-backend';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { casesOf } from '../support/effort';

/** Times that the process is killed; a hundred for an evening. */
const KILLS = casesOf(5, 100);
const TIMEOUT_MS = casesOf(240_000, 1_800_000);
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

/** Webhooks that are replayed in each round, in the order of their arrival. */
const seeds = Array.from({ length: 150 }, (_, n) => JSON.stringify({ client_reference: `seed-${n % 7}`, n }));

/** Replays them beside all that comes in; killed with the listener, at whatever line it is. */
function startReplay(directory: string, to: string): RunningCommand {
  const which = ['--filter', 'path == /seed', '--to', to];
  return startCli(['inbox', 'replay', ...which, '--data', directory, '--json']);
}

/** How many replays are kept of each webhook. */
function countReplays(directory: string): Map<string, number> {
  const database = openDatabase({ file: join(directory, 'inbox.db'), migrations: inboxMigrations });
  const rows = database.prepare('SELECT webhook, count(*) AS n FROM replays GROUP BY webhook').all() as {
    webhook: number;
    n: number;
  }[];
  database.close();
  return new Map(rows.map(({ webhook, n }) => [formatSortableId(webhook), n]));
}

/** How many replays are kept of the webhooks with each body. */
function countReplaysOfBodies(directory: string): Map<string, number> {
  const database = openDatabase({ file: join(directory, 'inbox.db'), migrations: inboxMigrations });
  const rows = database
    .prepare(
      `SELECT substr(a.raw, a.head_size + 1) AS body, count(*) AS n
       FROM replays r JOIN arrivals a ON a.id = r.webhook GROUP BY a.id`,
    )
    .all() as { body: Buffer; n: number }[];
  database.close();
  return new Map(rows.map(({ body, n }) => [Buffer.from(body).toString(), n]));
}

function readStored(directory: string): Set<string> {
  const database = openDatabase({ file: join(directory, 'inbox.db'), migrations: inboxMigrations });
  const rows = database.prepare('SELECT substr(raw, head_size + 1) AS body FROM arrivals').all() as {
    body: Buffer;
  }[];
  database.close();
  return new Set(rows.map(({ body }) => Buffer.from(body).toString()));
}

it(
  `keeps, forwards, replays and keeps in order what was answered, over ${KILLS} times kill -9`,
  async () => {
    const directory = makeTemporaryFolder('forward-kill');
    let requests = 0;
    // Every thirtieth webhook meets a backend in trouble.
    const backend = await startBackend((_request, response, message) => {
      requests += 1;
      if (requests % 60 === 0) message.socket.destroy();
      else response.writeHead(requests % 60 === 30 ? 503 : 200).end();
    });
    const target = await startBackend();
    onTestFinished(() => Promise.all([backend.close(), target.close()]).then(() => undefined));
    const listen = ['listen', '--port', '0', '--data', directory, '--json', '--forward-to', backend.url];
    const answered: Sent[] = [];
    const told = new Map<string, number>();
    const replayed = new Map<string, number>();
    for (let round = 0; round < KILLS; round++) {
      const command = startCli(listen);
      const { url } = await command.waitForLine(({ event }) => event === 'ready');
      if (round === 0)
        for (const body of seeds) await fetch(`${url as string}/seed`, { method: 'POST', body });
      target.taken.length = 0;
      const replay = startReplay(directory, target.url);
      const replayEnded = once(replay.child, 'exit');
      await replay.waitForLine(({ event }) => event === 'replayed');
      const killAt = answered.length + 10 + Math.floor(Math.random() * 400);
      const ended = once(command.child, 'exit');
      await sendUntilGone(Number(new URL(url as string).port), round, (sent) => {
        if (answered.push(sent) !== killAt) return;
        setTimeout(() => command.child.kill('SIGKILL'), Math.random() * 20);
        setTimeout(() => replay.child.kill('SIGKILL'), Math.random() * 20);
      });
      await ended;
      await replayEnded;
      expect(command.child.signalCode).toBe('SIGKILL');
      // What was told had arrived, and all that arrived came in order, byte for byte.
      const arrived = target.taken.map(({ body }) => body.toString());
      expect(arrived).toEqual(seeds.slice(0, arrived.length));
      expect(replay.lines.length).toBeLessThanOrEqual(arrived.length);
      for (const body of arrived) replayed.set(body, (replayed.get(body) ?? 0) + 1);
      for (const { id } of replay.lines) told.set(id as string, (told.get(id as string) ?? 0) + 1);
    }

    const last = startCli(listen);
    const forwarded = new Set<string>();
    const isAll = (): boolean => {
      for (const { body } of backend.taken) forwarded.add(body.toString());
      return answered.every((sent) => forwarded.has(JSON.stringify(sent)));
    };
    await expect.poll(isAll, { timeout: 60_000, interval: 200 }).toBe(true);
    await last.stop();
    const kept = countReplays(directory);
    expect([...told].filter(([id, count]) => (kept.get(id) ?? 0) < Math.min(count, MOST_REPLAYS))).toEqual(
      [],
    );
    // Of what arrived and was never told, too, there is a word.
    const traces = countReplaysOfBodies(directory);
    expect(
      [...replayed].filter(([body, count]) => (traces.get(body) ?? 0) < Math.min(count, MOST_REPLAYS)),
    ).toEqual([]);

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
  },
  TIMEOUT_MS,
);
