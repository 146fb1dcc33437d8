import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import type { SqlDatabase } from '../../platform/ports';
import { SandboxClock } from '../sandbox-clock';
import { createSandboxRandom } from '../sandbox-random';
import { createSealedValues } from '../store/sealed-values';
import { WebhookQueue, type WebhookQueueOptions } from './webhook-queue';
import { webhookMigrations } from './webhook-store';
import type { Resolver } from './webhook-sender';
import { makeTemporaryFolder } from '../../../test/support/temporary';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let received: Received[];
let servers: Server[];
let queues: WebhookQueue[];
let db: SqlDatabase;
let clock: SandboxClock;
let folder: string;

beforeEach(() => {
  [received, servers, queues] = [[], [], []];
  folder = makeTemporaryFolder('webhooks');
  db = openDatabase({ file: ':memory:', migrations: webhookMigrations });
  clock = new SandboxClock();
});
afterEach(async () => {
  for (const queue of queues) await queue.stop();
  clock.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  db.close();
});

/** Starts a receiver on a free port; `answer` decides by what has come in so far. */
async function receive(answer: RequestListener = (_request, response) => response.end()): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(options: Partial<WebhookQueueOptions> = {}): WebhookQueue {
  const queue = new WebhookQueue({
    db,
    clock,
    random: createSandboxRandom(),
    schedule: 'standard',
    allowedHosts: [],
    signing: false,
    ...options,
  });
  queues.push(queue);
  queue.start();
  return queue;
}

function send(queue: WebhookQueue, callbackUrl: string, body = '{"a":1}', copies = 1): string {
  const id = queue.enqueue({ callbackUrl, body, transactionReference: 'R-1', copies });
  queue.wake();
  return id;
}

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 15_000, interval: 5 });
const untilState = (queue: WebhookQueue, id: string, state: string) =>
  until(() => expect(queue.get(id)?.state).toBe(state));
const untilAttempts = (queue: WebhookQueue, id: string, count: number) =>
  until(() => expect(queue.get(id)?.attempts).toHaveLength(count));

