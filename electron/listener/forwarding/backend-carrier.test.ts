import { createServer, Socket, type AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createBackendCarrier } from './backend-carrier';
import { readForwardTarget } from './forward-target';

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

const head = Buffer.from('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n');
const row = {
  id: 1,
  received_at: 0,
  responded_status: 200,
  head_size: head.length,
  remote_address: null,
  rule: null,
  full_bytes: null,
  raw: Buffer.concat([head, Buffer.from('{}')]),
};

/** What comes of one webhook where the backend writes this as soon as it hears of it. */
async function deliverTo(answer: string, isEnded: boolean, scheme = 'http'): Promise<unknown> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    socket.once('data', () => (isEnded ? socket.end(answer) : socket.write(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = readForwardTarget(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const carrier = createBackendCarrier({
    target,
    keepsAnswers: true,
    secretPaths: () => [],
    isOwn: () => false,
  });
  closes.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    void carrier.close();
  });
  return carrier.deliver({ row, id: 'a', attempt: 1 });
}

it.each([
  ['ends without a word', '', true],
  ['ends within a head', 'HTTP/1.1 200 OK\r\nContent-', true],
])('tells at once of a backend that %s', async (_what, answer, isEnded) => {
  expect(await deliverTo(answer, isEnded)).toMatchObject({
    isDelivered: false,
    httpStatus: null,
    isUnreachable: false,
    reason:
      'The backend closed the connection before it answered. Should that port speak TLS, its address begins with https://.',
  });
});

it.each<[what: string, answer: string, scheme: string, told: object]>([
  [
    'takes the connection over',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    'http',
    {
      httpStatus: 101,
      reason: 'The backend answered HTTP 101: it goes on in another protocol, which nobody asked it for.',
    },
  ],
  [
    'refuses in words of its own, without a token that it repeats',
    'HTTP/1.1 403 Forbidden\r\nContent-Length: 51\r\n\r\n<html><p>No CSRF cookie; token=abcdefgh12345678</p>',
    'http',
    { httpStatus: 403, reason: 'The backend answered HTTP 403: “No CSRF cookie; token=••••••••”.' },
  ],
  [
    'leads elsewhere',
    'HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n',
    'http',
    { httpStatus: 307, reason: 'The backend answered HTTP 307: redirects are not followed.' },
  ],
  [
    'answers with a status that is none',
    'HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n',
    'http',
    { isDelivered: false, httpStatus: 0, reason: 'The backend answered HTTP 0.' },
  ],
  [
    'tells of nothing new',
    'HTTP/1.1 304 Not Modified\r\n\r\n',
    'http',
    { httpStatus: 304, reason: 'The backend answered HTTP 304.' },
  ],
  [
    'speaks something else',
    '220 mail ESMTP\r\n\r\n',
    'http',
    { reason: 'What the backend answered cannot be read as HTTP.' },
  ],
  [
    'answers with headers without end',
    `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(60_000)}\r\n`,
    'http',
    { reason: 'The backend answered with headers of more than 128 KiB, which are not read.' },
  ],
  [
    'has as many headers as are read',
    `HTTP/1.1 204 No Content\r\n${'X-A: b\r\n'.repeat(8000)}\r\n`,
    'http',
    { isDelivered: true },
  ],
  [
    'speaks no TLS',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'https',
    {
      isUnreachable: true,
      reason: expect.stringMatching(
        /^No secure connection to 127\.0\.0\.1:\d+: what it answers is no TLS\. Check that the port speaks TLS, or use http:\/\/\.$/,
      ) as string,
    },
  ],
])('says in words what is wrong with a backend that %s', async (_what, answer, scheme, told) => {
  expect(await deliverTo(answer, false, scheme)).toMatchObject({ isUnreachable: false, ...told });
});

it('says that too many files are open here where no connection can be opened', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
    Object.assign(this, { connecting: true });
    setImmediate(() => this.destroy(error));
    return this;
  });
  closes.push(() => connect.mockRestore());
  expect(await deliverTo('', true)).toMatchObject({
    isDelivered: false,
    reason: expect.stringMatching(/^The webhook could not be delivered. Too many files are open. Raise/),
  });
});

it('takes a whole answer behind which the backend ends', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it';
  expect(await deliverTo(answer, true)).toMatchObject({
    isDelivered: true,
    answer: { body: Buffer.from('all of it') },
  });
});

it('tells of a backend that a webhook ended on a kept connection more than that nothing listens there', async () => {
  let count = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', () => {
      count += 1;
      if (count === 1) return void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      server.close();
      sockets.forEach((each) => each.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = readForwardTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const carrier = createBackendCarrier({
    target,
    keepsAnswers: false,
    secretPaths: () => [],
    isOwn: () => false,
  });
  closes.push(() => void carrier.close());
  expect(await carrier.deliver({ row, id: 'a', attempt: 1 })).toMatchObject({ isDelivered: true });
  expect(await carrier.deliver({ row, id: 'b', attempt: 1 })).toMatchObject({
    isUnreachable: true,
    reason:
      'The backend closed the connection as it was handed this webhook. Its log may tell why. The backend cannot be reached: nothing listens there.',
  });
});
