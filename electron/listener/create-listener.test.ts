import { readFileSync } from 'node:fs';
import { request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../platform/database/database';
import { createListener, type Listener } from './create-listener';
import type { ListenerAddress } from './webhook-addresses';
import type { StoredWebhook } from './inbox-log';
import { InboxReader } from './inbox-reader';
import { inboxMigrations } from './inbox-schema';
import { readCommitted, type InboxOptions } from './open-inbox';
import { isReachedElsewhere } from '../../test/support/other-addresses';
import { makeTemporaryFolder } from '../../test/support/temporary';

let dataDirectory: string;
let received: StoredWebhook[];
const opened: (() => unknown)[] = [];

beforeEach(() => {
  dataDirectory = makeTemporaryFolder('listener');
  received = [];
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

interface Started {
  listener: Listener;
  url: string;
  port: number;
  close(): Promise<void>;
}

async function start(
  more: Partial<ListenerAddress> & Partial<Pick<InboxOptions, 'file' | 'onProblem'>> = {},
): Promise<Started> {
  const { file = join(dataDirectory, 'inbox.db'), onProblem, ...address } = more;
  const listener = createListener({
    file,
    onProblem,
    onCommit: (batch) => batch.ids.forEach((_id, at) => received.push(readCommitted(batch, at))),
  });
  opened.push(() => listener.close());
  const running = await listener.start({
    id: 'main',
    port: 0,
    alternatives: 0,
    rule: { respondStatus: 200, delayMs: 0 },
    isHttps: false,
    ...address,
  });
  return { listener, ...running, close: () => listener.close() };
}

function openReader(): InboxReader {
  const database = openDatabase({ file: join(dataDirectory, 'inbox.db'), migrations: inboxMigrations });
  opened.push(() => database.close());
  return new InboxReader(database);
}

/** Writes raw bytes, gives everything that comes back until the server closes or `until` stands in it. */
function talk(port: number, parts: (string | Buffer)[], until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until !== undefined && text.includes(until)) done();
    });
    socket.on('close', done);
    socket.on('error', reject);
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
    });
  });
}

