import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { WebhookSender } from './webhook-sender';

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

it.each([
  [
    'takes the connection over',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    'failed',
  ],
  ['ends without a word', '', 'failed'],
  ['ends behind its whole answer', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it', 'delivered'],
])('tells at once of a receiver that %s', async (_what, answer, kind) => {
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
    kind,
    httpStatus: kind === 'delivered' ? 200 : null,
    error: kind === 'delivered' ? null : expect.stringMatching(/closed|hang up/),
  });
});
