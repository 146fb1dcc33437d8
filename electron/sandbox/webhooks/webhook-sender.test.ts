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
