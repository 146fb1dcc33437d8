import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { callAdmin } from './call-admin';

const token = 'sa_0123456789abcdefghijklmnop';
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Asks somebody for the state of a sandbox. */
async function ask(server: Server): Promise<unknown> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return callAdmin({ baseUrl: `http://127.0.0.1:${port}`, token }, 'GET', 'state');
}
const askHttp = (answer: RequestListener): Promise<unknown> => ask(createServer(answer));

it('gives the answer of a sandbox', async () => {
  const answer = askHttp(({ headers }, response) =>
    response.end(JSON.stringify({ got: headers.authorization })),
  );
  expect(await answer).toEqual({ got: `Bearer ${token}` });
});

it('says nothing of the token, whatever whoever answers says, and no more than a few lines', async () => {
  const answer = askHttp(({ headers }, response) =>
    response
      .writeHead(401)
      .end(JSON.stringify({ message: `no: ${headers.authorization} ${'x'.repeat(100_000)}` })),
  );
  const { message } = await answer.then(
    () => new Error('it was taken'),
    (error: unknown) => error as Error,
  );
  expect(message).toMatch(/^no: Bearer sa_0…mnop x+$/);
  expect(message.length).toBeLessThanOrEqual(2000);
});

it('reads no answer without an end', async () => {
  const answer = askHttp((_request, response) => {
    const chunk = Buffer.alloc(8 * 1024 * 1024, 0x20);
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write).on('error', () => undefined);
    write();
  });
  await expect(answer).rejects.toMatchObject({
    code: 'sandbox.bad_request',
    message: expect.stringContaining('more than 128 MiB'),
  });
});

it.each<[string, RequestListener, RegExp]>([
  ['an error without a word', (_, response) => response.writeHead(500).end(), /start it anew/],
  ['a page', (_, response) => response.end('<html>'), /is no sandbox of ours: it answered 200/],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { Location: '/' }).end(),
    /no sandbox of ours: it answered 302/,
  ],
])('says what answered: %s', async (_name, answer, message) => {
  await expect(askHttp(answer)).rejects.toMatchObject({
    code: 'sandbox.bad_request',
    message: expect.stringMatching(message),
  });
});

it('tells who speaks something else from who is not there', async () => {
  const other = ask(
    createTcpServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-other\r\n')),
  );
  await expect(other).rejects.toMatchObject({ code: 'sending.bad_answer' });
  const gone = callAdmin({ baseUrl: 'http://127.0.0.1:1', token }, 'GET', 'state');
  await expect(gone).rejects.toThrow('No sandbox answers at http://127.0.0.1:1. Start it first.');
});

it('sends nobody to start what runs, and ends a connection over TLS', async () => {
  const server = createTcpServer((socket) => socket.on('error', () => undefined).end());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ended = callAdmin({ baseUrl: `https://127.0.0.1:${port}`, token }, 'GET', 'state');
  await expect(ended).rejects.toThrow(/^No secure connection to .*during the TLS handshake/);
});