const post = (body: string, headers = ''): string =>
  `POST /webhooks/a?b=c HTTP/1.1\r\nHost: x\r\nX-Test: ü\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const payload = (reference: string, more = ''): string =>
  `{"status":"SUCCESS","code":"200.100","amount":1000.00,"client_reference":"${reference}","payment_uuid":98765432109876543210,"metadata":{"invoice":"INV-${reference}"}${more}}`;

describe('the listener', () => {
  it('keeps method, path, headers in order and bytes, and reads the payload’s fields as written', async () => {
    const started = await start();
    const bytes = Buffer.from(post(payload('R-1'), 'webhook-id: wh_1\r\n'), 'utf8');
    expect(await talk(started.port, [bytes], '\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const [row] = openReader().list({ limit: 9, before: null, search: '', filter: 'all' }).rows;
    expect(row).toMatchObject({
      method: 'POST',
      path: '/webhooks/a?b=c',
      amount: '1000.00',
      payment_uuid: '98765432109876543210',
      client_reference: 'R-1',
      webhook_id: 'wh_1',
    });
    const stored = openReader().get(row!.id)!;
    expect(Buffer.from(stored.body).toString()).toBe(payload('R-1'));
    expect(stored.headers.slice(0, 3)).toEqual([
      ['Host', 'x'],
      ['X-Test', 'ü'],
      ['webhook-id', 'wh_1'],
    ]);
    expect(received[0]!.row).toMatchObject({
      method: 'POST',
      path: '/webhooks/a?b=c',
      responded_status: 200,
    });
  });

  it('takes requests of one connection in order, however their bytes arrive', async () => {
    const started = await start();
    const chunked = `PATCH /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
    const text = `${post('1')}${post('')}GET /b HTTP/1.1\r\n\r\n\r\n${chunked}`;
    const bytes = [...Buffer.from(text, 'latin1')].map((byte) => Buffer.from([byte]));
    const answers = await talk(started.port, bytes);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(4);
    expect(
      received.map(({ row, body }) => `${row.method} ${row.path} ${Buffer.from(body).toString()}`),
    ).toEqual(['POST /webhooks/a?b=c 1', 'POST /webhooks/a?b=c ', 'GET /b ', 'PATCH /c abc']);
  });

  it('answers as the rule in force says, after its delay', async () => {
    const started = await start({ rule: { respondStatus: 503, delayMs: 120 } });
    const startedAt = performance.now();
    expect(await talk(started.port, [post('{}')], '\r\n\r\n')).toContain('503 Service Unavailable');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(110);
    started.listener.setRule('main', { respondStatus: 204, delayMs: 0 });
    expect(await talk(started.port, [post('{}')], '\r\n\r\n')).not.toContain('Content-Length');
  });

  it('answers a client that has closed its side', async () => {
    const started = await start();
    const text = await new Promise<string>((resolve) => {
      const socket = connect({ port: started.port, host: '127.0.0.1', allowHalfOpen: true });
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('end', () => {
        socket.destroy();
        resolve(answer);
      });
      socket.end(post('{}'));
    });
    expect(text).toContain('200 OK');
  });

  it('answers everything that a client sent before it closed its side', async () => {
    const started = await start();
    const text = await new Promise<string>((resolve) => {
      const socket = connect({ port: started.port, host: '127.0.0.1', allowHalfOpen: true });
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('end', () => {
        socket.destroy();
        resolve(answer);
      });
      socket.end(post('1') + post('2') + post('3') + 'POST /cut');
    });
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect(received).toHaveLength(3);
  });

  it('shows no credential of address and headers, and keeps the bytes as received', async () => {
    const { port, listener } = await start();
    const headers = 'Authorization: Bearer typed-secret-1\r\nX-Auth-Token: typed-secret-2\r\n';
    const request = post('{}', headers).replace('/webhooks/a?b=c', '/webhooks/a?token=typed-secret-3&b=c');
    await talk(port, [request], '\r\n\r\n');
    await listener.inbox.whenIndexed();
    const reader = openReader();
    const { rows } = reader.list({ limit: 1, before: null, search: '', filter: 'all' });
    const shown = JSON.stringify([
      rows,
      reader.get(rows[0]!.id)?.headers,
      received[0]!.row,
      received[0]!.headers,
    ]);
    expect(shown).not.toContain('typed-secret');
    expect(rows[0]!.path).toBe('/webhooks/a?token=••••••••&b=c');
    const database = openDatabase({ file: join(dataDirectory, 'inbox.db'), migrations: inboxMigrations });
    opened.push(() => database.close());
    const { raw } = database.prepare('SELECT raw FROM arrivals').get() as { raw: Buffer };
    expect(raw.toString()).toBe(request.replace('\r\n\r\n', ''));
  });

  it('finds only what has all words of a search', async () => {
    const { port, listener } = await start();
    for (const reference of ['R-1 red', 'R-2 blue']) await talk(port, [post(payload(reference))], '\r\n\r\n');
    const reader = openReader();
    const find = (search: string) =>
      reader.list({ limit: 9, before: null, search, filter: 'all' }).rows.map((row) => row.client_reference);
    for (let round = 0; round < 2; round++) {
      expect(find('red success')).toEqual(['R-1 red']);
      expect(find('red blue')).toEqual([]);
      expect(find('r-2 nothing')).toEqual([]);
      expect(find('blue r-2')).toEqual(['R-2 blue']);
      // Words too short for the index are looked for row by row.
      expect(find('re 1')).toEqual(['R-1 red']);
      expect(find('re bl')).toEqual([]);
      expect(find('re nothing')).toEqual([]);
      await listener.inbox.whenIndexed();
    }
  });

  it('answers on the loopback interface alone', async () => {
    const { port } = await start();
    expect(await isReachedElsewhere(port)).toBe(false);
  });

  it('answers 3,000 webhooks that were sent ahead on one connection, in order', async () => {
    const listener = await start({ file: ':memory:' });
    const count = 3000;
    const references = Array.from({ length: count }, (_, at) => `R-${at}`);
    const text = references.map((reference) => post(payload(reference))).join('');
    const last = post('{}', 'Connection: close\r\n');
    const answers = await talk(listener.port, [text + last]);
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count + 1);
    const kept = received.map(({ body }) => /R-\d+/.exec(Buffer.from(body).toString())?.[0]);
    expect(kept.slice(0, count)).toEqual(references);
  });

  it('keeps a body of very many small chunks', async () => {
    const started = await start();
    const count = 300_000;
    const head = 'POST / HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await talk(started.port, [head, '1\r\na\r\n'.repeat(count), '0\r\n\r\n'])).toContain('200 OK');
    expect(received[0]!.body.length).toBe(count);
  });

  it('keeps a body of 50 MB and records one that is too long', async () => {
    const started = await start();
    const body = Buffer.alloc(50 * 1024 * 1024, 'x');
    const head = `POST /big HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await talk(started.port, [head, body])).toMatch(/100 Continue[\s\S]*200 OK/);
    expect(received[0]!.body.length).toBe(body.length);
    const answer = await talk(started.port, ['POST /huge HTTP/1.1\r\nContent-Length: 9000000000\r\n\r\nabc']);
    expect(answer).toContain('413');
    const reader = openReader();
    expect(reader.list({ limit: 1, before: null, search: '', filter: 'failed' }).rows[0]).toMatchObject({
      path: '/huge',
      responded_status: 413,
      size_bytes: 9_000_000_000,
      is_cut: 1,
    });
  });

  it.each([
    ['with a length', `Content-Length: 200000\r\n\r\n${'a'.repeat(70_000)}`, 65_536, 200_000],
    [
      'in chunks',
      `Transfer-Encoding: chunked\r\n\r\n400\r\n${'a'.repeat(1024)}\r\nffff\r\nbbb`,
      1027,
      66_559,
    ],
  ])('keeps the beginning of a body over the limit, %s', async (_name, rest, kept, size) => {
    const { port } = await start({ maxBodyBytes: 65_536 });
    expect(await talk(port, [`POST /cut HTTP/1.1\r\n${rest}`], 'bytes.')).toMatch(
      /413[\s\S]*longer than 65536 bytes/,
    );
    expect(received[0]!.body.length).toBe(kept);
    expect(received[0]!.row).toMatchObject({ responded_status: 413, is_cut: 1, size_bytes: size });
  });

  it('takes only what comes below its secret path', async () => {
    const { port } = await start({ secretPath: 'only-we-know-this' });
    for (const path of ['/', '/only-we-know', '/only-we-know-this2/a', '/x/only-we-know-this']) {
      expect(await talk(port, [`GET ${path} HTTP/1.1\r\n\r\n`], '\r\n\r\n')).toContain(' 404 ');
    }
    for (const path of ['/only-we-know-this', '/only-we-know-this/hooks?a=b', '/only-we-know-this?a']) {
      expect(await talk(port, [`GET ${path} HTTP/1.1\r\n\r\n`], '\r\n\r\n')).toContain(' 200 ');
    }
    expect(received).toHaveLength(3);
  });

  it('answers by rules, and keeps which one did', async () => {
    const rules = JSON.stringify({
      version: 1,
      rules: [
        { name: 'gone', when: { path: '/gone' }, answer: { drop: true } },
        {
          name: 'echo',
          when: { body: { '/a': 1 } },
          answer: { status: 202, headers: { 'X-Seen': '{{header.x-trace}}' }, body: { got: '{{body.b}}' } },
        },
        { name: 'twice', when: { method: 'PUT' }, fail_first: 2 },
      ],
    });
    const { port, listener } = await start({ rules });
    const send = (text: string): Promise<string> => talk(port, [text]);
    const post = (method: string, path: string, body: string): string =>
      `${method} ${path} HTTP/1.1\r\nX-Trace: t1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await send(post('POST', '/gone', '{}'))).toBe('');
    const echoed = await send(post('POST', '/any', '{"a":1.0,"b":"\\"x"}'));
    expect(echoed).toMatch(/^HTTP\/1.1 202 [\s\S]*X-Seen: t1\r\n[\s\S]*\{"got":"\\"x"\}$/);
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await send(post('PUT', '/any', '{}'))).slice(9, 12));
    expect(statuses).toEqual(['500', '500', '200']);
    expect(await send(post('POST', '/any', '{}'))).toContain(' 200 ');
    expect(received.map(({ row }) => [row.rule, row.responded_status])).toEqual([
      ['gone', 0],
      ['echo', 202],
      ['twice', 500],
      ['twice', 500],
      ['twice', 200],
      [null, 200],
    ]);
    await listener.inbox.whenIndexed();
    const { rows } = openReader().list({ limit: 9, before: null, search: '', filter: 'rule == twice' });
    expect(rows).toHaveLength(3);
    expect(() => listener.setRules('main', '{"version":2,"rules":[]}')).toThrow(/version/);
    expect(await send(post('POST', '/gone', '{}'))).toBe('');
    listener.setRules('main', null);
    expect(await send(post('POST', '/gone', '{}'))).toContain(' 200 ');
  });

  it.each([
    ['garbage', 'hello\r\n\r\n', '400'],
    ['TLS', '\x16\x03\x01\x02\x00\x01', '400'],
    ['a head without end', `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}`, '431'],
    [
      'smuggling',
      'POST / HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a broken chunk', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
  ])('answers %s with a refusal, keeps nothing, and stays up', async (_name, bytes, httpStatus) => {
    const started = await start();
    expect(await talk(started.port, [Buffer.from(bytes, 'latin1')])).toContain(`HTTP/1.1 ${httpStatus}`);
    expect(await talk(started.port, [post('{}')], '\r\n\r\n')).toContain('200 OK');
    expect(received).toHaveLength(1);
  });

  it('survives connections that come and go in every state', async () => {
    const started = await start();
    const message = Buffer.from(post(payload('R')), 'latin1');
    await Promise.all(
      Array.from(
        { length: 300 },
        (_, index) =>
          new Promise<void>((resolve) => {
            const socket = connect(started.port, '127.0.0.1');
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
            socket.write(message.subarray(0, (index * 7) % message.length), () => {
              if (index % 2 === 0) socket.destroy();
              else socket.resetAndDestroy();
            });
          }),
      ),
    );
    expect(await talk(started.port, [post('{}')], '\r\n\r\n')).toContain('200 OK');
  });

  it('answers 503 and says so while webhooks cannot be stored, and goes on once they can', async () => {
    const problems: (string | null)[] = [];
    const started = await start({ onProblem: (problem) => problems.push(problem?.code ?? null) });
    const database = openDatabase({ file: join(dataDirectory, 'inbox.db'), migrations: inboxMigrations });
    opened.push(() => database.close());
    database.exec('ALTER TABLE arrivals RENAME TO away');
    for (let count = 0; count < 2; count++) {
      expect(await talk(started.port, [post('{}')], 'not stored')).toContain('503 Service Unavailable');
    }
    database.exec('ALTER TABLE away RENAME TO arrivals');
    expect(await talk(started.port, [post('{}')], '\r\n\r\n')).toContain('200 OK');
    expect(received).toHaveLength(1);
    expect(problems).toEqual(['listener.not_stored', null]);
  });

  it('says that a port is taken', async () => {
    const { port } = await start();
    await expect(start({ port, file: ':memory:' })).rejects.toMatchObject({
      code: 'listener.port_in_use',
      details: { port },
    });
  });

  it('speaks HTTPS with a certificate of its own that it keeps', async () => {
    const fingerprints: string[] = [];
    for (let round = 0; round < 2; round++) {
      const started = await start({ isHttps: true, sealingKey: Buffer.alloc(32, 1).toString('base64') });
      expect(started.url).toMatch(/^https:/);
      const httpStatus = await new Promise<number>((resolve, reject) => {
        const request = requestTls(
          { port: started.port, host: '127.0.0.1', method: 'POST', rejectUnauthorized: false },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        request.on('socket', (socket) =>
          socket.on('secureConnect', () => {
            const { fingerprint256 } = (socket as TLSSocket).getPeerCertificate();
            fingerprints.push(fingerprint256);
          }),
        );
        request.on('error', reject);
        request.end('{}');
      });
      expect(httpStatus).toBe(200);
      await opened.pop()!();
    }
    expect(fingerprints[0]).toBe(fingerprints[1]);
  });
});

