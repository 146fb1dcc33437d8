import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createRawServer, type AddressInfo, type Socket } from 'node:net';
// eslint-disable-next-line no-restricted-imports -- to collect garbage, which every V8 can be told
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import forge from 'node-forge';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOutcomeUnknown } from '@shared/payments/payment-outcome';
import { readOrMakeCertificate } from '../../listener/self-signed';
import { createHttpClient } from './http-client';
import type { HttpAnswer, HttpCall, HttpTrace } from '../ports';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function listen(server: Server | ReturnType<typeof createRawServer>): Promise<number> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(handler))}`;
}

/** Gives what the client wrote, answers with `answer` and keeps the connection. */
async function serveRaw(onData: (socket: Socket, text: string) => unknown): Promise<string> {
  const sockets: Socket[] = [];
  const server = createRawServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => onData(socket, chunk.toString('latin1')));
  });
  opened.push({ close: () => sockets.forEach((socket) => socket.destroy()) });
  return `http://127.0.0.1:${await listen(server)}`;
}

const call = (url: string, more: Partial<HttpCall> = {}): HttpCall => ({
  method: 'GET',
  url,
  headers: [],
  body: null,
  timeoutMs: 5000,
  ...more,
});

describe('createHttpClient', () => {
  it('sends headers in order, repeated ones too, and the body bytes unchanged', async () => {
    const body = Buffer.from('{ "a" : 1e3,\r\n"ä": 1000.00 }\n', 'utf8');
    let text = '';
    const url = await serveRaw((socket, chunk) => {
      text += chunk;
      if (text.endsWith(body.toString('latin1')))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await createHttpClient()(
      call(`${url}/a?b=%20c`, {
        method: 'POST',
        headers: [
          ['X-Second', 'zwei ü'],
          ['x-FIRST', '1'],
          ['X-Second', '2'],
        ],
        body,
      }),
    );
    expect(text.startsWith('POST /a?b=%20c HTTP/1.1\r\n')).toBe(true);
    const sent = Buffer.from(text, 'latin1').toString('utf8');
    expect(sent).toMatch(/X-Second: zwei ü\r\nx-FIRST: 1\r\nX-Second: 2\r\n/);
    expect(Buffer.from(text, 'latin1').subarray(-body.length).equals(body)).toBe(true);
  });

  it.each([
    ['GET', [], null, 'host: HOST\r\nconnection: keep-alive\r\n\r\n'],
    ['POST', [], null, 'host: HOST\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'],
    ['LINK', [], null, 'host: HOST\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'],
    ['PURGE', [], null, 'host: HOST\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'],
    ['DELETE', [], null, 'host: HOST\r\nconnection: keep-alive\r\n\r\n'],
    [
      'DELETE',
      [['Content-Length', '2']],
      '{}',
      'host: HOST\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n{}',
    ],
    [
      'GET',
      [
        ['A', '1'],
        ['Host', 'other.test'],
        ['Connection', 'close'],
      ],
      null,
      'host: other.test\r\nconnection: close\r\nA: 1\r\n\r\n',
    ],
  ] as [string, [string, string][], string | null, string][])(
    'places host, connection and length itself: %s %j',
    async (method, headers, body, expected) => {
      let text = '';
      const url = await serveRaw((socket, chunk) => {
        text += chunk;
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
      await createHttpClient()(
        call(url, { method, headers, body: body === null ? null : Buffer.from(body) }),
      );
      expect(text.slice(text.indexOf('\r\n') + 2)).toBe(expected.replace('HOST', new URL(url).host));
    },
  );

  it('keeps a connection, and opens another where the server closed it', async () => {
    const ports: (number | undefined)[] = [];
    const url = await serve((request, response) => {
      ports.push(request.socket.remotePort);
      response.end('ok');
      if (request.url === '/close') response.on('finish', () => request.socket.end());
    });
    const send = createHttpClient();
    for (const path of ['/', '/close', '/']) {
      expect(await send(call(url + path))).toMatchObject({ httpStatus: 200 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(ports[1]).toBe(ports[0]);
    expect(ports[2]).not.toBe(ports[0]);
  });

  it('goes on with no connection whose server answered before it had read everything', async () => {
    const url = await serveRaw((socket, text) => {
      if (text.startsWith('POST')) socket.pause();
      if (/^(?:GET|POST)/.test(text)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const send = createHttpClient();
    const body = Buffer.alloc(16 * 1024 * 1024);
    for (const more of [{ method: 'POST', body }, {}]) {
      expect(await send(call(url, { ...more, timeoutMs: 2000 }))).toMatchObject({ httpStatus: 200 });
    }
  });

  it('shows every header of an answer, however many', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: ü`).join('\r\n');
    const url = await serveRaw((socket) =>
      socket.end(Buffer.from(`HTTP/1.1 200 OK\r\n${many}\r\nContent-Length: 0\r\n\r\n`, 'utf8')),
    );
    const { headers } = await createHttpClient()(call(url));
    expect(headers).toHaveLength(3001);
    expect(headers[2999]).toEqual(['X-2999', 'ü']);
  });

  it('measures every phase, and no handshake on a reused connection', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(100_000)));
    const send = createHttpClient();
    const first = await send(call(url));
    const second = await send(call(url));
    expect(first.timings.connectMs).toBeGreaterThan(0);
    expect(second.timings.connectMs).toBeNull();
    for (const { timings } of [first, second]) {
      const sum = timings.queueMs! + (timings.connectMs ?? 0) + timings.firstByteMs! + timings.downloadMs!;
      expect(sum).toBeLessThanOrEqual(timings.totalMs + 0.01);
      expect(timings.firstByteMs).toBeGreaterThan(0);
      // To a microsecond: the digits that a clock makes up are nobody's.
      expect(JSON.stringify(timings)).not.toMatch(/\.\d{4}/);
    }
  });

  it('takes the first byte of an answer for what it is: not the end of its headers, nor what came in between', async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const parts = ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 200 O', 'K\r\nContent-Length: 0\r\n\r\n'];
    const url = await serveRaw(async (socket) => {
      for (const part of parts) {
        socket.write(part);
        await pause(150);
      }
    });
    const { timings } = await createHttpClient()(call(url));
    expect(timings.firstByteMs).toBeGreaterThan(140);
    expect(timings.downloadMs).toBeGreaterThan(140);
  });

  it('keeps answer headers in order and as written', async () => {
    const url = await serveRaw((socket) =>
      socket.end('HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nx-B: 1\r\nX-b: 2\r\nContent-Length: 0\r\n\r\n'),
    );
    const answer = await createHttpClient()(call(url));
    expect(answer.httpStatus).toBe(429);
    expect(answer.headers).toEqual([
      ['Retry-After', '7'],
      ['x-B', '1'],
      ['X-b', '2'],
      ['Content-Length', '0'],
    ]);
  });

  it('follows no redirect', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    );
    expect((await createHttpClient()(call(url))).httpStatus).toBe(302);
  });

  it('cuts an endless answer at the cap', async () => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const answer = await createHttpClient()(call(url, { maxResponseBytes: 100_000 }));
    expect(answer.isCut).toBe(true);
    expect(answer.body.length).toBe(100_000);
  });

  it('keeps an answer that comes byte by byte in no more memory than its bytes', async () => {
    const count = 400_000;
    const piece = Buffer.from('1\r\nx\r\n');
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.end(Buffer.concat([...Array<Buffer>(count).fill(piece), Buffer.from('0\r\n\r\n')]));
    });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const measure = (): number => (collect(), process.memoryUsage().heapUsed);
    const before = measure();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, measure() - before)), 20);
    const { body } = await createHttpClient()(call(url, { timeoutMs: 60_000 }));
    clearInterval(timer);
    expect(Buffer.from(body).equals(Buffer.alloc(count, 'x'))).toBe(true);
    expect(most).toBeLessThan(16 * 1024 * 1024);
  });

  it('names host and port when nothing listens', async () => {
    const port = await listen(createRawServer());
    opened.pop()?.close();
    await expect(createHttpClient()(call(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'sending.unreachable',
      message: expect.stringContaining(`127.0.0.1 on port ${port}`),
    });
  });

  it('tells an unknown host name', async () => {
    await expect(createHttpClient()(call('http://nowhere.invalid/'))).rejects.toMatchObject({
      code: 'sending.dns',
    });
  });

  it('times out on a silent server and on one that stalls in the middle', async () => {
    const silent = await serveRaw(() => undefined);
    const stalling = await serveRaw(
      (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'),
    );
    const send = createHttpClient();
    for (const url of [silent, stalling]) {
      await expect(send(call(url, { timeoutMs: 80 }))).rejects.toMatchObject({
        code: 'sending.timeout',
        retryable: true,
      });
    }
  });

  it('stops when asked', async () => {
    const stop = new AbortController();
    const url = await serveRaw(() => stop.abort());
    await expect(createHttpClient()(call(url, { signal: stop.signal }))).rejects.toMatchObject({
      code: 'sending.canceled',
    });
    // Nobody asks the status of a payment of which nothing had left.
    await expect(createHttpClient()(call(url, { signal: stop.signal }))).rejects.toSatisfy(
      ({ code }: { code: string }) => code === 'sending.not_sent' && !isOutcomeUnknown(null, code),
    );
  });

  it('tells a connection closed before the answer, and one closed inside it', async () => {
    const before = await serveRaw((socket) => socket.destroy());
    const inside = await serveRaw(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'),
    );
    const send = createHttpClient();
    for (const [url, words] of [
      [before, /closed the connection without a word .* Should that port speak TLS/],
      [inside, /before its answer was complete(?!.*TLS)/],
    ] as const) {
      const code = 'sending.closed';
      const message = expect.stringMatching(words) as string;
      await expect(send(call(url, { method: 'POST' }))).rejects.toMatchObject({ code, message });
    }
  });

  it('tells an answer that is not HTTP', async () => {
    const url = await serveRaw((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await expect(createHttpClient()(call(url))).rejects.toMatchObject({ code: 'sending.bad_answer' });
  });

  it('tells headers that are longer than it reads from what is not HTTP', async () => {
    const header = `a: ${'b'.repeat(1000)}\r\n`;
    const url = await serveRaw((socket) => void socket.write(`HTTP/1.1 200 OK\r\n${header.repeat(200)}`));
    await expect(createHttpClient()(call(url))).rejects.toMatchObject({
      code: 'sending.bad_answer',
      message: expect.stringMatching(
        /answered with headers of more than 128 KiB, which are not read/,
      ) as string,
    });
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello', 'bad_answer'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      'bad_answer',
    ],
    [
      'chunks and a length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      'bad_answer',
    ],
    ['a short body', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello', 'closed'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'bad_answer'],
    ['no status line', 'garbage\r\n\r\n', 'bad_answer'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}`, 'bad_answer'],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'bad_answer',
    ],
    ['nothing', '', 'closed'],
    ['a reset', null, 'closed'],
  ])('calls a request that left without a readable answer unknown: %s', async (_name, answer, code) => {
    const url = await serveRaw((socket) =>
      answer === null ? socket.resetAndDestroy() : socket.end(answer, 'latin1'),
    );
    const failure: unknown = await createHttpClient()(
      call(url, { method: 'POST', body: Buffer.from('{}'), aftermath: 'payment' }),
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: `sending.${code}`,
      message: expect.stringContaining('may have been processed') as string,
    });
    expect(isOutcomeUnknown(null, `sending.${code}`)).toBe(true);
  });

  it.each([
    ['payment', /may have been processed: query its status/],
    ['none', /^(?!.*(?:status|processed)).*Try again/],
    ['webhook', /^(?!.*(?:status|processed)).*Look whether it has the webhook/],
    [undefined, /^(?!.*status).*not known: find out/],
  ] as const)(
    'says of a call that leaves %s what to do, and speaks of no other',
    async (aftermath, words) => {
      const breaking = await serveRaw((socket) => socket.resetAndDestroy());
      await expect(createHttpClient()(call(breaking, { aftermath }))).rejects.toThrow(words);
      const silent = await serveRaw(() => undefined);
      await expect(createHttpClient()(call(silent, { aftermath, timeoutMs: 50 }))).rejects.toThrow(words);
      const stop = new AbortController();
      const stopped = createHttpClient()(call(silent, { aftermath, signal: stop.signal }));
      setTimeout(() => stop.abort(), 50);
      await expect(stopped).rejects.toThrow(words);
      await expect(createHttpClient()(call(silent, { aftermath, signal: stop.signal }))).rejects.toThrow(
        'Nothing had left',
      );
    },
  );

  it.each([
    ['self_signed', 'localhost', 365],
    ['expired', 'localhost', -1],
  ])('says why TLS failed: %s', async (reason, commonName, days) => {
    const { key, cert } = makeCertificate(commonName, days);
    const server = createTlsServer({ key, cert }, (_request, response) => response.end('ok'));
    const port = await listen(server);
    const failure = await createHttpClient()(call(`https://127.0.0.1:${port}/`)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'sending.tls' });
    // OpenSSL reports the untrusted issuer before the date.
    expect(['self_signed', reason]).toContain((failure as { details: { reason: string } }).details.reason);
  });

  it('takes the own certificate of a server of this machine for webhooks alone, and on no connection of theirs anything else', async () => {
    const server = createTlsServer(readOrMakeCertificate(null, null), (_request, response) =>
      response.end('ok'),
    );
    const url = `https://127.0.0.1:${await listen(server)}/`;
    const send = createHttpClient();
    expect((await send(call(url, { aftermath: 'webhook' }))).httpStatus).toBe(200);
    await expect(send(call(url))).rejects.toThrow(/environment/);
    const elsewhere = url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
    await expect(send(call(elsewhere, { aftermath: 'webhook' }))).rejects.toThrow(/^(?!.*environment)/i);
    await expect(send(call('http://127.0.0.1:1', { aftermath: 'webhook' }))).rejects.toThrow(
      /address is right\.$/,
    );
  });

  it('tells that a port does not speak TLS', async () => {
    const url = await serve((_request, response) => response.end());
    await expect(createHttpClient()(call(url.replace('http:', 'https:')))).rejects.toMatchObject({
      code: 'sending.tls',
      details: { reason: 'protocol' },
    });
  });

  it.each([
    '',
    'payments/v1',
    'ftp://host/',
    'file:///etc/hosts',
    'http://{{base_url}}/x',
    'https://user:pw@host/',
  ])('refuses the address %j', async (url) => {
    await expect(createHttpClient()(call(url))).rejects.toMatchObject({ code: 'sending.bad_url' });
  });

  it.each([
    ['http://h/{{ id }}?k={{', '{{ id }} in it has no value'],
    ['http://h/{{2fa}}', '{{2fa}} in it is no variable: the name of a variable begins with a letter or _'],
    ['http://h/?k={{a}', 'without the }} of a variable. Close it, or write %7B%7B'],
  ])('says of braces in %s what they are', async (url, said) => {
    await expect(createHttpClient()(call(url))).rejects.toThrow(said);
  });

  it('refuses headers that would break the message', async () => {
    const url = await serve((_request, response) => response.end());
    for (const header of [
      ['X-A', 'a\r\nX-B: b', 'the value of X-A holds a line break, which no header can'],
      ['X A', 'b'],
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '1'],
      ['Expect', '100-continue'],
      ['Upgrade', 'x'],
      ['Connection', 'a b'],
      ['X-A', 'a\0b', 'the value of X-A holds the control character U+0000, which no header can'],
      ['Host', 'a\x7f', 'the value of Host holds the control character U+007F, which no header can'],
    ] as [string, string, string?][]) {
      const [name, value, why = ''] = header;
      await expect(
        createHttpClient()(call(url, { method: 'POST', headers: [[name, value]], body: Buffer.from('abc') })),
      ).rejects.toMatchObject({ code: 'sending.bad_header', message: expect.stringContaining(why) });
    }
  });
});

function makeCertificate(commonName: string, days: number): { key: string; cert: string } {
  const keys = forge.pki.rsa.generateKeyPair({ bits: 2048 });
  const cert = forge.pki.createCertificate();
  cert.publicKey = keys.publicKey;
  cert.serialNumber = '01';
  cert.validity.notBefore = new Date(Date.now() - 10 * 86_400_000);
  cert.validity.notAfter = new Date(Date.now() + days * 86_400_000);
  const name = [{ name: 'commonName', value: commonName }];
  cert.setSubject(name);
  cert.setIssuer(name);
  cert.sign(keys.privateKey, forge.md.sha256.create());
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(cert) };
}

describe('the trace of a call', () => {
  const traced = async (url: string, more: Partial<HttpCall> = {}, mostBytes = 1000) => {
    const traces: HttpTrace[] = [];
    const trace = { mostBytes, onEnd: (one: HttpTrace) => void traces.push(one) };
    const answer = await createHttpClient()(call(url, { ...more, trace })).catch((error: unknown) => error);
    expect(traces).toHaveLength(1);
    return { answer, trace: traces[0]! };
  };
  const read = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString('latin1');

  it('holds the very bytes that left and came, and where they went', async () => {
    let left = '';
    const url = await serveRaw((socket, text) => {
      left += text;
      if (left.endsWith('{"a":1.00}')) socket.end('HTTP/1.0 201 Ok\r\nX:  1\r\nContent-Length: 2\r\n\r\n{}');
    });
    const { trace } = await traced(url, { method: 'POST', body: Buffer.from('{"a":1.00}') });
    expect(read(trace.sent)).toBe(left);
    expect(read(trace.received)).toBe('HTTP/1.0 201 Ok\r\nX:  1\r\nContent-Length: 2\r\n\r\n{}');
    expect(trace).toMatchObject({
      address: new URL(url).host,
      isProxied: false,
      isReused: false,
      httpVersion: '1.0',
      tls: null,
      sent: { sizeBytes: left.length },
    });
  });

  it('is bounded each way, and counts what it does not hold', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.end('y'.repeat(300_000)));
    });
    const { trace } = await traced(url, { method: 'POST', body: Buffer.alloc(200_000, 'x') }, 64);
    expect(trace.sent.bytes).toHaveLength(64);
    expect(trace.received.bytes).toHaveLength(64);
    expect(trace.sent.sizeBytes).toBeGreaterThan(200_000);
    expect(trace.received.sizeBytes).toBeGreaterThan(300_000);
  });

  it('is there where no answer came: what left before the time-out', async () => {
    const silent = await serveRaw(() => undefined);
    const { answer, trace } = await traced(silent, {
      timeoutMs: 80,
      method: 'POST',
      body: Buffer.from('{}'),
    });
    expect(answer).toMatchObject({ code: 'sending.timeout' });
    expect(read(trace.sent)).toMatch(/^POST \/ HTTP\/1\.1\r\n[^]*\r\n\r\n\{\}$/);
    expect(trace).toMatchObject({ httpVersion: null, received: { sizeBytes: 0 } });
  });

  it('shows the certificate chain under TLS, the times of look-up and handshake, and readable bytes', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const server = createTlsServer(readOrMakeCertificate(null, null), (_request, response) =>
      response.end('ok'),
    );
    const port = await listen(server);
    const { answer, trace } = await traced(`https://localhost:${port}/hidden`);
    vi.unstubAllEnvs();
    expect(read(trace.sent)).toMatch(/^GET \/hidden HTTP\/1\.1/);
    expect(read(trace.received)).toMatch(/^HTTP\/1\.1 200 OK[^]*ok/);
    const { protocol, chain } = trace.tls!;
    expect(protocol).toBe('TLSv1.3');
    expect(chain[0]).toMatchObject({ subject: expect.stringContaining('CN=') as string });
    expect(chain[0]!.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(chain[0]!.validTo).toBeGreaterThan(Date.now());
    const { timings } = answer as HttpAnswer;
    expect(timings.dnsMs).toBeGreaterThan(0);
    expect(timings.tlsMs).toBeGreaterThan(0);
    const parts = ['queueMs', 'dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'downloadMs'] as const;
    const sum = parts.reduce((total, part) => total + timings[part]!, 0);
    expect(sum).toBeCloseTo(timings.totalMs, 2);
  });
});

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  it('counts for servers of this machine, and for no other address', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const server = createTlsServer(readOrMakeCertificate(null, null), (_request, response) =>
      response.end('ok'),
    );
    const port = await listen(server);
    const get = (host: string) => createHttpClient()(call(`https://${host}:${port}/`));
    expect((await get('127.0.0.1')).httpStatus).toBe(200);
    // The same server by an address that is not one of the loopback's own.
    await expect(get('[::ffff:127.0.0.1]')).rejects.toMatchObject({ code: 'sending.tls' });
    vi.unstubAllEnvs();
  });
});
