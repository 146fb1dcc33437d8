import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorePool, type StorePool } from '../../electron/listener/postgres/connect-postgres';
import { readStoreAddress, type StoreAddress } from '../../electron/listener/postgres/store-address';
import { rawRequest } from '../support/load-generator';
import { startPostgres, whyNoPostgres, type TestPostgres } from '../support/postgres';
import { endWithTests } from '../support/run-cli';
import { runOnce } from './cli-once';

/** Each kind of failure meets some hundred; `npm test -- --thorough` sends as many as a busy day has. */
const isThorough = process.env['COUNTERSIGN_TEST_THOROUGH'] === '1';
const WEBHOOKS = Number(process.env['COUNTERSIGN_STORE_WEBHOOKS'] ?? (isThorough ? 200_000 : 1500));
const MOST_MS = 60_000 + WEBHOOKS * 5;
const CONNECTIONS = 24;
const MOST_SESSIONS = 12;

interface Receiver {
  readonly child: ChildProcess;
  readonly port: number;
}

const started: ChildProcess[] = [];

async function startReceiver(url: string): Promise<Receiver> {
  const child = endWithTests(
    spawn(process.execPath, ['out/cli/index.js', 'listen', '--port', '0', '--json', '--store', url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  started.push(child);
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`listen ended with ${code}`)));
    lines.on('line', (line) => {
      const message = JSON.parse(line) as { event: string; url: string };
      if (message.event === 'ready') resolve(Number(new URL(message.url).port));
    });
  });
  return { child, port };
}

/** Sends webhooks that are all different, and notes which of them were answered 2xx, until so many were. */
class Senders {
  readonly answered: string[] = [];
  readonly refused: string[] = [];
  #next = 0;

  constructor(private readonly most: number) {}

  /** @param find - the port of the receiver, asked again after a connection ended */
  async run(connections: number, find: () => number): Promise<void> {
    await Promise.all(Array.from({ length: connections }, () => this.#sendOn(find)));
  }

  async #sendOn(find: () => number): Promise<void> {
    while (this.answered.length < this.most) {
      const socket = connect(find(), '127.0.0.1').on('error', () => undefined);
      await this.#talk(socket);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #talk(socket: Socket): Promise<void> {
    let body = '';
    const send = (): void => {
      if (this.answered.length >= this.most) return void socket.end();
      body = JSON.stringify({ status: 'SUCCESS', client_reference: `R-${this.#next++}`, amount: 10 });
      socket.write(rawRequest('POST', '/webhooks', [['Content-Type', 'application/json']], body));
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      const answer = chunk.toString('latin1');
      if (answer.startsWith('HTTP/1.1 200')) this.answered.push(body);
      else if (answer.startsWith('HTTP/1.1 503') && answer.includes('Retry-After: 5'))
        this.refused.push(body);
      else throw new Error(answer);
      send();
    });
    return new Promise((resolve) => socket.once('close', () => resolve()));
  }
}

const CUT_RECEIVERS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign receiver'";

/** Cuts the receivers off, and leaves the server no session for them. @returns what gives them back */
async function takeAllSessions(address: StoreAddress): Promise<() => Promise<void>> {
  const hog = openStorePool(
    address,
    {},
    { applicationName: 'hog', most: MOST_SESSIONS, statementMs: 10_000 },
  );
  const held = [await hog.connect()];
  for (let tries = 0; tries < 10; tries++) {
    await held[0]!.query(CUT_RECEIVERS);
    const count = Math.min(3, MOST_SESSIONS - held.length);
    const more = await Promise.allSettled(Array.from({ length: count }, () => hog.connect()));
    for (const one of more) if (one.status === 'fulfilled') held.push(one.value);
  }
  return async () => {
    for (const session of held) session.release(true);
    await hog.end();
  };
}

/** Reads by a cursor, as a reader that follows does: never twice, never back. */
async function follow(pool: StorePool, seen: string[], isOver: () => boolean): Promise<void> {
  for (let cursor = 0; ;) {
    const isLast = isOver();
    try {
      const { rows } = await pool.query(
        'SELECT id, body FROM countersign.webhooks WHERE id > $1 ORDER BY id LIMIT 5000',
        [cursor],
      );
      for (const row of rows as { id: number; body: Buffer }[]) {
        seen.push(row.body.toString());
        cursor = row.id;
      }
      if (isLast && rows.length === 0) return;
    } catch {
      // The server is away for now.
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe.skipIf(whyNoPostgres !== null)(`receivers of a team's store ${whyNoPostgres ?? ''}`, () => {
  let server: TestPostgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres([`max_connections=${MOST_SESSIONS}`, 'superuser_reserved_connections=1']);
    url = await server.createDatabase();
  });
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await server.stop();
  });

  it(
    'keep what they answered exactly once, and readers see it in order, whatever is killed',
    async () => {
      const receivers = await Promise.all([startReceiver(url), startReceiver(url)]);
      const senders = new Senders(WEBHOOKS);
      const seen: string[] = [];
      let isOver = false;
      const address = readStoreAddress(url, {});
      const pool = openStorePool(address, {}, { applicationName: 'reader', most: 1, statementMs: 10_000 });
      const following = follow(pool, seen, () => isOver);
      const sending = Promise.all(
        [0, 1].map((at) => senders.run(CONNECTIONS / 2, () => receivers[at]!.port)),
      );
      const until = (share: number): Promise<void> =>
        expect.poll(() => senders.answered.length, { timeout: MOST_MS }).toBeGreaterThan(WEBHOOKS * share);

      await until(0.1);
      await server.run('postgres', CUT_RECEIVERS);
      await until(0.3);
      await server.stopAtOnce();
      await server.startAgain();
      await until(0.5);
      receivers[1]!.child.kill('SIGKILL');
      receivers[1] = await startReceiver(url);
      await until(0.7);
      const release = await takeAllSessions(address);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await release();
      await sending;
      isOver = true;
      await following;

      const counts = new Map<string, number>();
      for (const body of seen) counts.set(body, (counts.get(body) ?? 0) + 1);
      expect(senders.answered.filter((body) => counts.get(body) !== 1)).toEqual([]);
      const { rows } = await pool.query(
        "SELECT convert_from(body, 'UTF8') AS body FROM countersign.webhooks ORDER BY id",
      );
      expect(rows.map(({ body }) => body as string)).toEqual(seen);
      process.stderr.write(
        `${senders.answered.length} answered, ${senders.refused.length} refused, ${rows.length} kept\n`,
      );
      for (const { child } of receivers) child.kill('SIGTERM');
      await Promise.all(receivers.map(({ child }) => child.exitCode ?? once(child, 'exit')));
      await pool.end();
    },
    MOST_MS,
  );

  it('says an error that comes before anything is asked of the store, and ends with its code', async () => {
    const receiver = await startReceiver(url);
    receiver.child.kill('SIGTERM');
    await once(receiver.child, 'exit');
    const refusals: [string[], RegExp][] = [
      [['inbox', 'show', 'zzzz'], /inbox\.unknown/],
      [['inbox', 'mark', 'zzzz', '--delete'], /team\.not_deleted/],
      [['inbox', 'export', '--filter', 'x =', '--format', 'har'], /inbox\.bad_filter/],
    ];
    for (const [args, said] of refusals) {
      const { exitCode, stderr } = await runOnce([...args, '--store', url]);
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(said)]);
    }
  });
});
