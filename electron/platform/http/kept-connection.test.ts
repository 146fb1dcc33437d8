import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpCall, HttpTrace } from '../ports';
import { createHttpClient } from './http-client';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** Gives what the client wrote, and keeps the connection. */
async function serveRaw(onData: (socket: Socket, text: string) => void): Promise<string> {
  const server = createServer((socket) => {
    opened.push({ close: () => socket.destroy() });
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => onData(socket, chunk.toString('latin1')));
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = (url: string, more: Partial<HttpCall> = {}): HttpCall => ({
  method: 'GET',
  url,
  headers: [],
  body: null,
  timeoutMs: 5000,
  ...more,
});

describe('a kept connection that its server ends without a word', () => {
  /** Answers, and closes half a connection when it is used again; `paths` are those that came. */
  async function serveOnce(): Promise<{ url: string; paths: string[] }> {
    const paths: string[] = [];
    const used = new Set<Socket>();
    const url = await serveRaw((socket, text) => {
      paths.push(`${text.split(' ', 2).join(' ')}`);
      if (used.has(socket)) return void socket.resetAndDestroy();
      used.add(socket);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    return { url, paths };
  }

  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['POST', { isRepeatable: true }],
  ] as const)('sends a %s again, once, on another', async (method, more) => {
    const { url, paths } = await serveOnce();
    const send = createHttpClient();
    const traces: HttpTrace[] = [];
    await send(call(`${url}/first`));
    const trace = { mostBytes: 1000, onEnd: (one: HttpTrace) => traces.push(one) };
    expect(await send(call(`${url}/second`, { method, trace, ...more }))).toMatchObject({ httpStatus: 200 });
    expect(paths).toEqual(['GET /first', `${method} /second`, `${method} /second`]);
    expect(traces).toMatchObject([{ isReused: false, httpVersion: '1.1' }]);
  });

  it.each([
    ['POST', {}],
    ['POST', { aftermath: 'payment' }],
    ['POST', { aftermath: 'none' }],
    ['GET', { aftermath: 'payment' }],
    ['DELETE', {}],
  ] as const)('never sends a %s with %o again', async (method, more) => {
    const { url, paths } = await serveOnce();
    const send = createHttpClient();
    await send(call(`${url}/first`));
    await expect(send(call(`${url}/second`, { method, ...more }))).rejects.toMatchObject({
      code: 'sending.closed',
    });
    expect(paths).toEqual(['GET /first', `${method} /second`]);
  });

  it('sends nothing again of which a byte of an answer came', async () => {
    const used = new Set<Socket>();
    let count = 0;
    const url = await serveRaw((socket) => {
      count++;
      if (used.has(socket)) return void socket.end('H');
      used.add(socket);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const send = createHttpClient();
    await send(call(url));
    await expect(send(call(url))).rejects.toMatchObject({
      code: expect.stringMatching(/^sending\./) as string,
    });
    expect(count).toBe(2);
  });

  it('sends nothing a third time, and nothing after it was stopped or out of time', async () => {
    let count = 0;
    const stop = new AbortController();
    const url = await serveRaw((socket, text) => {
      if (text.startsWith('GET /first'))
        return void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      count++;
      if (text.startsWith('GET /stop')) stop.abort();
      if (!text.startsWith('GET /silent')) socket.resetAndDestroy();
    });
    const send = createHttpClient();
    const after = async (path: string, more: Partial<HttpCall>): Promise<unknown> => {
      count = 0;
      await send(call(`${url}/first`));
      const failure: unknown = await send(call(url + path, more)).catch((error: unknown) => error);
      return { ...(failure as { code: string }), count };
    };
    expect(await after('/close', {})).toMatchObject({ code: 'sending.closed', count: 2 });
    expect(await after('/stop', { signal: stop.signal })).toMatchObject({
      code: 'sending.canceled',
      count: 1,
    });
    expect(await after('/silent', { timeoutMs: 50 })).toMatchObject({ code: 'sending.timeout', count: 1 });
  });

  it('puts no payment into one that has ended already', async () => {
    let count = 0;
    const url = await serveRaw((socket) => {
      count++;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const send = createHttpClient();
    const payment = call(url, { method: 'POST', aftermath: 'payment' });
    for (let at = 0; at < 50; at++) expect(await send(payment)).toMatchObject({ httpStatus: 200 });
    expect(count).toBe(50);
  });

  it('puts no payment into one that went on for many calls and ended while nobody looked', async () => {
    const sockets = new Set<Socket>();
    const url = await serveRaw((socket) => {
      sockets.add(socket);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const send = createHttpClient();
    const payment = call(url, { method: 'POST', aftermath: 'payment' });
    for (let at = 0; at < 10; at++) await send(payment);
    expect(sockets.size).toBe(1);
    for (const socket of sockets) socket.end();
    // The end stands in the kernel; this thread reads nothing meanwhile.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(await send(payment)).toMatchObject({ httpStatus: 200 });
    expect(sockets.size).toBe(2);
  });
});

it('takes what comes while nothing is asked for no answer to what is asked next', async () => {
  const answer = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const sockets = new Set<Socket>();
  const url = await serveRaw((socket, text) => {
    sockets.add(socket);
    socket.write(answer(text.split(' ', 2)[1]!));
  });
  const send = createHttpClient();
  await send(call(`${url}/first`));
  for (const socket of sockets) socket.write(answer('/of-nobody'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { body } = await send(call(`${url}/second`));
  expect(Buffer.from(body).toString()).toBe('/second');
  expect(sockets.size).toBe(2);
});