describe('delivery', () => {
  it('posts the body as it is, with a webhook-id, and keeps the answer', async () => {
    const url = await receive((_request, response) => response.writeHead(202).end('thanks'));
    const queue = open();
    const id = send(queue, `${url}/hook?x=1`, '{"amount":1000.00}');
    await untilState(queue, id, 'delivered');
    expect(received[0]).toMatchObject({ path: '/hook?x=1', body: '{"amount":1000.00}' });
    expect(received[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    const delivery = queue.get(id)!;
    expect(received[0]?.headers['webhook-id']).toBe(delivery.webhookId);
    expect(received[0]?.headers['webhook-signature']).toBeUndefined();
    expect(delivery).toMatchObject({
      nextAttemptAt: null,
      transactionReference: 'R-1',
      attempts: [{ attempt: 1, httpStatus: 202, error: null, responseBody: 'thanks' }],
    });
    expect(delivery.attempts[0]!.durationMs).toBeGreaterThan(0);
  });

  it('delivers, a little later and in order, what could not be read or signed when it was due', async () => {
    const bare = createSealedValues(undefined);
    let failures = 1;
    const seal = (name: string, value: string): string => {
      if (failures-- > 0) throw new Error('The disk is full.');
      return bare.seal(name, value);
    };
    const queue = open({ signing: true, seal: { ...bare, seal } });
    const url = await receive();
    const ids = [send(queue, url), send(queue, url, '{"b":2}')];
    for (const id of ids) await untilState(queue, id, 'delivered');
    expect(received.map(({ body }) => body)).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('delivers copies with the same webhook-id', async () => {
    const queue = open();
    const id = send(queue, await receive(), '{}', 2);
    await untilState(queue, id, 'delivered');
    expect(received).toHaveLength(2);
    expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect(queue.get(id)?.attempts).toHaveLength(2);
  });

  it('signs as Standard Webhooks says when it is set so', async () => {
    const queue = open({ signing: true });
    const id = send(queue, await receive(), '{"é":1}');
    await untilState(queue, id, 'delivered');
    const headers = received[0]!.headers;
    const key = Buffer.from(queue.signingSecret().replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.{"é":1}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
  });

  it('keeps what a rolled back transaction wrote to itself', async () => {
    const url = await receive();
    const queue = open();
    db.exec('BEGIN');
    queue.enqueue({ callbackUrl: url, body: '1', transactionReference: null });
    queue.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toEqual([]);
    db.exec('ROLLBACK');
    const kept = send(queue, url, '2');
    await untilState(queue, kept, 'delivered');
    expect(received.map((one) => one.body)).toEqual(['2']);
  });
});

describe('retries', () => {
  it('follow the standard schedule on the sandbox clock, with the same webhook-id, and then end', async () => {
    const queue = open();
    const id = send(queue, await receive((_request, response) => response.writeHead(500).end('no')));
    const waits: number[] = [];
    for (let count = 1; count <= 8; count++) {
      await untilAttempts(queue, id, count);
      const { nextAttemptAt, attempts } = queue.get(id)!;
      if (nextAttemptAt === null) break;
      waits.push(Math.round((nextAttemptAt - attempts.at(-1)!.at) / 1000));
      clock.advance((nextAttemptAt - clock.now()) / 1000);
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(queue.get(id)).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect(received).toHaveLength(8);
  });

  it('end at the first 2xx', async () => {
    const queue = open();
    const url = await receive((_request, response) =>
      response.writeHead(received.length === 1 ? 503 : 204).end(),
    );
    const id = send(queue, url);
    await untilAttempts(queue, id, 1);
    clock.advance(5);
    await untilState(queue, id, 'delivered');
    expect(queue.get(id)?.attempts.map((one) => one.httpStatus)).toEqual([503, 204]);
  });

  it('come about although the clock jumps while an attempt is on its way', async () => {
    const queue = open();
    const url = await receive((_request, response) => {
      if (received.length === 1) clock.advance(7200);
      response.writeHead(received.length < 3 ? 500 : 200).end();
      if (received.length === 2) setImmediate(() => clock.advance(7200));
    });
    const other = send(queue, `${url}/other`);
    const id = send(queue, url);
    await untilAttempts(queue, id, 1);
    clock.advance(36_000);
    await untilState(queue, id, 'delivered');
    clock.advance(36_000);
    await untilState(queue, other, 'delivered');
  });

  it('are none where the schedule has one attempt', async () => {
    const queue = open({ schedule: 'none' });
    const id = send(queue, await receive((_request, response) => response.writeHead(500).end()));
    await untilState(queue, id, 'failed');
    expect(queue.get(id)?.attempts).toHaveLength(1);
  });

  it('do not follow redirects', async () => {
    const target = await receive();
    const queue = open({ schedule: 'none' });
    const id = send(
      queue,
      await receive((_request, response) => response.writeHead(307, { location: target }).end()),
    );
    await untilState(queue, id, 'failed');
    expect(queue.get(id)?.attempts[0]).toMatchObject({
      httpStatus: 307,
      error: expect.stringContaining('not followed'),
    });
    expect(received).toHaveLength(1);
  });

  it('can be asked for by redelivering, also of what was delivered', async () => {
    const queue = open();
    const id = send(queue, await receive());
    await untilState(queue, id, 'delivered');
    queue.redeliver(id);
    await untilAttempts(queue, id, 2);
    expect(queue.get(id)?.state).toBe('delivered');
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
    expect(() => queue.redeliver('nothing')).toThrow(
      expect.objectContaining({ code: 'sandbox.delivery_unknown' }),
    );
  });
});

describe('bad receivers', () => {
  it('are given the limit and no more', async () => {
    const queue = open({ schedule: 'none', timeoutMs: 50 });
    const id = send(queue, await receive(() => undefined));
    await untilState(queue, id, 'failed');
    expect(queue.get(id)?.attempts[0]?.error).toContain('within 0.05 s');
  });

  it('that answer without end are cut at 64 KiB; the status counts', async () => {
    let sentBytes = 0;
    const queue = open();
    const url = await receive((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) sentBytes += 65_536;
      };
      response.writeHead(200).on('drain', more);
      more();
    });
    const id = send(queue, url);
    await untilState(queue, id, 'delivered');
    expect(queue.get(id)?.attempts[0]?.responseBody).toHaveLength(65_536);
    expect(sentBytes).toBeLessThan(50 * 1024 * 1024);
  });

  it('that refuse the connection are retried', async () => {
    const url = await receive();
    servers[0]!.close();
    const queue = open();
    const id = send(queue, url);
    await untilAttempts(queue, id, 1);
    expect(queue.get(id)).toMatchObject({
      state: 'pending',
      attempts: [{ httpStatus: null, error: expect.stringContaining('nothing listens there') }],
    });
  });
});

describe('order and load', () => {
  it('keeps the order of one endpoint, one at a time', async () => {
    let open_ = 0;
    let most = 0;
    const url = await receive((_request, response) => {
      most = Math.max(most, ++open_);
      setTimeout(() => {
        open_ -= 1;
        response.end();
      }, 2);
    });
    const queue = open();
    const bodies = Array.from({ length: 30 }, (_, index) => String(index));
    for (const body of bodies)
      queue.enqueue({ callbackUrl: `${url}/a?n=${body}`, body, transactionReference: null });
    queue.wake();
    await until(() => expect(received).toHaveLength(30));
    expect(received.map((one) => one.body)).toEqual(bodies);
    expect(most).toBe(1);
  });

  it('lets no endpoint that hangs hold up another, and keeps to the cap', async () => {
    let waiting = 0;
    const url = await receive((request, response) => {
      if (request.url!.startsWith('/slow')) waiting += 1;
      else response.end();
    });
    // Half of them for one host.
    const queue = open({ inFlightCap: 8 });
    for (let index = 0; index < 50; index++) send(queue, `${url}/slow`);
    for (let index = 0; index < 3; index++) send(queue, `${url}/slow/${index % 2}`);
    const quick = send(queue, `${url}/quick`);
    await untilState(queue, quick, 'delivered');
    expect(waiting).toBe(3);
    for (let index = 0; index < 5; index++) send(queue, `${url}/slow/more/${index}`);
    await until(() => expect(waiting).toBe(4));
  });

  it('delivers to others while a backlog waits for an endpoint that hangs', async () => {
    const hung: string[] = [];
    const url = await receive((request, response) => {
      if (request.url === '/slow') hung.push(request.url);
      else response.end();
    });
    const queue = open();
    db.exec('BEGIN');
    for (let index = 0; index < 45_000; index++) {
      queue.enqueue({ callbackUrl: `${url}/slow`, body: '{}', transactionReference: null });
    }
    db.exec('COMMIT');
    queue.wake();
    await until(() => expect(hung).toHaveLength(1));
    await untilState(queue, send(queue, `${url}/quick`), 'delivered');
    expect(hung).toHaveLength(1);
  });

  it('delivers a backlog', async () => {
    const url = await receive();
    const queue = open();
    db.exec('BEGIN');
    for (let index = 0; index < 1000; index++) {
      queue.enqueue({ callbackUrl: `${url}/${index % 40}`, body: '{}', transactionReference: null });
    }
    db.exec('COMMIT');
    queue.wake();
    await until(() => expect(received).toHaveLength(1000));
    await until(() => expect(queue.list(1000).every((one) => one.state === 'delivered')).toBe(true));
  });
});

describe('restarts', () => {
  it('send what was in flight again, with the same webhook-id', async () => {
    db.close();
    const file = join(folder, 'sandbox.db');
    db = openDatabase({ file, migrations: webhookMigrations });
    const first = open();
    const id = send(
      first,
      await receive((_request, response) => void (received.length > 1 && response.end())),
    );
    await until(() => expect(received).toHaveLength(1));
    await first.stop();
    db.close();
    db = openDatabase({ file, migrations: webhookMigrations });
    const second = open();
    await untilState(second, id, 'delivered');
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
  });

  it('seal the signing secret where there is a vault, one of an earlier version too', async () => {
    const stored = (): string =>
      (db.prepare('SELECT value FROM webhook_secrets').get() as { value: string }).value;
    const secret = open().signingSecret();
    expect(stored()).toBe(secret);
    const seal = createSealedValues(Buffer.alloc(32, 7).toString('base64'));
    open({ seal }).start();
    expect(stored()).toMatch(/^sealed:/);
    expect(Buffer.from(stored().slice(7), 'base64').toString('latin1')).not.toContain(secret);
    expect(open({ seal }).signingSecret()).toBe(secret);
    for (const other of [undefined, Buffer.alloc(32, 8).toString('base64')]) {
      const queue = open({ seal: createSealedValues(other) });
      queue.start();
      expect(() => queue.signingSecret()).toThrow(
        expect.objectContaining({ code: 'sandbox.sealed' }) as Error,
      );
    }
    expect(open({ seal }).signingSecret()).toBe(secret);
  });

  it('keep waiting retries and the signing secret', async () => {
    const first = open();
    const secret = first.signingSecret();
    const id = send(
      first,
      await receive((_request, response) => response.writeHead(received.length < 2 ? 500 : 200).end()),
    );
    await untilAttempts(first, id, 1);
    await first.stop();
    const second = open();
    expect(second.signingSecret()).toBe(secret);
    clock.advance(5);
    await untilState(second, id, 'delivered');
  });
});

describe('where webhooks may go', () => {
  const resolveTo =
    (...addresses: string[]): Resolver =>
    (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  const attemptOf = async (url: string, options: Partial<WebhookQueueOptions>) => {
    const queue = open({ schedule: 'standard', ...options });
    const id = send(queue, url);
    await until(() => expect(queue.get(id)?.attempts.length).toBeGreaterThan(0));
    return queue.get(id)!;
  };

  it.each([
    ['http://169.254.169.254/latest/meta-data', []],
    ['http://169.254.169.254/', ['169.254.169.254']],
    ['http://0xa9fea9fe/', ['169.254.169.254']],
    ['http://[::ffff:169.254.169.254]/', ['::ffff:169.254.169.254']],
    ['http://[fe80::1]/', ['fe80::1']],
    ['http://10.0.0.1/', []],
    ['http://[fd00::1]/', []],
    ['http://0.0.0.0:1/', []],
    ['http://example.com/', []],
    ['https://8.8.8.8/', []],
    ['ftp://127.0.0.1/', []],
    ['nonsense', []],
  ])('refuses %s with %j allowed, at once and for good', async (url, allowedHosts) => {
    const delivery = await attemptOf(url, { allowedHosts });
    expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(delivery.attempts[0]?.error).toMatch(/^Refused: /);
  });

  it.each([
    [['169.254.169.254'], 'forbidden for an allowed name'],
    [['93.184.216.34', '169.254.169.254'], 'one bad address among good ones'],
    [['::ffff:a9fe:a9fe'], 'a mapped metadata address'],
    [['fe80::1'], 'link-local'],
  ])('refuses an allowed name that resolves to %j: %s', async (addresses) => {
    const delivery = await attemptOf('http://hooks.example/', {
      allowedHosts: ['hooks.example'],
      resolve: resolveTo(...addresses),
    });
    expect(delivery.state).toBe('failed');
    expect(delivery.attempts[0]?.error).toMatch(/^Refused: hooks\.example: /);
  });

  it('refuses the tunnel’s own name when it resolves to a private address', async () => {
    const delivery = await attemptOf('http://me.tunnel.example/', {
      isOwnHost: (host) => host === 'me.tunnel.example',
      resolve: resolveTo('192.168.1.1'),
    });
    expect(delivery.attempts[0]?.error).toContain('private address');
  });

  it('refuses localhost when the resolver lies about it', async () => {
    const delivery = await attemptOf('http://localhost:1/', { resolve: resolveTo('10.0.0.1') });
    expect(delivery.attempts[0]?.error).toContain('not on this machine');
  });

  it('asks the resolver once and connects to what it said', async () => {
    const url = new URL(await receive());
    let asked = 0;
    const resolve: Resolver = (_name, _options, done) =>
      done(null, [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
    const delivery = await attemptOf(`http://hooks.example:${url.port}/`, {
      allowedHosts: ['hooks.example'],
      resolve,
    });
    expect(delivery.state).toBe('delivered');
    expect(asked).toBe(1);
    expect(received[0]?.headers.host).toBe(`hooks.example:${url.port}`);
  });

  it('delivers to localhost by name, whichever address family listens', async () => {
    const url = new URL(await receive());
    const delivery = await attemptOf(`http://localhost:${url.port}/`, {
      resolve: resolveTo('::1', '127.0.0.1'),
    });
    expect(delivery.state).toBe('delivered');
  });

  it('sends again to a host that was allowed afterwards', async () => {
    const url = new URL(await receive());
    const queue = open({ resolve: resolveTo('127.0.0.1') });
    const id = send(queue, `http://later.example:${url.port}/`);
    await untilState(queue, id, 'failed');
    queue.configure({ allowedHosts: ['later.example'] });
    queue.redeliver(id);
    await untilState(queue, id, 'delivered');
  });
});

it('forgets everything when it is cleared', async () => {
  const queue = open();
  const url = await receive((_request, response) => void setTimeout(() => response.end(), 50));
  send(queue, url);
  await until(() => expect(received).toHaveLength(1));
  queue.clear();
  expect(queue.list(10)).toEqual([]);
  const id = send(queue, url);
  await untilState(queue, id, 'delivered');
  expect(queue.list(10)).toHaveLength(1);
});