it('keeps a reference with a NUL whole: it is not that of another payment', async () => {
  const { listener, port } = await start();
  await talk(port, [post('{"client_reference":"abc\\u0000def","payment_uuid":"1"}')], '\r\n\r\n');
  const reader = openReader();
  for (let round = 0; round < 2; round++) {
    const { rows } = reader.list({ limit: 1, before: null, search: 'def', filter: 'all' });
    expect(rows[0]?.client_reference).toBe('abc\0def');
    expect(reader.findByPayment('abc', [])).toEqual([]);
    expect(reader.findByPayment('abc\0def', [])).toHaveLength(1);
    await listener.inbox.whenIndexed();
  }
});

it('never keeps the session cookie that a browser on this machine sends along', async () => {
  const { port } = await start();
  await talk(port, [post('{}', 'Cookie: a=1; countersign_4000=secret; b=2\r\n')], '\r\n\r\n');
  const [row] = openReader().list({ limit: 1, before: null, search: '', filter: 'all' }).rows;
  const { headers } = openReader().get(row!.id)!;
  expect(headers.find(([name]) => name === 'Cookie')).toEqual(['Cookie', '••••••••']);
  for (const end of ['', '-wal']) {
    const kept = readFileSync(join(dataDirectory, `inbox.db${end}`), 'latin1');
    expect(kept).not.toContain('countersign_4000');
  }
});

