import { expect, it } from 'vitest';
import type { CapturedExchange } from './captured-exchange';
import { exportExchanges } from './export-exchanges';
import { openExchangeStore } from './exchange-store';
import { judgeExchange } from './judge-exchange';
import { PaymentQueue } from './payment-queue';
import { toStoredExchange, type JudgedExchange } from './stored-exchange';
import { detailExchange } from './view-exchange';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
const secret = 'cs_9f31c0d2ab5544e1';
const typed = 'typed-by-hand-8812';
const digits = '4471009283311';
const token = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"product":"payout","exp":1}').toString('base64url')}.c2lnbmF0dXJl`;

function capture(body: string, change: Partial<CapturedExchange> = {}): CapturedExchange {
  const bytes = Buffer.from(body);
  return {
    at: 1_700_000_000_000,
    durationMs: 5,
    method: 'POST',
    target: '/payments/v1/payouts',
    request: { headers: ['X-Custom-Signature', 'AAAA'], body: bytes, bodyBytes: bytes.length },
    answer: { headers: [], body: bytes, bodyBytes: bytes.length, httpStatus: 401 },
    ownStatus: null,
    fault: null,
    ...change,
  };
}

function keep(exchange: CapturedExchange, id = 'px_1'): JudgedExchange {
  const facts = judgeExchange(exchange, []);
  return toStoredExchange(id, exchange, facts, {
    origin: 'https://service.example',
    secrets: [secret, digits],
  });
}

const repeat = (piece: string): string => piece.repeat(Math.floor(MEBIBYTE / piece.length));

it.each([
  ['arrays in arrays', repeat('[')],
  ['objects in objects', repeat('{"transaction":')],
  ['one key a million times', `{${repeat('"a":1,')}"a":1}`],
  ['beginnings of tokens', repeat('eyJ')],
  ['beginnings of tokens with dots', repeat('eyJhbGci.')],
  ['names of secrets without a value', repeat('"consumer_secret":"')],
  ['names of secrets in a row', repeat('password=')],
  ['Basic and no end', repeat('Basic ')],
  ['quotes and backslashes', repeat('\\"')],
  ['white space', `{"a":${repeat(' ')}}`],
  ['a digit after the other', `{"transaction":{"amount":${repeat('9')}}}`],
])('judges and masks a mebibyte of %s in bounded time', (_what, body) => {
  const before = process.cpuUsage();
  const kept = keep(capture(body, { answer: null }));
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(6000);
  expect(kept.requestBody.length).toBeLessThanOrEqual(MEBIBYTE);
  expect(JSON.stringify(kept.detail).length).toBeLessThan(4 * MEBIBYTE);
});

it('keeps no secret, wherever a backend or a target puts it', () => {
  const odd = {
    note: `our secret is ${secret}`,
    [secret]: 'as a name',
    nested: [{ deep: { Authorization: `Bearer ${token}` } }],
    basic: `Basic ${Buffer.from(`key:${secret}`).toString('base64')}`,
    client_secret: 'other-secret-value-1',
  };
  const headers = [
    'Authorization',
    `Bearer ${token}`,
    'X-Debug',
    `${secret};${token}`,
    'Cookie',
    `session=${secret}`,
    secret,
    'in a name',
  ];
  const target = `/payments/${secret}/x?consumer_secret=${secret}&t=${token}&p=${encodeURIComponent(`é${secret}`)}`;
  const body = Buffer.from(JSON.stringify(odd));
  const exchange = capture(JSON.stringify(odd), {
    target,
    request: { headers, body, bodyBytes: body.length },
    answer: {
      headers: ['Set-Cookie', `a=${token}`, 'X-Echo', secret],
      body,
      bodyBytes: body.length,
      httpStatus: 200,
    },
    fault: `The target said ${secret}.`,
  });
  const kept = keep(exchange);
  const all = [
    JSON.stringify({
      ...kept,
      requestBody: kept.requestBody.toString(),
      answerBody: kept.answerBody.toString(),
    }),
    JSON.stringify(detailExchange(kept)),
  ];
  for (const text of all) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(token);
    expect(text).not.toContain(token.split('.')[1]);
    expect(text).not.toContain('other-secret-value-1');
    expect(text).not.toContain(Buffer.from(`key:${secret}`).toString('base64'));
  }
});

it.each([
  ['its address', { target: `/x?api_key=${typed}` }],
  ['a cookie', { headers: ['Cookie', `theme=dark; sid=${typed}`] }],
  ['Basic', { headers: ['Authorization', `Basic ${Buffer.from(`amina:${typed}`).toString('base64')}`] }],
  ['its body', { body: `{"user":"amina","password":"${typed}"}` }],
])('keeps no secret of %s that the target repeats', (_where, given) => {
  const { target, headers = [], body = '' } = given as { target?: string; headers?: string[]; body?: string };
  const repeated = Buffer.from(`{"message":"you said ${typed}"}`);
  const kept = keep(
    capture(body, {
      ...(target && { target }),
      request: { headers, body: Buffer.from(body), bodyBytes: body.length },
      answer: {
        headers: ['WWW-Authenticate', `Custom realm="x", of="${typed}"`, 'X-Echo', typed],
        body: repeated,
        bodyBytes: repeated.length,
        httpStatus: 401,
      },
    }),
  );
  const texts = [JSON.stringify(kept.detail), kept.answerBody.toString(), kept.requestBody.toString()];
  for (const text of texts) expect(text).not.toContain(typed);
});

