import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import type { CapturedExchange } from './captured-exchange';
import { createProxy, type Proxy } from './create-proxy';

const open: { server?: Server; proxy?: Proxy; sockets: Socket[] } = { sockets: [] };
let told: CapturedExchange[] = [];
afterEach(async () => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  await open.proxy?.close();
  open.server?.close();
  told = [];
});

/** What somebody at one end has received so far. */
class Heard {
  bytes = '';
  isEnded = false;
  constructor(readonly socket: Socket) {
    open.sockets.push(socket);
    socket.on('data', (chunk: Buffer) => (this.bytes += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isEnded = true));
  }

  async until(fits: (bytes: string) => boolean): Promise<string> {
    for (let turn = 0; turn < 500 && !fits(this.bytes); turn++)
      await new Promise((done) => setTimeout(done, 10));
    expect(this.bytes).toSatisfy(fits);
    return this.bytes;
  }
}

/** A client of a proxy to a target that hears bytes, and says what the test makes it say. */
async function connectThrough(
  address = (port: number) => `http://127.0.0.1:${port}`,
  { allowHalfOpen = false } = {},
) {
  const targets: Heard[] = [];
  const server = createServer((socket) => void targets.push(new Heard(socket))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.server = server;
  const url = new URL(address((server.address() as AddressInfo).port));
  open.proxy = await createProxy(url, { port: 0, alternatives: 0 }, (exchange) => told.push(exchange));
  const port = Number(new URL(open.proxy.url).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  const client = new Heard(socket);
  const target = async (): Promise<Heard> => {
    for (let turn = 0; turn < 500 && targets.length === 0; turn++)
      await new Promise((done) => setTimeout(done, 10));
    return targets[0]!;
  };
  return { client, target, say: (text: string) => socket.write(text, 'latin1'), targets };
}

async function hearExchanges(count: number): Promise<CapturedExchange[]> {
  for (let turn = 0; turn < 500 && told.length < count; turn++)
    await new Promise((done) => setTimeout(done, 10));
  return told;
}

it('passes bytes as they are, in both directions, and keeps each message apart', async () => {
  const { say, target, client } = await connectThrough();
  const request =
    'POST /payments/v1/payouts?x=%2f HTTP/1.1\r\nhOsT: 127.0.0.1:9\r\nX-B:  two \r\nX-a: \xe9\r\nx-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n' +
    '3;ext="v"\r\n{"a\r\n4\r\n":1}\r\n0\r\nTrailer-X: y\r\n\r\n';
  const second = 'GET /tsq/v1/wallet-balances HTTP/1.1\r\nHost: x\r\n\r\n';
  say(request + second);
  const heard = await target();
  expect(await heard.until((bytes) => bytes.endsWith(second))).toBe(request + second);
  const answers =
    'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Kept So\r\nset-cookie: a\r\nSet-Cookie: b\r\ncontent-LENGTH: 2\r\n\r\nok' +
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
  heard.socket.write(answers);
  expect(await client.until((bytes) => bytes.length >= answers.length)).toBe(answers);
  const [first, last] = await hearExchanges(2);
  expect(first).toMatchObject({ method: 'POST', target: '/payments/v1/payouts?x=%2f', fault: null });
  expect(first!.request.headers.slice(0, 8)).toEqual([
    'hOsT',
    '127.0.0.1:9',
    'X-B',
    'two',
    'X-a',
    '\xe9',
    'x-A',
    '1',
  ]);
  expect([first!.request.body.toString(), first!.answer?.httpStatus, first!.answer?.body.toString()]).toEqual(
    ['{"a":1}', 201, 'ok'],
  );
  expect([last!.method, last!.answer?.body.toString()]).toEqual(['GET', 'hello']);
});

it('streams: a piece is there before the rest has been sent', async () => {
  const { say, target, client } = await connectThrough();
  say('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfirst');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('first'));
  say('after');
  await heard.until((bytes) => bytes.endsWith('after'));
  heard.socket.write('HTTP/1.1 200 OK\r\n\r\npiece');
  await client.until((bytes) => bytes.endsWith('piece'));
  heard.socket.end(' end');
  await client.until((bytes) => bytes.endsWith(' end'));
  expect((await hearExchanges(1))[0]).toMatchObject({ fault: null, answer: { bodyBytes: 9 } });
});

it('reaches the target alone, whatever host a request names', async () => {
  const { say, target } = await connectThrough();
  say('GET http://elsewhere.invalid/x HTTP/1.1\r\nHost: elsewhere.invalid\r\n\r\n');
  await (await target()).until((bytes) => bytes.startsWith('GET http://elsewhere.invalid/x'));
});

it('puts the path of the target in front, and its host where that is not this machine', async () => {
  const { say, target } = await connectThrough((port) => `http://[::ffff:127.0.0.1]:${port}/base/`);
  say('GET /x HTTP/1.1\r\nA: b\r\nHOST:  proxy\r\n\r\n');
  const heard = await (await target()).until((bytes) => bytes.endsWith('\r\n\r\n'));
  expect(heard).toMatch(/^GET \/base\/x HTTP\/1.1\r\nA: b\r\nHOST: {2}\[::ffff:7f00:1\]:\d+\r\n\r\n$/);
});

it('writes a path alone to a target with a path or a host of its own, whatever form it had', async () => {
  const { say, target } = await connectThrough((port) => `http://[::ffff:127.0.0.1]:${port}/base`);
  say('GET http://elsewhere.invalid/x?y=/z HTTP/1.1\r\nHost: elsewhere.invalid\r\n\r\n');
  say('GET http://elsewhere.invalid?y HTTP/1.1\r\nHost: x\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  const bytes = await heard.until((all) => all.includes('OPTIONS') && all.endsWith('\r\n\r\n'));
  expect(bytes.match(/^[A-Z]+ .*/gm)).toEqual([
    'GET /base/x?y=/z HTTP/1.1',
    'GET /base/?y HTTP/1.1',
    'OPTIONS * HTTP/1.1',
  ]);
  expect(bytes).not.toContain('elsewhere');
});

it('refuses what two servers could read in two ways', async () => {
  const { say, client, targets } = await connectThrough();
  say('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 400') && bytes.includes('was not passed on'));
  expect(targets.map(({ bytes }) => bytes).join('')).toBe('');
});

it.each([
  ['names two hosts', 'GET /a?x HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'Host stands there twice'],
  ['has a folded header', 'GET /a?x HTTP/1.1\r\nA: b\r\n c\r\n\r\n', 400, 'in a line of its own'],
  ['does not end its head', `GET /a?x HTTP/1.1\r\nA: ${'a'.repeat(70_000)}`, 431, 'longer than 64 KiB'],
])('tells of a request that %s, of which nothing went on', async (_what, bytes, status, why) => {
  const { say, client, targets } = await connectThrough();
  say(bytes);
  await client.until((heard) => heard.startsWith(`HTTP/1.1 ${status}`) && heard.includes(why));
  expect((await hearExchanges(1))[0]).toMatchObject({
    method: 'GET',
    target: '/a?x',
    answer: null,
    ownStatus: status,
    fault: expect.stringContaining(why),
  });
  expect(targets.map(({ bytes: heard }) => heard).join('')).toBe('');
});

it('never takes its own refusal of a request for the answer to the one before', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /first HTTP/1.1\r\nHost: x\r\n\r\n');
  await (await target()).until((bytes) => bytes.endsWith('\r\n\r\n'));
  say('GET /second HTTP/9.9\r\n\r\n');
  await client.until(() => client.isEnded);
  expect(client.bytes).toBe('');
  expect(await hearExchanges(2)).toMatchObject([
    { target: '/first', answer: null, ownStatus: null, fault: expect.stringMatching(/^No answer had come/) },
    { target: '/second', answer: null, ownStatus: 505, fault: expect.stringMatching(/was not passed on/) },
  ]);
});

it('answers the first of several that wait where the target goes, and calls the others unanswered', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.includes('/2') && bytes.endsWith('\r\n\r\n'));
  heard.socket.end();
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502'));
  expect((await hearExchanges(2)).map(({ ownStatus }) => ownStatus)).toEqual([502, null]);
});

