import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  connect,
  createServer as createRawServer,
  type AddressInfo,
  type Server as RawServer,
} from 'node:net';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeAuthority, type Authority } from '../../../test/support/certificates';
import type { HttpConnection, HttpTrace } from '../ports';
import { createHttpClient } from './http-client';
import { describeNetworkError } from './http-errors';

let authority: Authority;
beforeAll(() => {
  authority = makeAuthority('Test CA');
});

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function listen(server: RawServer | Server): Promise<number> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A service behind TLS with a certificate of the test's own CA. */
async function serveTls(options: { wantsClient?: boolean } = {}): Promise<string> {
  const { certificate, key } = authority.issue('localhost');
  const server = createTlsServer(
    {
      cert: certificate,
      key,
      ca: authority.certificate,
      requestCert: options.wantsClient === true,
      rejectUnauthorized: options.wantsClient === true,
    },
    (_request, response) => response.end('behind tls'),
  );
  return `https://localhost:${await listen(server)}`;
}

/** A proxy that notes what it is asked for. */
async function serveProxy(answer: (signIn: string | undefined) => number = () => 200) {
  const asked: { target: string; signIn: string | undefined }[] = [];
  const server = createPlainServer((_request, response) => response.writeHead(400).end());
  server.on('connect', (request, socket) => {
    const signIn = request.headers['proxy-authorization'];
    asked.push({ target: request.url ?? '', signIn });
    const status = answer(signIn);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Here you are\r\nX-Proxy: yes\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward])
      end.on('error', () => void [socket, onward].map((one) => one.destroy()));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

const straight: HttpConnection = { proxy: null, ca: '', clientCertificate: null };
const throughProxy = (url: string, user = '', password = ''): HttpConnection => ({
  ...straight,
  proxy: { url, user, password },
});

async function get(url: string, connection: HttpConnection, timeoutMs = 4000) {
  const traces: HttpTrace[] = [];
  const trace = { mostBytes: 0, onEnd: (one: HttpTrace) => void traces.push(one) };
  const call = { method: 'GET', url, headers: [], body: null, timeoutMs, connection, trace };
  const answer = await createHttpClient()(call);
  return {
    status: answer.httpStatus,
    body: Buffer.from(answer.body).toString('utf8'),
    isProxied: traces[0]?.isProxied,
  };
}

describe('openConnection', () => {
  it('trusts the issuer of an environment, for its calls alone', async () => {
    const url = await serveTls();
    expect(await get(url, { ...straight, ca: authority.certificate })).toMatchObject({
      status: 200,
      body: 'behind tls',
    });
    await expect(get(url, straight)).rejects.toMatchObject({
      code: 'sending.tls',
      message: expect.stringContaining('Environments, Connection'),
    });
    const other = makeAuthority('Another CA');
    await expect(get(url, { ...straight, ca: other.certificate })).rejects.toMatchObject({
      code: 'sending.tls',
    });
  });

  it.each([
    ['straight', null],
    ['as an environment asks for it', straight],
  ])(
    'tells in the trace whose certificate was refused, and that nothing left: %s',
    async (_name, connection) => {
      const url = await serveTls();
      const traces: HttpTrace[] = [];
      const trace = { mostBytes: 1000, onEnd: (one: HttpTrace) => void traces.push(one) };
      const call = { method: 'GET', url, headers: [], body: null, timeoutMs: 4000, trace };
      const sent = createHttpClient()({ ...call, ...(connection && { connection }) });
      await expect(sent).rejects.toMatchObject({ code: 'sending.tls' });
      expect(traces[0]).toMatchObject({
        address: expect.stringContaining(`:${new URL(url).port}`) as string,
        httpVersion: null,
        tls: { protocol: 'TLSv1.3' },
        sent: { sizeBytes: 0 },
      });
      expect(traces[0]!.tls!.chain[0]).toMatchObject({ subject: 'CN=localhost', issuer: 'CN=Test CA' });
    },
  );

  it('takes in the trace no certificate of a proxy for that of a server which shows none', async () => {
    const { certificate, key } = authority.issue('localhost');
    const proxy = createTlsServer({ cert: certificate, key });
    proxy.on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 Here you are\r\n\r\n');
      socket.once('data', () => socket.destroy());
    });
    const way = throughProxy(`https://localhost:${await listen(proxy)}`);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const traces: HttpTrace[] = [];
    const trace = { mostBytes: 1000, onEnd: (one: HttpTrace) => void traces.push(one) };
    const url = 'https://service.example.test';
    const call = { method: 'GET', url, headers: [], body: null, timeoutMs: 4000, trace, connection: way };
    await expect(createHttpClient()(call)).rejects.toMatchObject({ code: expect.any(String) as string });
    vi.unstubAllEnvs();
    expect(traces[0]).toMatchObject({ isProxied: true, tls: null, sent: { sizeBytes: 0 } });
  });

  it('keeps no connection of one way for another', async () => {
    const url = await serveTls();
    const send = createHttpClient();
    const call = { method: 'GET', url, headers: [], body: null, timeoutMs: 4000 };
    await send({ ...call, connection: { ...straight, ca: authority.certificate } });
    await expect(send(call)).rejects.toMatchObject({ code: 'sending.tls' });
  });

  it('shows its client certificate, with a key under a passphrase', async () => {
    const url = await serveTls({ wantsClient: true });
    const client = authority.issue('client', { passphrase: 'open sesame' });
    const trusting = { ...straight, ca: authority.certificate };
    const clientCertificate = { ...client, passphrase: 'open sesame' };
    expect((await get(url, { ...trusting, clientCertificate })).status).toBe(200);
    await expect(get(url, trusting)).rejects.toMatchObject({
      code: 'sending.tls',
      details: { reason: 'client_certificate' },
    });
    const wrong = { ...clientCertificate, passphrase: 'wrong' };
    await expect(get(url, { ...trusting, clientCertificate: wrong })).rejects.toMatchObject({
      code: 'sending.tls',
      details: { reason: 'own_certificate' },
    });
  });

  it('tells a server that asks for a certificate from one that broke off', () => {
    const code = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED';
    const target = { hostname: 'api.example.test', port: 443, isTls: true };
    expect(describeNetworkError(Object.assign(new Error('x'), { code }), target, true)).toMatchObject({
      code: 'sending.tls',
      message: expect.stringContaining('client certificate'),
    });
  });

  it('does not blame the other side where this one opens no more files', () => {
    const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
    const target = { hostname: 'api.example.test', port: 443, isTls: true };
    expect(describeNetworkError(error, target, false)).toMatchObject({
      code: 'sending.unreachable',
      message: expect.stringContaining('Too many files are open'),
    });
  });

  it('goes through a proxy to TLS and to plain HTTP, and signs in where it is told to', async () => {
    const secure = await serveTls();
    const port = await listen(createPlainServer((_request, response) => response.end('plain')));
    const proxy = await serveProxy();
    const way = { ...throughProxy(proxy.url, 'ann', 'pässword'), ca: authority.certificate };
    expect(await get(secure, way)).toMatchObject({ body: 'behind tls', isProxied: true });
    const plain = `http://127.0.0.1:${port}`;
    expect(await get(plain, throughProxy(proxy.url))).toMatchObject({ body: 'plain', isProxied: true });
    expect(await get(plain, straight)).toMatchObject({ body: 'plain', isProxied: false });
    expect(proxy.asked).toEqual([
      { target: new URL(secure).host, signIn: `Basic ${Buffer.from('ann:pässword').toString('base64')}` },
      { target: `127.0.0.1:${port}`, signIn: undefined },
    ]);
  });

  it('checks the server behind a proxy as it would without', async () => {
    const secure = await serveTls();
    const proxy = await serveProxy();
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      await expect(get(secure, throughProxy(proxy.url))).rejects.toMatchObject({ code: 'sending.tls' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('says that the proxy refused, or is not there, and that nothing was sent', async () => {
    const secure = await serveTls();
    const proxy = await serveProxy(() => 407);
    await expect(get(secure, throughProxy(proxy.url))).rejects.toMatchObject({
      code: 'sending.proxy',
      details: { httpStatus: 407 },
      message: expect.stringMatching(/^Nothing was sent.*user name and a password/),
    });
    await expect(get(secure, throughProxy('http://127.0.0.1:1'))).rejects.toMatchObject({
      code: 'sending.proxy',
    });
  });

  it('gives up on a proxy that says nothing, says too much, or no HTTP', async () => {
    const answers = ['', 'x'.repeat(40_000), 'SSH-2.0-OpenSSH\r\n\r\n'];
    for (const answer of answers) {
      const closed: Promise<void>[] = [];
      const port = await listen(
        createRawServer((socket) => {
          closed.push(
            new Promise((resolve) => socket.on('error', () => undefined).on('close', () => resolve())),
          );
          socket.resume().write(answer);
        }),
      );
      await expect(
        get('http://127.0.0.1:9', throughProxy(`http://127.0.0.1:${port}`), 400),
      ).rejects.toMatchObject({
        code: answer === '' ? 'sending.unreachable' : 'sending.proxy',
        message: expect.stringContaining(`the proxy 127.0.0.1:${port}`),
      });
      // The socket goes with the call.
      await Promise.all(closed);
    }
  });
});