it('keeps the size alone of what is compressed: a bomb is never unpacked', () => {
  const bomb = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(10_000)]);
  const { answerBody } = keep(
    capture('{}', {
      answer: { headers: ['Content-Encoding', 'gzip'], body: bomb, bodyBytes: 9e12, httpStatus: 200 },
    }),
  );
  expect(answerBody.toString()).toBe('compressed, 10002 bytes');
});

it('finds nothing but what was asked for, whatever stands in the filter, and cuts an export that grows too long', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-hostile-'));
  const store = openExchangeStore(directory, null);
  try {
    const payout = (reference: string) => capture(`{"transaction":{"reference":"${reference}"}}`);
    store.insertAll(Array.from({ length: 450 }, (_, index) => keep(payout(`r%_${index}`), `px_${index}`)));
    const everything = { operation: null, statusClass: null, onlyFindings: false, text: null };
    const list = (text: string) => store.list({ ...everything, text, limit: 500, before: null }).length;
    expect(['%', '_', "' OR 1=1 --", 'R%_44', 'px_449'].map(list)).toEqual([450, 450, 0, 11, 1]);
    const full = exportExchanges(store, { ...everything, format: 'jsonl', version: '0' });
    expect([full.count, full.isCut]).toEqual([450, false]);
    const cut = exportExchanges(store, { ...everything, format: 'har', version: '0' }, 20_000);
    const { log } = JSON.parse(cut.content) as { log: { entries: { comment: string }[] } };
    expect([cut.isCut, log.entries.length, log.entries.at(-1)!.comment]).toEqual([true, cut.count, 'px_449']);
    expect(cut.count).toBeGreaterThan(0);
    expect(cut.content.length).toBeLessThan(25_000);
  } finally {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

it('holds the latest payments alone on their way to the journeys', () => {
  const queue = new PaymentQueue();
  const body = `{"transaction":{"reference":"R"},"x":"${'y'.repeat(200_000)}"}`;
  const kept = keep(capture(body));
  for (let turn = 0; turn < 200; turn++) queue.add({ ...kept, id: `px_${turn}` });
  const taken = queue.take();
  expect(taken.length).toBeLessThan(60);
  expect(taken.at(-1)!.id).toBe('px_199');
  expect(taken[0]!.requestBody.length).toBeLessThanOrEqual(64 * 1024);
  expect(queue.take()).toEqual([]);
});

it('tells of a body that came too fast to be kept, and calls nothing wrong with it', () => {
  const body = { headers: ['X-Custom-Signature', 'AAAA'], body: Buffer.alloc(0), bodyBytes: MEBIBYTE };
  const kept = keep(capture('', { request: body, answer: { ...body, headers: [], httpStatus: 201 } }));
  const shown = detailExchange(kept);
  expect(shown).toMatchObject({
    signature: 'unchecked',
    request: { body: '', sizeBytes: MEBIBYTE, isCut: true },
    answer: { body: '', sizeBytes: MEBIBYTE, isCut: true },
  });
  expect(kept.detail.fieldProblems).toEqual([]);
});

it.each([
  ['a number', digits, 'accepted'],
  ['a list of numbers', `[${digits}]`, 'accepted'],
  ['a text with a quote', JSON.stringify(`${secret}" and more`), 'accepted'],
])('reads what an accepted payment was answered, though a secret in it is %s', (_what, written, outcome) => {
  const sent = Buffer.from('{"transaction":{"reference":"R-1"}}');
  const answered = Buffer.from(
    `{"code":"ACCEPTED","description":"for ${digits}","data":{"payment_uuid":"77","echo":${written}}}`,
  );
  const { reading, answerBody } = keep(
    capture('', {
      request: { headers: [], body: sent, bodyBytes: sent.length },
      answer: { headers: [], body: answered, bodyBytes: answered.length, httpStatus: 201 },
    }),
  );
  expect(reading).toMatchObject({ outcome, paymentUuid: '77' });
  expect(JSON.stringify(reading) + answerBody.toString()).not.toMatch(/4471009283311|9f31c0d2ab/);
});

it.each([
  ['was not kept', { headers: [], body: Buffer.alloc(0), bodyBytes: 300 }, /too long to be judged/],
  [
    'is compressed',
    { headers: ['Content-Encoding', 'br'], body: Buffer.from([1, 2]), bodyBytes: 2 },
    /compressed \(br\)/,
  ],
])('says of a payment whose answer %s that it was not read', (_what, answer, title) => {
  const sent = Buffer.from('{"transaction":{"reference":"R-1"}}');
  const request = { headers: [], body: sent, bodyBytes: sent.length };
  const { reading } = keep(capture('', { request, answer: { ...answer, httpStatus: 201 } }));
  expect(reading).toMatchObject({ outcome: 'unknown', title: expect.stringMatching(title) });
});
