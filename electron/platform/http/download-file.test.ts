import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { downloadFile } from './download-file';

let server: Server;
let url: URL;
/** How the server answers. */
let answer: Parameters<typeof createServer>[1];

beforeEach(async () => {
  server = createServer((request, response) => answer!(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const limits = { mostBytes: 1000, idleMs: 300, slowest: { bytes: 20, everyMs: 400 } };
const target = (): string => join(makeTemporaryFolder('download'), 'file');

it('says what it is that cannot be written, and that it is ours', async () => {
  answer = (_request, response) => response.end('x');
  const file = join(makeTemporaryFolder('download'), 'missing', 'file');
  await expect(downloadFile(url, file, limits)).rejects.toMatchObject({ code: 'platform.unwritable' });
});

it('takes no more than was announced, however much comes', async () => {
  answer = (_request, response) => {
    const pour = (): unknown => response.write('x'.repeat(65_536)) && setImmediate(pour);
    response.on('drain', pour);
    pour();
  };
  expect((await downloadFile(url, target(), limits)).bytes).toBeGreaterThan(limits.mostBytes);
});

it.each([
  ['stands still', (_request, response) => response.write('x')],
  ['never answers', () => undefined],
  [
    'breaks off',
    (_request, response) =>
      response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
  ],
] as [string, typeof answer][])('fails in time where the server %s', async (_what, how) => {
  answer = how;
  await expect(downloadFile(url, target(), limits)).rejects.toThrow();
});

it.each([
  ['of its head', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Long: '), /did not answer within 0\.4 s/],
  ['of its notes before it', () => undefined, /did not answer within 0\.4 s/, 'HTTP/1.1 103 \r\n\r\n'],
  [
    'of the file',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n'),
    /sent only \d bytes in 0\.4 s, too slow/,
  ],
] as [string, (socket: Socket) => unknown, RegExp, string?][])(
  'does not wait for a server that drips a little %s',
  async (_what, begin, words, drop = 'x') => {
    answer = ({ socket }) => {
      begin(socket);
      const drip = setInterval(() => socket.write(drop), 100);
      socket.once('close', () => clearInterval(drip));
    };
    await expect(downloadFile(url, target(), limits)).rejects.toThrow(words);
  },
);

it('waits as long as it takes for a server that is slow and does not drip', async () => {
  answer = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n');
    let left = 10;
    const drip = setInterval(() => {
      if (left > 0) socket.write('x'.repeat(10));
      left -= 1;
    }, 100);
    socket.once('close', () => clearInterval(drip));
  };
  expect((await downloadFile(url, target(), limits)).bytes).toBe(100);
});

it('follows no redirect into a file', async () => {
  answer = (_request, response) => response.writeHead(302, { location: '/other' }).end('moved');
  const file = target();
  await expect(downloadFile(url, file, limits)).rejects.toThrow('302');
  expect(existsSync(file)).toBe(false);
});

it('says in words where a server broke off, is gone, or speaks no TLS', async () => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-length': 9 }).write('four', () => response.destroy());
  await expect(downloadFile(url, target(), limits)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ broke off after \d bytes\.$/,
  );
  const overTls = new URL(url.href.replace('http:', 'https:'));
  await expect(downloadFile(overTls, target(), limits)).rejects.toThrow(/what it answers is no TLS/);
  const gone = new URL('http://127.0.0.1:1/file');
  await expect(downloadFile(gone, target(), limits)).rejects.toThrow(/nothing listens there/);
});
