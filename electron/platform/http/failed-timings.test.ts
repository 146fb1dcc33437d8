import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { HttpAnswer } from '../ports';
import { expectListening } from './connect-to';
import { createHttpClient } from './http-client';

let close = (): void => undefined;
afterEach(() => close());

async function serveRaw(onData: (socket: Socket) => unknown): Promise<string> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => socket.destroy()).on('data', () => void onData(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ['nobody knows its host', async () => 'http://nowhere.invalid/', []],
  ['its server is silent', () => serveRaw(() => undefined), ['connectMs']],
  [
    'its server is no TLS server',
    async () => (await serveRaw((socket) => socket.end('no'))).replace('http:', 'https:'),
    ['connectMs'],
  ],
  [
    'its answer stalls',
    () => serveRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok')),
    ['connectMs', 'firstByteMs'],
  ],
])('tells how long it took where %s, and nothing of what did not end', async (_what, serve, ended) => {
  const told: HttpAnswer['timings'][] = [];
  const onFailure = (timings: HttpAnswer['timings']) => void told.push(timings);
  const url = await serve();
  await expect(
    createHttpClient()({ method: 'GET', url, headers: [], body: null, timeoutMs: 400, onFailure }),
  ).rejects.toThrow();
  const [{ queueMs, dnsMs, totalMs, ...phases }] = told as [HttpAnswer['timings']];
  expect(Object.entries(phases).flatMap(([name, ms]) => (ms === null ? [] : [name]))).toEqual(ended);
  const sum = [queueMs, dnsMs, ...Object.values(phases)].reduce<number>((total, ms) => total + (ms ?? 0), 0);
  // Each is rounded by itself.
  expect(totalMs + 0.005).toBeGreaterThanOrEqual(sum);
  expect(told).toHaveLength(1);
});

it('says of a port that takes the connection, and is silent to TLS, that it took it', async () => {
  const url = (await serveRaw(() => undefined)).replace('http:', 'https:');
  const said = /:\d+ took the connection, but did not finish the TLS handshake within /;
  const call = { method: 'GET', url, headers: [], body: null, timeoutMs: 200 };
  await expect(createHttpClient()(call)).rejects.toMatchObject({
    code: 'sending.unreachable',
    message: expect.stringMatching(said),
  });
  await expect(expectListening(new URL(url), 200)).rejects.toThrow(said);
});

it.each([
  ['a tunnel whose end is silent to TLS', 'HTTP/1.1 200 OK\r\n\r\n', /:443 took the connection through the proxy \S+, but did not finish the TLS handshake/],
  ['a proxy that makes no tunnel', '', /:443 could not be connected to through the proxy /],
])('says of %s how far it came', async (_what, told, said) => {
  const proxy = await serveRaw((socket) => void (socket.bytesWritten === 0 && socket.write(told)));
  const connection = { proxy: { url: proxy, user: '', password: '' }, ca: '', clientCertificate: null };
  const call = { method: 'GET', url: 'https://far.example', headers: [], body: null, timeoutMs: 300, connection };
  await expect(createHttpClient()(call)).rejects.toMatchObject({ message: expect.stringMatching(said) });
}); // prettier-ignore
