import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createWebhookSecret } from '../../platform/crypto/standard-webhooks';
import { HandlerDiagnosis } from './diagnose-handler';
import { addMembers, createPayment, reportPayment, type PlayedWebhook } from './played-webhook';

const secret = createWebhookSecret();
const key = Buffer.from(secret.slice(6), 'base64');
type Told = Record<'id' | 'time' | 'signature' | 'body', string>;
type Judge = (told: Told, request: IncomingMessage) => boolean;

const mac = (message: string, by: Buffer | string = key, hash = 'sha256'): Buffer =>
  createHmac(hash, by).update(message).digest();
const fits = ({ signature }: Told, digest: Buffer): boolean =>
  signature.split(' ').includes(`v1,${digest.toString('base64')}`);
const isNow = ({ time }: Told, off = 0): boolean => Math.abs(Date.now() / 1000 + off - Number(time)) < 300;
const signed = ({ id, time, body }: Told): string => `${id}.${time}.${body}`;
const rawHeader = ({ rawHeaders }: IncomingMessage, name: string): boolean => rawHeaders.includes(name);

const printAsGo = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(printAsGo).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? '<nil>' : String(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${members.map(([name, inner]) => `${name}:${printAsGo(inner)}`).join(' ')}]`;
};

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** @returns what is said, of the last webhook, of a handler that takes what the judge lets through, and how often it was asked */
async function diagnose(judge: Judge, ...webhooks: PlayedWebhook[]) {
  return diagnoseAnswer(401, judge, webhooks);
}

async function diagnoseAnswer(httpStatus: number, judge: Judge, webhooks: PlayedWebhook[] = []) {
  let asked = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked += 1;
      const header = (name: string): string => String(request.headers[name] ?? '');
      const told = {
        id: header('webhook-id'),
        time: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body: Buffer.concat(chunks).toString('utf8'),
      };
      response.writeHead(judge(told, request) ? 204 : httpStatus).end();
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const diagnosis = new HandlerDiagnosis({ url, secret, timeoutMs: 5000 });
  let said = '';
  for (const webhook of webhooks.length > 0 ? webhooks : [addMembers(reportPayment(createPayment()))])
    said = await diagnosis.describe({ webhook, isRefusal: httpStatus === 401 });
  return { said, asked };
}

describe('a handler that refuses what is signed right', () => {
  it.each<[string, Judge, string]>([
    ['takes the text of the secret', (told) => fits(told, mac(signed(told), secret)), 'signed with the text of the secret, whsec_ and all, as the key: the key is what stands behind whsec_'],
    ['does not decode the secret', (told) => fits(told, mac(signed(told), secret.slice(6))), 'signed with the Base64 behind whsec_ as the key, not decoded'],
    ['looks for one case', (told, request) => rawHeader(request, 'Webhook-Signature') && fits(told, mac(signed(told))), 'with its headers named Webhook-Id, Webhook-Timestamp, Webhook-Signature: look for webhook-id'],
    ['compares with hex', (told) => told.signature === `v1,${mac(signed(told)).toString('hex')}`, 'with its signature as hex behind “v1,”'],
    ['compares with URL-safe Base64', (told) => told.signature === `v1,${mac(signed(told)).toString('base64url')}=`, 'with its signature as URL-safe Base64'],
    ['compares the whole header', (told) => told.signature === mac(signed(told)).toString('base64'), 'with its signature without “v1,” in front'],
    ['has the id and the timestamp in another order', (told) => fits(told, mac(`${told.time}.${told.id}.${told.body}`)), 'signed over webhook-timestamp, then webhook-id, then the body'],
    ['leaves out the id', (told) => fits(told, mac(`${told.time}.${told.body}`)), 'signed without webhook-id'],
    ['leaves out the dots', (told) => fits(told, mac(told.id + told.time + told.body)), 'signed without the dots'],
    ['reads milliseconds', (told) => Math.abs(Date.now() - Number(told.time)) < 300_000 && fits(told, mac(signed(told))), 'with webhook-timestamp in milliseconds'],
    ['has a clock two hours ahead', (told) => isNow(told, 7200) && fits(told, mac(signed(told))), 'with a webhook-timestamp 2 h ahead, signed right: compare webhook-timestamp, seconds since 1970 in UTC'],
    ['has a clock ten minutes behind', (told) => isNow(told, -600) && fits(told, mac(signed(told))), 'with a webhook-timestamp 9 min ago, signed right: compare webhook-timestamp, seconds since 1970 in UTC'],
    ['has a clock five and a half hours ahead', (told) => isNow(told, 19_800) && fits(told, mac(signed(told))), 'with a webhook-timestamp 5 h 30 min ahead, signed right'],
    ['has a clock in another time zone, and takes no number for no age', (told) => !(Math.abs(Date.now() / 1000 + 10_800 - Number(told.time)) > 300) && fits(told, mac(signed(told))), 'with a webhook-timestamp 3 h ahead, signed right'],
    ['has a clock of a year ago, and takes no number for no age', (told) => !(Math.abs(Date.now() / 1000 - 31_536_000 - Number(told.time)) > 300) && fits(told, mac(signed(told))), 'with a webhook-timestamp that is no number, signed right: compare webhook-timestamp, seconds since 1970 in UTC, with a clock in seconds that is right, and refuse'],
    ['reads a date', (told) => told.time.endsWith('Z') && fits(told, mac(signed(told))), 'with webhook-timestamp as a date'],
    ['reads nanoseconds', (told) => Math.abs(Date.now() - Number(told.time) / 1e6) < 300_000 && fits(told, mac(signed(told))), 'with webhook-timestamp in nanoseconds'],
    ['compares with hex in capitals', (told) => told.signature === `v1,${mac(signed(told)).toString('hex').toUpperCase()}`, 'with its signature as hex in capitals behind “v1,”'],
    ['compares with printed bytes', (told) => told.signature === `v1,b'${mac(signed(told)).toString('base64')}'`, 'with its signature as Python prints bytes, behind “v1,”'],
    ['reads seven bits', (told) => fits(told, mac(signed({ ...told, body: Buffer.from(told.body).toString('ascii') }))), 'signed over the body read as ASCII of seven bits'],
    ['leaves letters out', (told) => fits(told, mac(signed({ ...told, body: told.body.replace(/[\u0080-\uffff]/g, '') }))), 'signed over the body written as ASCII, with other characters left out'],
    ['prints a map as Go does', (told) => fits(told, mac(signed({ ...told, body: printAsGo(JSON.parse(told.body)) }))), 'signed over the body as Go prints a map'],
    ['uses SHA-1', (told) => fits(told, mac(signed(told), key, 'sha1')), 'signed with HMAC-SHA1: use HMAC-SHA256'],
    ['writes the JSON anew', (told) => fits(told, mac(signed({ ...told, body: JSON.stringify(JSON.parse(told.body)) }))), 'signed over the body written anew, minified, numbers rewritten: compute the signature over the bytes as they came'],
    ['trims', (told) => fits(told, mac(signed({ ...told, body: told.body.trim() }))), 'signed over the body without the white space around it'],
    ['writes the JSON anew as PHP does', (told) => fits(told, mac(signed({ ...told, body: JSON.stringify(JSON.parse(told.body)).replaceAll('/', '\\/').replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) }))), 'signed over the body written anew, minified, read and written by PHP'],
    ['reads ASCII', (told) => fits(told, mac(signed({ ...told, body: Buffer.from(told.body).toString('latin1').replace(/[\u0080-\u00ff]/g, '\ufffd') }))), 'signed over the body read as ASCII'],
    ['reads Latin-1', (told) => fits(told, mac(signed({ ...told, body: Buffer.from(told.body).toString('latin1') }))), 'signed over the body read as Latin-1'],
  ])('is told what it does where it %s', async (_what, judge, phrase) => {
    expect((await diagnose(judge)).said).toContain(`The handler takes the same webhook ${phrase}`);
  }); // prettier-ignore

  it('is told of the mistake that it made with another webhook, where that is not tried with this one', async () => {
    const judge: Judge = (told) => fits(told, mac(signed({ ...told, body: 'undefined' })));
    const payment = createPayment();
    const long = reportPayment({ ...payment, metaJson: `{"note":"${'x'.repeat(100_000)}"}` });
    const { said } = await diagnose(judge, reportPayment(payment), long);
    expect(said).toContain('The handler took another webhook signed over the word “undefined”: compute');
  });

  it('is told of no mistake where it has another secret, and where it makes one that nobody knows', async () => {
    const other = createWebhookSecret();
    const { said, asked } = await diagnose((told) => fits(told, mac(signed(told), other)));
    expect(said).toMatch(
      /\d+ usual mistakes, and none was taken: look whether it comes to the handler at all \(.*CSRF.*\), and whether the handler has this secret, finds the headers \(.*in Node they are lower-case.*, and compares with a text without a line end/,
    );
    expect(asked).toBeGreaterThan(100);
  });

  it('is told, where it throws at each, that no mistake was it', async () => {
    const { said, asked } = await diagnoseAnswer(500, () => false);
    expect(said).toMatch(
      /^ It was sent again with \d+ usual mistakes in its signature, and none was taken: look in the log of the handler/,
    );
    expect(said).toContain(` ${asked} usual`);
  });

  it('is told of no mistake where it takes whatever comes now', async () => {
    let asked = 0;
    const { said } = await diagnose(() => (asked += 1) > 3);
    expect(said).not.toMatch(/The handler takes|none was taken/);
  });
});

it('says of a slow handler that not all mistakes were tried, and goes on with the others at the next webhook', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 100));
  const judge: Judge = (told) => isNow(told) && fits(told, mac(signed(told), key, 'md5'));
  const webhooks = [1, 2, 3, 4].map(() => reportPayment(createPayment()));
  const first = await diagnose(judge, webhooks[0]!);
  const last = await diagnose(judge, ...webhooks);
  clock.mockRestore();
  expect(first.said).toMatch(
    / \d+ of \d+ usual mistakes within 8 s, and none of these was taken: let it refuse/,
  );
  expect(first.said).not.toContain('CSRF');
  expect(last.said).toContain('The handler takes the same webhook signed with HMAC-MD5: use HMAC-SHA256.');
});
