import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { createHttp1Server, type Http1Server } from './create-http1-server';
import type { HttpHandler, HttpRequest, Responder } from './connection';
import { limits } from './limits';

/** The largest of the limits is made small: to fill the real one takes half a gigabyte. */
vi.mock(import('./limits'), async (importOriginal) => {
  const { limits: real } = await importOriginal();
  return { limits: { ...real, pendingBodyBytes: (4 * 1024 * 1024) as typeof real.pendingBodyBytes } };
});

const opened: Http1Server[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of opened.splice(0)) {
    const closed = server.close();
    server.destroyConnections();
    await closed;
  }
});

/** Answers with method, target and body, unless told otherwise; keeps all requests. */
async function start(more: Partial<HttpHandler> = {}) {
  const requests: HttpRequest[] = [];
  const handler: HttpHandler = {
    maxBodyBytes: 1024 * 1024,
    receive(request, responder) {
      requests.push(request);
      responder.answer(200, [], `${request.method} ${request.target} ${request.body.toString()};`);
    },
    refuse: (httpStatus, reason) => ({ httpStatus, headers: ['X-Refused', 'yes'], body: reason }),
    ...more,
  };
  const made = createHttp1Server(handler);
  opened.push(made);
  await once(made.server.listen(0, '127.0.0.1'), 'listening');
  return { ...made, requests, port: (made.server.address() as AddressInfo).port };
}

function open(port: number, text = ''): { socket: Socket; read: (until: string) => Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let received = '';
  let wake = (): void => undefined;
  socket.on('data', (chunk) => ((received += chunk.toString('latin1')), wake()));
  socket.on('error', () => undefined);
  for (const event of ['end', 'close']) socket.on(event, () => ((received += `<${event}>`), wake()));
  socket.write(text);
  let seen = 0;
  const read = async (until: string): Promise<string> => {
    while (!received.includes(until, Math.max(0, seen - until.length)) && !received.endsWith('<close>')) {
      seen = received.length;
      await new Promise<void>((done) => (wake = done));
    }
    return received;
  };
  return { socket, read };
}