describe('several addresses', () => {
  it('receive into one inbox, each with its own port, protocol and rule, and stop one by one', async () => {
    const { listener, port } = await start();
    const address = { port: 0, alternatives: 0, isHttps: false };
    const second = await listener.start({
      ...address,
      id: 'second',
      rule: { respondStatus: 201, delayMs: 0 },
    });
    const secure = await listener.start({
      ...address,
      id: 'secure',
      isHttps: true,
      rule: { respondStatus: 202, delayMs: 0 },
    });
    expect(secure.url).toMatch(/^https:/);
    expect(await talk(port, [post('{}')], '\r\n\r\n')).toContain(' 200 OK');
    expect(await talk(second.port, [post('{}')], '\r\n\r\n')).toContain(' 201 Created');
    listener.setRule('second', { respondStatus: 500, delayMs: 0 });
    expect(await talk(second.port, [post('{}')], '\r\n\r\n')).toContain(' 500 ');
    await listener.stop('second');
    await expect(talk(second.port, [post('{}')])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await talk(port, [post('{}')], '\r\n\r\n')).toContain(' 200 OK');
    expect(received.map(({ row }) => row.responded_status)).toEqual([200, 201, 500, 200]);
  });
});

describe('reading the inbox', () => {
  async function fill(): Promise<{ listener: Listener; reader: InboxReader }> {
    const started = await start();
    const bodies = ['R-100', 'R-101', 'R-102'].map((reference) => payload(reference));
    bodies.push('{"status":"FAILED","client_reference":"Q%7"}', 'not json at all', payload('R-100'));
    for (const [index, body] of bodies.entries()) {
      await talk(started.port, [post(body, `webhook-id: wh_${index % 5}\r\n`)], '\r\n\r\n');
    }
    return { listener: started.listener, reader: openReader() };
  }
  const find = (
    reader: InboxReader,
    search: string,
    filter: 'all' | 'unread' | 'failed' = 'all',
  ): (string | null)[] =>
    reader.list({ limit: 10, before: null, search, filter }).rows.map((row) => row.client_reference);

  it('finds the same before and after the index has caught up', async () => {
    const { listener, reader } = await fill();
    for (let round = 0; round < 2; round++) {
      expect(find(reader, 'r-100')).toEqual(['R-100', 'R-100']);
      expect(find(reader, 'inv-r-101')).toEqual(['R-101']);
      expect(find(reader, 'at all')).toEqual([null]);
      expect(find(reader, '%7')).toEqual(['Q%7']);
      expect(find(reader, '"; drop --')).toEqual([]);
      expect(find(reader, '', 'failed')).toEqual(['Q%7']);
      expect(
        reader.list({ limit: 1, before: null, search: '', filter: 'all' }).rows[0]!.earlier_attempts,
      ).toBe(1);
      expect(reader.findByPayment('R-100', [])).toHaveLength(2);
      await listener.inbox.whenIndexed();
    }
  });

  it('pages without a gap, counts, and notes how long answers took', async () => {
    const { listener, reader } = await fill();
    await listener.inbox.whenIndexed();
    const seen: number[] = [];
    for (let before: number | null = null; ;) {
      const { rows, totalCount } = reader.list({ limit: 4, before, search: '', filter: 'all' });
      expect(totalCount).toBe(6);
      seen.push(...rows.map(({ id }) => id));
      expect(rows.every(({ answered_ms }) => answered_ms !== null && answered_ms > 0)).toBe(true);
      if (rows.length < 4) break;
      before = rows.at(-1)!.id;
    }
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(6);
  });
});