it('hands on an answer that came before all of the request had', async () => {
  const { say, client, target } = await connectThrough();
  say('POST /big HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nbeginning');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('beginning'));
  const answer = 'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig';
  heard.socket.end(answer);
  await client.until((bytes) => bytes === answer);
  expect((await hearExchanges(1))[0]).toMatchObject({ answer: { httpStatus: 413 }, fault: null });
});

it('answers 502 where the target turned out to be gone before the request came', async () => {
  const { say, client } = await connectThrough(() => 'http://127.0.0.1:1');
  await new Promise((done) => setTimeout(done, 100));
  expect(client.isEnded).toBe(false);
  say('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes('nothing listens there'));
  expect((await hearExchanges(1))[0]).toMatchObject({ answer: null, ownStatus: 502, target: '/late' });
});

it.each([0, 150])(
  'keeps all of a request to a target that is gone, also where its body comes %d ms after its head',
  async (pauseMs) => {
    const { say, client } = await connectThrough(() => 'http://127.0.0.1:1');
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
    say('POST /payments/v1/payouts HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n');
    await new Promise((done) => setTimeout(done, pauseMs));
    say('{"a":1}');
    await client.until(
      (bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes('nothing listens there'),
    );
    const [exchange] = await hearExchanges(1);
    expect(exchange).toMatchObject({ answer: null, ownStatus: 502, isUnsent: true });
    expect(exchange!.request.body.toString()).toBe('{"a":1}');
  },
);

it('lets go of a client that leaves without a request while the target is gone', async () => {
  const { client } = await connectThrough(() => 'http://127.0.0.1:1');
  await new Promise((done) => setTimeout(done, 100));
  client.socket.end();
  await client.until(() => client.isEnded);
  expect(told).toEqual([]);
});

it('waits a second at most for the rest of a request to a target that is gone', async () => {
  const { say, client } = await connectThrough(() => 'http://127.0.0.1:1');
  say('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbeginning');
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502'));
  expect((await hearExchanges(1))[0]).toMatchObject({ answer: null, ownStatus: 502 });
});

it('answers 502 with the reason where the target is gone', async () => {
  const { say, client } = await connectThrough(() => 'http://127.0.0.1:1');
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes('nothing listens there'));
  expect((await hearExchanges(1))[0]).toMatchObject({ answer: null, ownStatus: 502, target: '/a' });
});

it.each([
  ['closes without an answer', '', 'closed the connection'],
  [
    'answers something else',
    'SSH-2.0-OpenSSH\r\n\r\n',
    'it is no HTTP/1.1. Check that the target names the service',
  ],
  [
    'says two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk',
    'Content-Length stands there twice. Two clients may read it in two ways: mend it there.',
  ],
])('answers 502 where the target %s', async (_what, answer, reason) => {
  const { say, client, target } = await connectThrough();
  say('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('ok'));
  heard.socket.end(answer);
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes(reason));
});

it.each(['SSH-2.0-OpenSSH\r\n', 'HTTQ', '\x15\x03\x01'])(
  'answers 502 at once where the target speaks something else and goes on to wait: %j',
  async (greeting) => {
    const { say, client, target } = await connectThrough();
    say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    const heard = await target();
    await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
    heard.socket.write(Buffer.from(greeting, 'latin1'));
    await client.until((bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes('it is no HTTP/1.1'));
  },
);

it('takes an answer whose first letters come one by one', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  for (const letter of 'HTTP/1.1 204 None\r\n\r\n') {
    heard.socket.write(letter);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 204'));
});

it('answers 502 where the head of the answer does not end', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.write('HTTP/1.1 200 OK\r\n');
  for (let turn = 0; turn < 100; turn++) heard.socket.write(`X-${turn}: ${'a'.repeat(1000)}\r\n`);
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes('longer than 64 KiB'));
  expect((await hearExchanges(1))[0]).toMatchObject({ answer: null, ownStatus: 502 });
});

