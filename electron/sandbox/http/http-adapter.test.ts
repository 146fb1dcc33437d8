import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReachedElsewhere } from '../../../test/support/other-addresses';
import {
  makePayout,
  signBody,
  startTestSandbox,
  type SandboxClient,
} from '../../../test/support/sandbox-client';

let client: SandboxClient;
let port = 0;
beforeAll(async () => {
  client = await startTestSandbox();
  port = Number(new URL(client.sandbox.baseUrl).port);
});
afterAll(() => client.sandbox.close());

async function writePayout(line = 'POST /payments/v1/payouts HTTP/1.1', more = ''): Promise<string> {
  const body = JSON.stringify(makePayout());
  return (
    `${line}\r\nHost: localhost\r\n${more}Authorization: Bearer ${await client.token('payout')}\r\n` +
    `Content-Type: application/json\r\nX-Custom-Signature: ${signBody(body)}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Sends chunks, each after the one before has left, and gives what comes until so many answers are complete. */
function exchange(chunks: readonly string[], answers: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.setNoDelay(true);
      const send = (index: number): void => {
        if (index < chunks.length) socket.write(chunks[index]!, () => setImmediate(() => send(index + 1)));
      };
      send(0);
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if ((text.match(/"payment_uuid"|"request_id"|"code"/g) ?? []).length >= answers) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

test('a plain request and its followers on one connection are answered with the headers of HTTP', async () => {
  const text = await exchange([await writePayout(), await writePayout(), await writePayout()], 3 * 2);
  expect(statuses(text)).toEqual([201, 201, 201]);
  expect(text).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(text).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/);
});

test('requests sent ahead in one piece are answered in their order', async () => {
  const both = (await writePayout()) + (await writePayout());
  expect(statuses(await exchange([both], 4))).toEqual([201, 201]);
});

test('a request that comes in pieces is put together', async () => {
  const whole = await writePayout();
  const pieces = [whole.slice(0, 10), whole.slice(10, 200), whole.slice(200, 700), whole.slice(700)];
  expect(statuses(await exchange(pieces, 2))).toEqual([201]);
});

test('a plain request, then one in chunks on the same connection, are both answered', async () => {
  const body = JSON.stringify(makePayout());
  const chunked =
    `POST /payments/v1/payouts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${await client.token('payout')}\r\n` +
    `Content-Type: application/json\r\nX-Custom-Signature: ${signBody(body)}\r\nTransfer-Encoding: chunked\r\n\r\n` +
    `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect(statuses(await exchange([await writePayout(), chunked], 4))).toEqual([201, 201]);
});

test.each([
  ['HTTP/1.0', 'POST /payments/v1/payouts HTTP/1.0', '', 201],
  ['a header of another name', undefined, 'X-Other: 1\r\nX-Other: 2\r\n', 201],
  ['Connection: close', undefined, 'Connection: close\r\n', 201],
  ['Expect', undefined, 'Expect: 100-continue\r\n', 201],
  ['two lengths', undefined, 'Content-Length: 3\r\n', 400],
  ['length and chunks', undefined, 'Transfer-Encoding: chunked\r\n', 400],
  ['a folded header', undefined, 'X-A: 1\r\n 2\r\n', 400],
  ['a header without a colon', undefined, 'nonsense\r\n', 400],
  ['a space before the colon', undefined, 'X-A : 1\r\n', 400],
  ['a method that nobody has', 'BREW /payments/v1/payouts HTTP/1.1', '', 400],
])('%s: answered as it should be', async (_name, line, more, status) => {
  const found = statuses(await exchange([await writePayout(line, more)], 1));
  expect(found.filter((one) => one !== 100)).toEqual([status]);
});

test('two authorizations are not taken for one', async () => {
  const text = await exchange([await writePayout(undefined, 'Authorization: Bearer x\r\n')], 1);
  expect(statuses(text)).toEqual([401]);
});

test('3,000 requests sent ahead on one connection get 3,000 answers, in their order', async () => {
  const count = 3000;
  const token = await client.token('remittance');
  const query = (at: number) =>
    `GET /_none/${at} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n` +
    (at % 2 === 0
      ? `GET /_sandbox/none/${at} HTTP/1.1\r\n\r\n`
      : 'GET /tsq/v1/wallet-balances HTTP/1.1\r\n\r\n');
  const requests = Array.from({ length: count / 2 }, (_, at) => query(at));
  const answers = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => (socket.destroy(), resolve(Buffer.concat(chunks).toString())));
    socket.end(requests.join(''));
  });
  const expected = Array.from({ length: count / 2 }, () => [404, 401]).flat();
  expect(statuses(answers)).toEqual(expected);
});

test('answers on the loopback interface alone', async () => {
  expect(await isReachedElsewhere(port)).toBe(false);
});

test('of a trailer that is too long it is said that the trailer is, and how long one may be', async () => {
  const text = await exchange(
    [
      `POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n`,
      `A: ${'a'.repeat(10_000)}\r\nB: ${'b'.repeat(10_000)}\r\n\r\n`,
    ],
    1,
  );
  expect(text).toContain('the trailer is longer than 16 KiB');
});

test('an address that is written whole, as to a proxy, is read as its path', async () => {
  const line = 'POST http://api.example:80/payments/v1/payouts HTTP/1.1';
  expect(statuses(await exchange([await writePayout(line)], 2))).toEqual([201]);
  expect(await exchange([await writePayout('POST http://api.example HTTP/1.1')], 1)).toMatch(/ 404 /);
});

test.each([
  ['/payments/v1/payout', '/payments/v1/payouts is one.'],
  ['/Payments/v1/payouts/', '/payments/v1/payouts is one.'],
  ['//payments/v1/payouts', '/payments/v1/payouts is one.'],
  ['/sandbox/payments/v1/payouts', '/payments/v1/payouts is one.'],
  ['/payouts', 'check the path."'],
  ['/', 'check the path."'],
])('of the path %s that the service does not have it is said which one it has', async (path, hint) => {
  const text = await exchange([await writePayout(`POST ${path} HTTP/1.1`)], 1);
  expect(statuses(text)).toEqual([404]);
  expect(text).toContain(hint);
});

test('a signature under another name is told', async () => {
  const sent = (await writePayout()).replace('X-Custom-Signature', 'X-Signature');
  expect(await exchange([sent], 1)).toContain('X-Signature is there, which the service does not read');
  const none = (await writePayout()).replace(/X-Custom-Signature: .*\r\n/, 'X-Signature-Version: 1\r\n');
  expect(await exchange([none], 1)).toContain('The X-Custom-Signature header is missing."');
  const empty = (await writePayout()).replace(/(X-Custom-Signature:) .*\r\n/, '$1\r\n');
  expect(await exchange([empty], 1)).toContain('The X-Custom-Signature header is empty."');
});

test('a secret that was read with the line end of its file is told from a wrong one', async () => {
  const ask = (consumer_secret: string) =>
    client.request('POST', '/auth/v1/token', { consumer_key: 'k', consumer_secret, product: 'payout' });
  expect((await ask('wrong\n')).body.description).toContain('White space stands at the start or end of one');
  expect((await ask('wrong')).body.description).toMatch(/is wrong\.$/);
});