describe('a connection', () => {
  it('answers 3,000 requests that were sent ahead, in order, also behind a half-closed client', async () => {
    const { port, requests } = await start();
    const texts = Array.from(
      { length: 3000 },
      (_, at) => `POST /${at} HTTP/1.1\r\nContent-Length: 2\r\n\r\nab`,
    );
    const { socket, read } = open(port);
    socket.end(texts.join(''));
    const answers = await read('<end>');
    const targets = [...answers.matchAll(/POST \/(\d+) ab;/g)].map(([, at]) => Number(at));
    expect(targets).toEqual(Array.from({ length: 3000 }, (_, at) => at));
    expect(requests).toHaveLength(3000);
  });

  it('reads no further than a client takes its answers', async () => {
    const answer = 'x'.repeat(100_000);
    let received = 0;
    const { port } = await start({
      receive: (_request, responder) => (received++, responder.answer(200, [], answer)),
    });
    const count = 1000;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(count));
    for (let before = -1; before !== received || received === 0;) {
      before = received;
      await new Promise((done) => setTimeout(done, 50));
    }
    // What the buffers of the kernel hold, not the 100 MB of all answers.
    expect(received).toBeLessThan(count / 4);
    let bytes = 0;
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.end();
    await once(socket, 'end');
    expect(received).toBe(count);
    expect(bytes).toBeGreaterThan(count * answer.length);
  });

  it('holds what comes early in the client’s hands, not in memory', async () => {
    const held: Responder[] = [];
    const { port } = await start({ receive: (_request, responder) => held.push(responder) });
    const { socket } = open(port, 'GET /1 HTTP/1.1\r\n\r\n');
    await vi.waitUntil(() => held.length === 1);
    let sentBytes = 0;
    const piece = Buffer.alloc(64 * 1024, 'GET / HTTP/1.1\r\n\r\n');
    for (let at = 0; at < 1000 && socket.writableLength < 1024 * 1024; at++) {
      socket.write(piece, () => (sentBytes += piece.length));
      await new Promise((done) => setImmediate(done));
    }
    expect(socket.writableLength).toBeGreaterThanOrEqual(1024 * 1024);
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
  });

  it('keeps HTTP/1.0 open where asked, and closes where not', async () => {
    const { port } = await start();
    const kept = open(port, 'GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\nGET /3 HTTP/1.0\r\n\r\n');
    const answers = await kept.read('<end>');
    expect(answers).toMatch(/Connection: keep-alive\r\n\r\nGET \/1 ;[\s\S]*Connection: close\r\n\r\nGET \/2 ;<end>/);
    expect(answers).not.toContain('/3');
  }); // prettier-ignore

  it('asks for a body only where one is still to come and not too long', async () => {
    const { port } = await start();
    const head = (bytes: number) =>
      `POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`;
    const asked = open(port, head(3));
    await asked.read('HTTP/1.1 100 Continue\r\n\r\n');
    asked.socket.write('abc');
    expect(await asked.read('abc;')).toContain('100 Continue');
    expect(await open(port, `${head(3)}abc`).read('abc;')).not.toContain('100 Continue');
    expect(await open(port, head(2_000_000)).read('<end>')).not.toContain('100 Continue');
  });

  it('hands over the head of what is too long, answers, and closes', async () => {
    const { port, requests } = await start();
    const long = `POST /long HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(100_000)}`;
    expect(await open(port, long).read('<end>')).toMatch(/200 OK[\s\S]*Connection: close[\s\S]*POST \/long ;/);
    const chunks = `POST /long HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffff0\r\n`;
    expect(await open(port, chunks).read('<end>')).toContain('POST /long ;');
    expect(requests.map(({ isTooLong, body }) => [isTooLong, body.length])).toEqual([[true, 0], [true, 0]]);
  }); // prettier-ignore

  it('reads trailers and what stands behind a chunked body', async () => {
    const { port, requests } = await start();
    const text = 'PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\nGET /next HTTP/1.1\r\n\r\n';
    await open(port, text).read('/next ;');
    expect(requests[0]).toMatchObject({ trailers: ['X', 'y'], body: Buffer.from('a') });
    expect(requests[0]!.head.toString()).toBe('PUT / HTTP/1.1\r\nTransfer-Encoding: chunked');
  }); // prettier-ignore

  it('writes no body in answer to HEAD, nor with 204 and 304', async () => {
    const { port } = await start({
      receive: ({ target }, responder) => responder.answer(Number(target.slice(1)), [], 'text'),
    });
    const { socket, read } = open(port);
    socket.end(
      'HEAD /200 HTTP/1.1\r\n\r\nGET /204 HTTP/1.1\r\n\r\nGET /304 HTTP/1.1\r\n\r\nGET /200 HTTP/1.1\r\n\r\n',
    );
    const [, head, none, same, whole] = (await read('<end>')).split('HTTP/1.1 ');
    expect(head).toMatch(/Content-Length: 4[\s\S]*\r\n\r\n$/);
    expect([none, same].map((text) => text!.includes('Content-Length'))).toEqual([false, false]);
    expect(whole).toMatch(/\r\n\r\ntext<end>$/);
  });

  it('writes an answer in pieces, then goes on', async () => {
    const { port } = await start({
      receive(_request, responder) {
        responder.begin(200, [], 4);
        setImmediate(() => (responder.write(Buffer.from('ab')), responder.write(Buffer.from('cd')), responder.finish()));
      },
    });
    const { socket, read } = open(port);
    socket.end('GET / HTTP/1.1\r\n\r\n'.repeat(2));
    expect((await read('<end>')).match(/\r\n\r\nabcd/g)).toHaveLength(2);
  }); // prettier-ignore

  it('takes answers that come after the client has gone without a word', async () => {
    const held: Responder[] = [];
    const { port } = await start({ receive: (_request, responder) => held.push(responder) });
    const { socket } = open(port, 'GET / HTTP/1.1\r\n\r\n');
    await vi.waitUntil(() => held.length > 0);
    socket.resetAndDestroy();
    await vi.waitUntil(() => held.every(({ isClosed }) => isClosed));
    for (const responder of held) {
      responder.answer(200, [], 'late');
      responder.begin(200, [], 1);
      responder.write(Buffer.from('x'));
      responder.finish();
    }
  });

  it('tells a client that speaks TLS what is spoken here', async () => {
    const { port } = await start();
    expect(await open(port, '\x16\x03\x01').read('<end>')).toMatch(
      /HTTP\/1\.1 400[\s\S]*X-Refused[\s\S]*TLS/,
    );
  });

  it('reads a head of 60,000 bytes, byte by byte, in no time', async () => {
    const { server, requests } = await start();
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    const processorMs = countProcessorMs();
    server.emit('connection', socket);
    for (const byte of Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(10_000)}\r\n`)) socket.emit('data', Buffer.from([byte]));
    expect(requests).toHaveLength(1);
    expect(processorMs()).toBeLessThan(2000);
    socket.destroy();
  }); // prettier-ignore
});

describe('a server that stops', () => {
  it('answers what has begun to arrive, and takes no more', async () => {
    const { port, close } = await start();
    const idle = open(port);
    const kept = open(port, 'GET /first HTTP/1.1\r\n\r\n');
    expect(await kept.read(';')).toContain('GET /first');
    const { socket, read } = open(port, 'POST /half HTTP/1.1\r\nContent-Length: 4\r\n\r\nab');
    const early = open(port, 'GET /head HT');
    await new Promise((done) => setTimeout(done, 50));
    const closed = close();
    expect(await idle.read('<end>')).not.toContain('HTTP/1.1');
    await kept.read('<end>');
    socket.write('cd');
    expect(await read('<end>')).toMatch(/200 OK[\s\S]*Connection: close[\s\S]*POST \/half abcd;/);
    early.socket.write('TP/1.1\r\n\r\n');
    expect(await early.read('<end>')).toContain('GET /head');
    for (const one of [socket, early.socket, idle.socket, kept.socket]) one.end();
    await closed;
    await expect(once(connect({ port, host: '127.0.0.1' }), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('waits five seconds for the rest of it, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    vi.advanceTimersByTime(1);
    const { port, close } = await start();
    const { socket, read } = open(port, 'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\na');
    await new Promise((done) => setTimeout(done, 50));
    const closed = close();
    for (let pieces = 0; pieces < 3; pieces++) {
      vi.advanceTimersByTime(2000);
      socket.write('b');
      await new Promise((done) => setTimeout(done, 20));
    }
    expect(await read('<end>')).toContain('HTTP/1.1 408');
    socket.end();
    await closed;
  });
});

describe('the time a message may take', () => {
  const startTimed = async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    vi.advanceTimersByTime(1);
    const started = await start();
    let served: Socket | null = null;
    started.server.on('connection', (socket: Socket) => (served = socket));
    /** Waits until so many bytes of the client came in: on a busy machine that takes longer than any pause. */
    const arrived = async (bytes: number): Promise<void> => {
      while ((served?.bytesRead ?? 0) < bytes) await arrive();
    };
    return { ...started, arrived };
  };
  /** Lets the time pass in which a message is waited for, a sweep at a time. */
  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);
  const head = 'POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n';
  const arrive = (): Promise<unknown> => new Promise((done) => setTimeout(done, 30));

  it('is short for a head: 408 after 15 seconds, however its bytes drip', async () => {
    const { port, arrived } = await startTimed();
    const { socket, read } = open(port, 'GET / HTTP/1.1\r\n');
    let sent = 16;
    for (let second = 0; second < 14; second += 2) {
      await arrived(sent);
      pass(2000);
      socket.write('a: b\r\n');
      sent += 6;
    }
    await arrived(sent);
    pass(2000);
    expect(await read('<end>')).toContain('HTTP/1.1 408');
  });

  it('is counted anew with each piece of a body, and ends after 30 seconds without one', async () => {
    const { port, arrived } = await startTimed();
    const { socket, read } = open(port, head);
    for (let pieces = 0; pieces < 3; pieces++) {
      await arrived(head.length + pieces);
      pass(29_000);
      socket.write('x');
    }
    await arrived(head.length + 3);
    pass(29_000);
    expect(socket.readableEnded).toBe(false);
    pass(2000);
    expect(await read('<end>')).toContain('HTTP/1.1 408');
  });

  it('ends after ten minutes even where pieces come', async () => {
    const { port, arrived } = await startTimed();
    const { socket, read } = open(port, head);
    for (let pieces = 0; pieces < 24; pieces++) {
      await arrived(head.length + pieces);
      socket.write('x');
      pass(25_000);
    }
    await arrived(head.length + 24);
    pass(1000);
    expect(await read('<end>')).toContain('HTTP/1.1 408');
  });

  it('goes on after a refusal while the client still sends, so that no reset overtakes the answer, for 30 seconds', async () => {
    const { port, server } = await startTimed();
    const served: Socket[] = [];
    server.on('connection', (socket: Socket) => served.push(socket));
    const { socket, read } = open(port, 'POST / HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n');
    await read('HTTP/1.1 200');
    for (let ms = 0; ms < 28_000; ms += 1500) {
      socket.write('x');
      await arrive();
      pass(1500);
      expect(served[0]!.destroyed).toBe(false);
    }
    socket.write('x');
    await arrive();
    pass(3000);
    expect(served[0]!.destroyed).toBe(true);
  });

  it('is a good minute without any message, and not a moment while one is answered', async () => {
    const { port, server } = await startTimed();
    const served: Socket[] = [];
    server.on('connection', (socket: Socket) => served.push(socket));
    const { read } = open(port, 'GET / HTTP/1.1\r\n\r\n');
    await read(';');
    pass(64_000);
    expect(served[0]!.destroyed).toBe(false);
    pass(2000);
    expect(served[0]!.destroyed).toBe(true);
  });
});

it('unfinished bodies of all connections together are bounded: 503, and the room is given back', async () => {
  const { port } = await start({ maxBodyBytes: 2 * limits.pendingBodyBytes });
  const most = limits.pendingBodyBytes;
  const head = `POST / HTTP/1.1\r\nContent-Length: ${most}\r\n\r\n`;
  const first = open(port, head + 'x'.repeat(most - 1000));
  await vi.waitUntil(() => first.socket.writableLength === 0);
  const second = open(port, head);
  await new Promise((done) => setTimeout(done, 100));
  second.socket.write('x'.repeat(1001));
  expect(await second.read('<end>')).toContain('HTTP/1.1 503');
  first.socket.destroy();
  const after = open(port, 'POST / HTTP/1.1\r\nContent-Length: 2000\r\n\r\n');
  await new Promise((done) => setTimeout(done, 100));
  after.socket.write('x'.repeat(2000));
  expect(await after.read('xxx;')).toContain('200 OK');
});