it('passes an answer however long, and keeps a mebibyte of it', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const piece = Buffer.alloc(256 * 1024, 'z');
  for (let turn = 0; turn < 24; turn++) heard.socket.write(piece);
  heard.socket.end();
  await client.until(() => client.isEnded);
  const [exchange] = await hearExchanges(1);
  expect(exchange!.answer).toMatchObject({ bodyBytes: 24 * piece.length });
  expect(exchange!.answer!.body.length).toBeLessThanOrEqual(1024 * 1024);
});

it('hands on the whole answer before it cuts a target that goes on unasked', async () => {
  const { say, target, client } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.write(`${answer}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nnobody`);
  expect(await client.until((bytes) => bytes.length > 0)).toBe(answer);
  await expect.poll(() => client.isEnded).toBe(true);
});

it('tells of all that is under way before it is closed', async () => {
  const { say, target, client } = await connectThrough();
  say('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('{}'));
  heard.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart');
  await client.until((bytes) => bytes.endsWith('part'));
  await open.proxy!.close();
  expect(told).toMatchObject([{ fault: expect.stringMatching(/^The proxy was stopped/), isUnsent: false }]);
});

it('takes a reset for no end of an answer, nor lets its client', async () => {
  const { say, target, client } = await connectThrough();
  let wasReset = false;
  client.socket.on('error', ({ message }) => (wasReset = message.includes('ECONNRESET')));
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.write('HTTP/1.1 200 OK\r\n\r\n{"status":"SUC');
  await client.until((bytes) => bytes.endsWith('SUC'));
  heard.socket.resetAndDestroy();
  await expect.poll(() => client.isEnded).toBe(true);
  expect(wasReset).toBe(true);
  expect((await hearExchanges(1))[0]!.fault).not.toBeNull();
});

it('hears of a client that gives up while the target takes nothing', async () => {
  const { say, target, client } = await connectThrough();
  say(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 12000000\r\n\r\n`);
  (await target()).socket.pause();
  client.socket.write(Buffer.alloc(6_000_000));
  await new Promise((resolve) => setTimeout(resolve, 500));
  client.socket.resetAndDestroy();
  await expect.poll(() => told[0]?.fault, { timeout: 20_000 }).toContain('client closed the connection');
});

it('gives a client that has closed its side every byte, however slowly and oddly they come', async () => {
  const { say, target, client } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  client.socket.end();
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntick');
  await client.until((bytes) => bytes.endsWith('tick'));
  heard.socket.end('\r\nno chunk: last');
  await client.until((bytes) => bytes.endsWith('last'));
});

it('refuses to be its own target', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  await expect(
    createProxy(new URL(`http://localhost:${port}`), { port, alternatives: 0 }, () => undefined),
  ).rejects.toMatchObject({ code: 'proxy.bad_target' });
});

it('cuts the connection of a client whose answer was cut, and says so', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
  const [exchange] = await hearExchanges(1);
  expect(exchange).toMatchObject({
    answer: { httpStatus: 200 },
    fault: expect.stringContaining('before its answer was complete'),
  });
  await client.until(() => client.isEnded);
  expect(client.bytes.endsWith('half')).toBe(true);
});

