import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { answerJson } from '../http/answers';
import { countProcessorMs } from '../../../test/support/processor-time';
import { toStoredRequest, type StoredRequest } from './stored-request';

const SECRET = 'c0nsumer/Secret+of-m1ne';

function store(body: Buffer, target = '/payments/v1/payouts', headers: string[] = []): StoredRequest {
  return toStoredRequest(
    {
      id: 'r1',
      at: 0,
      durationMs: 1,
      operation: 'payout',
      reference: null,
      request: {
        method: 'POST',
        target,
        headers,
        trailers: [],
        head: Buffer.from(''),
        body,
        isTooLong: false,
        countedBytes: 0,
        remoteAddress: '127.0.0.1',
        receivedAt: 0,
        startedAtMs: 0,
      },
      answer: answerJson(400, '{}', 'body', ''),
      isDropped: false,
    },
    SECRET,
  );
}

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const escaped = [...SECRET].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

it.each<[string, Buffer, string]>([
  ['UTF-16LE', Buffer.from(`{"a":"${SECRET}"}`, 'utf16le'), Buffer.from(SECRET, 'utf16le').toString('latin1')],
  ['UTF-16BE', bigEndian(`{"a":"${SECRET}"}`), bigEndian(SECRET).toString('latin1')],
  ['what is not UTF-8', Buffer.concat([Buffer.from([0xff]), Buffer.from(`{"note":"${SECRET}"}`)]), SECRET],
  ['escaped letters', Buffer.from(`{"note":"${escaped}"}`), escaped],
  ['escaped letters in capitals', Buffer.from(`{"note":"${escaped.toUpperCase().replaceAll('\\U', '\\u')}"}`), escaped.toUpperCase().replaceAll('\\U', '\\u')],
  ['Base64', Buffer.from(`Basic ${Buffer.from(`key:${SECRET}`).toString('base64')}`), Buffer.from(`key:${SECRET}`).toString('base64')],
  ['a URL', Buffer.from(`note=${encodeURIComponent(SECRET)}`), encodeURIComponent(SECRET)],
])('keeps no consumer secret in %s', (_name, body, form) => {
  expect(body.toString('latin1')).toContain(form);
  expect(store(body).requestBody.toString('latin1')).not.toContain(form);
  expect(store(body).detail.isMasked).toBe(true);
}); // prettier-ignore

it('masks before it cuts: no half of a secret is left of path, query and headers', () => {
  const half = SECRET.slice(0, 12);
  for (const most of [300, 2048]) {
    const target = `${'/x'.repeat(most).slice(0, most - 12)}${SECRET}`;
    expect(store(Buffer.from(''), target).path).not.toContain(half);
    expect(store(Buffer.from(''), `/a?${target}`).detail.query).not.toContain(half);
  }
  const headers = ['X-Note', `${'x'.repeat(16 * 1024 - 18)}${SECRET}`];
  expect(JSON.stringify(store(Buffer.from(''), '/', headers).detail.requestHeaders)).not.toContain(half);
});

it('keeps none in the string to sign of a body that was cut or masked', () => {
  const body = { transaction: { reference: SECRET, amount: 1, service_code: 'X' }, originator: { country: 'KE' } };
  const stored = store(Buffer.from(JSON.stringify(body)));
  expect(JSON.stringify(stored)).not.toContain(SECRET);
}); // prettier-ignore

it('keeps a request whose token is of any length, and no token of others', () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${'x'.repeat(15_000)}.sig`;
  const other = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln`;
  const body = JSON.stringify({ note: token, of: { another: other } });
  const stored = store(Buffer.from(body), `/x?a=${other}`, ['Authorization', `Bearer ${token}`, 'X-Other', other]);
  expect(stored.requestBody.toString()).toBe('{"note":"eyJh….sig","of":{"another":"eyJh…c2ln"}}');
  expect(JSON.stringify(stored)).not.toContain(other);
}); // prettier-ignore

it('keeps the size alone of a compressed body', () => {
  const bytes = gzipSync(`{"a":"${SECRET}"}`);
  const { requestBody, detail } = store(bytes, '/', ['Content-Encoding', 'gzip']);
  expect(requestBody.toString('utf8')).toBe(`compressed, ${bytes.length} bytes`);
  expect(detail.isMasked).toBe(true);
  expect(store(bytes).requestBody.toString('utf8')).toBe(`compressed, ${bytes.length} bytes`);
});

it('answers in linear time for ten hostile megabytes', () => {
  const processorMs = countProcessorMs();
  for (const piece of ['\\u0063', SECRET.slice(0, -1), 'c\0']) {
    store(Buffer.from(piece.repeat(Math.floor(10_000_000 / piece.length))));
  }
  expect(processorMs()).toBeLessThan(10_000);
});
