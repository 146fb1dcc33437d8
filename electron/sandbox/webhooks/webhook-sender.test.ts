import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { WebhookSender } from './webhook-sender';

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

it.each([
  [
    'takes the connection over',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    101,
  ],
  ['ends without a word', '', null],
  ['ends behind its whole answer', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it', 200],
])('tells at once of a receiver that %s', async (_what, answer, httpStatus) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    socket.once('data', () => (answer.includes(' 101 ') ? socket.write(answer) : socket.end(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sender = new WebhookSender({ isExposed: false, allowedHosts: [] });
  closes.push(() => {
    sender.abort();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await sender.send({ callbackUrl, headers: {}, body: '{}' })).toMatchObject({
    kind: httpStatus === 200 ? 'delivered' : 'failed',
    httpStatus,
    error:
      httpStatus === null
        ? expect.stringMatching(/closed|hang up/)
        : httpStatus === 101
          ? expect.stringContaining('101')
          : null,
  });
});

/** What is told of a delivery to a receiver that does this with a connection. */
async function tellOf(scheme: string, answer: (socket: Socket) => void): Promise<string | null> {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => answer(socket)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sender = new WebhookSender({ isExposed: false, allowedHosts: [] });
  closes.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const callbackUrl = `${scheme}://amina:%zz-word@127.0.0.1:${port}/`;
  const { error } = await sender.send({ callbackUrl, headers: {}, body: '{}' });
  sender.abort();
  return error;
}

it.each<[string, string, (socket: Socket) => void, RegExp]>([
  ['https', 'speaks an old TLS', (socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])), /no version of TLS/],
  ['https', 'speaks plain HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /no TLS.*http:\/\//],
  ['https', 'ends in the handshake', (socket) => socket.end(), /dropped it during the TLS handshake/],
  ['http', 'resets', (socket) => socket.resetAndDestroy(), /^The receiver closed .*begins with https:\/\/$/],
  ['http', 'speaks no HTTP', (socket) => socket.end('SSH-2.0-x\r\n'), /cannot be read as HTTP$/],
])('tells a person what is wrong with a receiver by %s that %s', async (scheme, _what, answer, said) => {
  const error = await tellOf(scheme, answer);
  expect(error).toMatch(said);
  expect(error).not.toMatch(/word|SSL routines|ECONN|EPROTO|URI/);
}); // prettier-ignore