const PAYOUT = 'POST /payments/v1/payouts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
const CREATED = 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok';

it('tells within seconds of a client that gave up waiting: the answer that comes later reaches nobody', async () => {
  const { client, say, target } = await connectThrough();
  say(PAYOUT);
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('{}'));
  client.socket.end();
  expect(await hearExchanges(1)).toMatchObject([
    { answer: null, ownStatus: null, fault: expect.stringContaining('client closed its side') },
  ]);
  heard.socket.end(CREATED);
  await client.until(() => client.isEnded);
  expect(told).toHaveLength(1);
});

/** A client that closes its side and goes on reading. */
const connectHalfOpen = () => connectThrough(undefined, { allowHalfOpen: true });

it.each([
  ['at once', [CREATED]],
  ['in pieces', [CREATED.slice(0, 20), CREATED.slice(20)]],
  ['until its connection ends', ['HTTP/1.1 200 OK\r\n\r\nall of it']],
])('answers a client that has no more to send, %s, and tells of it as of any other', async (_how, pieces) => {
  const { target, client } = await connectHalfOpen();
  const startedAt = performance.now();
  client.socket.end(PAYOUT);
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('{}'));
  for (const piece of pieces) {
    heard.socket.write(piece);
    await new Promise((done) => setTimeout(done, 50));
  }
  if (pieces[0]!.includes('200')) heard.socket.end();
  await client.until(() => client.isEnded);
  expect(client.bytes).toBe(pieces.join(''));
  const [exchange] = await hearExchanges(1);
  expect(exchange!.fault).toBeNull();
  // That it was looked whether the answer is taken is no time of the target's.
  expect(exchange!.durationMs).toBeLessThan(performance.now() - startedAt - 80);
  expect(exchange!.answer?.bodyBytes).toBe(pieces[0]!.includes('200') ? 9 : 2);
});

it('answers all that a client sent before it closed its side, in order', async () => {
  const { target, client } = await connectHalfOpen();
  client.socket.end(PAYOUT + PAYOUT);
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith(`{}${PAYOUT}`));
  heard.socket.write(CREATED);
  await hearExchanges(1);
  heard.socket.write(CREATED);
  await client.until(() => client.isEnded);
  expect(client.bytes).toBe(CREATED + CREATED);
  expect((await hearExchanges(2)).map(({ fault, answer }) => [fault, answer?.httpStatus])).toEqual([
    [null, 201],
    [null, 201],
  ]);
});

it('tells of a client that is gone when its answer comes that it was not taken', async () => {
  const { client, say, target } = await connectThrough();
  say(PAYOUT);
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('{}'));
  client.socket.destroy();
  await new Promise((done) => setTimeout(done, 50));
  heard.socket.write(CREATED);
  expect(await hearExchanges(1)).toMatchObject([
    { fault: expect.stringContaining('client closed the connection before') },
  ]);
});

it('checks the certificate of the target', async () => {
  const { readOrMakeCertificate } = await import('../../listener/self-signed');
  const { createServer: createTls } = await import('node:tls');
  const made = readOrMakeCertificate(null, null);
  const server = createTls({ key: made.key, cert: made.cert }, (socket) => socket.end()).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { client, say } = await connectThrough(
    () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  say('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until((bytes) => bytes.startsWith('HTTP/1.1 502') && bytes.includes('certificate'));
  server.close();
});

it('hands both sides over to a protocol that they agree on', async () => {
  const { say, client, target } = await connectThrough();
  say('GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  const heard = await target();
  await heard.until((bytes) => bytes.endsWith('\r\n\r\n'));
  heard.socket.write('HTTP/1.1 101 Switching\r\nUpgrade: echo\r\n\r\nfrom');
  await client.until((bytes) => bytes.endsWith('from'));
  say('\x00back');
  await heard.until((bytes) => bytes.endsWith('\x00back'));
});
