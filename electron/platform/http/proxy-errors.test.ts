import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, expect, it } from 'vitest';
import { makeAuthority } from '../../../test/support/certificates';
import { createHttpClient } from './http-client';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const PASSWORD = 'word-of-the-proxy';

/** What is said where a call to a service behind TLS has to pass this proxy. */
async function sendThrough(url: string, user = 'amina'): Promise<string> {
  const error: unknown = await createHttpClient()({
    method: 'GET',
    url: 'https://pay.example/x',
    headers: [['Authorization', 'Bearer token-of-the-service']],
    body: null,
    timeoutMs: 4000,
    connection: { proxy: { url, user, password: PASSWORD }, ca: '', clientCertificate: null },
  }).catch((failure: unknown) => failure);
  const { message, details } = error as { message: string; details: object };
  expect(message + JSON.stringify(details)).not.toMatch(/word-of|token-of/);
  return message;
}

async function serve(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .once('data', (asked) => {
        expect(asked.toString()).not.toContain('token-of');
        answer(socket);
      }),
  );
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: string, headers = ''): Promise<string> =>
  serve((socket) => socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n<html>a page</html>`));

it.each([
  ['403 Forbidden', '', /does not allow this host or port/],
  ['405 Method Not Allowed', '', /may be no proxy/],
  ['502 Bad Gateway', '', /could not reach that host/],
  ['504 Gateway Timeout', '', /no answer from that host/],
  ['302 Found', 'Location: https://login.example/\r\n', /\(HTTP 302\)\. Ask who runs it/],
  ['407 Login', 'Proxy-Authenticate: Basic realm="x"\r\n', /user name or password is wrong/],
  ['407 Login', 'Proxy-Authenticate: NTLM\r\nProxy-Authenticate: Basic\r\n', /password is wrong/],
  ['407 Login', 'proxy-authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n', /takes Negotiate, NTLM .*Basic alone/],
])('says what a proxy that answers %s (%j) means by it', async (status, headers, said) => {
  expect(await sendThrough(await answering(status, headers))).toMatch(said);
}); // prettier-ignore

it('tells a login that is missing from one that is wrong', async () => {
  expect(await sendThrough(await answering('407 Login'), '')).toMatch(/wants a user name and a password/);
});

it.each<[string, (socket: Socket) => void]>([
  ['a page without a head', (socket) => socket.end('<html>a login page</html>')],
  ['a greeting, and nothing more', (socket) => socket.write('220 mail.example ESMTP\r\n')],
  ['nothing', (socket) => socket.end()],
])('sends nobody to start a proxy that runs: one that answers %s', async (_what, answer) => {
  const said = await sendThrough(await serve(answer));
  expect(said).toMatch(/It may be no proxy/);
  expect(said).not.toMatch(/Start it/);
});

it('takes the answer that follows an interim one', async () => {
  const url = await serve((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 407 No\r\n\r\n'));
  expect(await sendThrough(url)).toMatch(/HTTP 407/);
});

it('says of a tunnel that ends, or shows a certificate of its own, that the proxy may be who answered', async () => {
  const url = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  expect(await sendThrough(url)).toMatch(
    /during the TLS handshake.*led through the proxy 127\.0\.0\.1:\d+, which/,
  );
});

it('says of a proxy behind TLS what is wrong with its certificate, and of one without what to write', async () => {
  const { certificate, key } = makeAuthority('Test CA').issue('localhost');
  const server = createTlsServer({ cert: certificate, key });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const foreign = await sendThrough(`https://localhost:${port}`);
  expect(foreign).toMatch(/issuer not trusted here.*NODE_EXTRA_CA_CERTS/);
  expect(foreign).not.toMatch(/Start it/);
  const plain = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const misspelt = plain.replace('http:', 'https:');
  expect(await sendThrough(misspelt)).toMatch(/what it answers is no TLS.*write it with http:\/\//);
});
