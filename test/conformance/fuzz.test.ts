import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collection, payout, remittance, type Body } from '../support/bodies';
import { paths, signText, startService, stringToSign, type Service } from './support/service-client';
import { casesOf } from '../support/effort';

const COUNT = casesOf(5000, 20_000);
const CLIENTS = 40;
/** Whatever a connection may end with: an answer of HTTP, or nothing. */
const ANSWER = /^HTTP\/1\.1 [2-5]\d\d /;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A repeatable source of whole numbers below a limit. */
function createDraws(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
type Draw = ReturnType<typeof createDraws>;

const texts = [
  '', '\0', '{', '}', '[', ']', '"', '\\', ',', ':', '\r\n', '\n\n', '\u{1F600}', '\\ud800', 'null', '-', '1e999', '0x1',
  '__proto__', 'constructor', '%00', '../', '[[[[[[[[', '{"a":'.repeat(50), '9'.repeat(400), 'x'.repeat(5000), 'é',
  'Transfer-Encoding: chunked\r\n', 'Content-Length: 5\r\n', 'Expect: 100-continue\r\n', 'Bearer ', '=', '+/', '\t',
]; // prettier-ignore

function mutateText(draw: Draw, text: string): string {
  let result = text;
  for (let rounds = 1 + draw(4); rounds > 0; rounds--) {
    const at = draw(result.length + 1);
    const length = draw(4) === 0 ? draw(40) : draw(3);
    result = result.slice(0, at) + texts[draw(texts.length)]! + result.slice(at + length);
  }
  return result;
}

const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  [],
  {},
  [[]],
  '\u0000',
  'KE',
  'constructor',
];

/** Puts a value of any kind in the place of a random member. */
function mutateJson(draw: Draw, body: Record<string, unknown>): string {
  const copy = structuredClone(body);
  for (let rounds = 1 + draw(3); rounds > 0; rounds--) {
    const names = Object.keys(copy);
    const name = names[draw(names.length)]!;
    const inner = copy[name];
    const isNested = typeof inner === 'object' && inner !== null && !Array.isArray(inner) && draw(4) > 0;
    const owner = isNested ? (inner as Record<string, unknown>) : copy;
    const keys = Object.keys(owner);
    const key = draw(8) === 0 || keys.length === 0 ? '__proto__x' : keys[draw(keys.length)]!;
    if (draw(4) === 0) Reflect.deleteProperty(owner, key);
    else owner[key] = structuredClone(values[draw(values.length)]);
    if (Object.keys(copy).length === 0) break;
  }
  return JSON.stringify(copy);
}

interface Known {
  path: string;
  /** Drawn from anew each time: to make a signature takes longer than to check it. */
  signed: readonly { body: Body; signature: string }[];
}

function makeKnown(path: string, makeBody: () => Body, count = 1): Known {
  const signed = Array.from({ length: count }, () => {
    const body = makeBody();
    return { body, signature: 'transaction' in body ? signText(stringToSign(body)) : 'x' };
  });
  return { path, signed };
}

const known: readonly Known[] = [
  makeKnown(paths.payout, payout, 300),
  makeKnown(paths.remittance, remittance, 300),
  makeKnown(paths.collection, collection, 300),
  makeKnown(paths.status, () => ({ transaction_reference: 'x' })),
  makeKnown(paths.sendTest, () => ({ callback_url: 'http://127.0.0.1:9/', amount: 1 })),
  makeKnown(paths.token, () => ({ consumer_key: 'a', consumer_secret: 'b', product: 'payout' })),
];

/** Writes one request as bytes: whole, with a strange body, with strange headers, or nothing of HTTP at all. */
function writeRequest(draw: Draw, tokens: readonly string[]): Buffer {
  const kind = draw(10);
  if (kind === 0) return Buffer.from(Array.from({ length: draw(600) }, () => draw(256)));
  const { path, signed } = known[draw(known.length)]!;
  const { body, signature } = signed[draw(signed.length)]!;
  const good = JSON.stringify(body);
  const text = kind < 4 ? mutateText(draw, good) : kind < 7 ? mutateJson(draw, body) : good;
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${tokens[draw(tokens.length)]!}\r\nX-Custom-Signature: ${signature}\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return Buffer.from((kind >= 7 ? mutateText(draw, head) : head) + text);
}

/** Sends bytes on a connection of its own and gives all that comes back. */
function send(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer and no end to: ${bytes.toString('latin1').slice(0, 2000)}`));
    }, 30_000);
    const finish = (): void => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('latin1');
      resolve(text.replace(/^(HTTP\/1\.1 100 Continue\r\n\r\n)+/, ''));
    };
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A connection that is reset is closed, too.
    socket.on('error', () => undefined);
    socket.on('close', finish);
  });
}

test('7 fuzz: strange requests are each answered or closed, and the sandbox stays up', async () => {
  const draw = createDraws(20_301);
  const port = Number(new URL(service.baseUrl).port);
  const tokens = [
    await service.token('payout'),
    await service.token('remittance'),
    await service.token('collection'),
    'x',
  ];
  const before = process.memoryUsage().rss;
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message.slice(0, 200));
  process.on('warning', onWarning);
  const seen = new Map<string, number>();
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent++ < COUNT) {
      const answer = await send(port, writeRequest(draw, tokens));
      if (answer !== '') expect(answer).toMatch(ANSWER);
      const status = answer === '' ? 'closed' : answer.slice(9, 12);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(COUNT);
  process.off('warning', onWarning);
  // All checks were reached, and nothing failed inside, the request log included.
  expect(warnings).toEqual([]);
  for (const status of ['200', '201', '400', '401', '404']) expect([...seen.keys()]).toContain(status);
  expect(seen.get('500') ?? 0).toBe(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  expect((await service.initiate('remittance', remittance({ 'transaction.amount': 1 }))).json.code).toMatch(
    /ACCEPTED|REJECTED/,
  );
}, 300_000);
