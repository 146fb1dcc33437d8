import { describe, expect, it } from 'vitest';
import { readJsonTree } from '../../json/json-tree';
import { matchesFilter, type FilterSubject } from './match-filter';
import { parseFilter } from './parse-filter';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const body =
  '{"status":"FAILED","amount":2000.50,"text":"2000.50","big":12345678901234567890,"none":null,"yes":true,' +
  '"a":{"b":[{"c":1}]},"a/b":"x","tags":["one","two"],"float":1e3}';
const fields: Record<string, string | readonly string[] | null> = {
  status: 'FAILED',
  reference: 'order 1',
  path: '/hooks?try=1',
  method: 'POST',
  verdict: 'invalid',
  amount: '2000.50',
  http_status: '200',
  size: '300',
  tag: ['urgent', 'mine'],
};
const subject: FilterSubject = {
  field: (name) => fields[name] ?? null,
  receivedAt: NOW - 60_000,
  body: () => readJsonTree(body),
  headers: (name) => (name === 'x-trace' ? ['abc', 'def'] : []),
  isRead: false,
  isPinned: false,
  isFailed: true,
};
const matches = (text: string, one: FilterSubject = subject): boolean =>
  matchesFilter(parseFilter(text), one, NOW);

describe('a webhook passes', () => {
  it.each([
    'all',
    'unread',
    'failed',
    'not pinned',
    'status == FAILED',
    'status != SUCCESS',
    'reference == "order 1"',
    'reference contains order',
    'path == /hooks',
    'path == /hooks?try=1',
    'verdict == invalid',
    'amount == 2000.5',
    'amount > 2000',
    'http_status == 200',
    'size >= 300',
    'tag == mine',
    'tag contains urg',
    'body.amount == 2000.5',
    'body.amount >= 2000.50',
    'body.amount < 2000.51',
    'body.text > 1999',
    'body.text == 2000.50',
    'body.amount == "2000.50"',
    'body.big == 12345678901234567890',
    'body.big < 12345678901234567891',
    'body.float == 1000',
    'body.none == null',
    'body.yes == true',
    'body.a.b.0.c == 1',
    'body./a/b/0/c == 1',
    'body./a~1b == x',
    'body.tags == two',
    'body.tags contains on',
    'body.missing != 1',
    'not body.missing == 1',
    'header.X-Trace == def',
    'age <= 1m',
    'age > 59s',
    'received_at == 2026-03-01T11:59:00Z',
    'received_at < 2026-03-01T12:00:00+00:00',
    'status == A or status == FAILED and method == POST',
  ])('%s', (text) => expect(matches(text)).toBe(true));
});

describe('a webhook does not pass', () => {
  it.each([
    'pinned',
    'status == failed',
    'status != FAILED',
    'path == /hooks?',
    'path == /hook',
    'body.text == 2000.5',
    'body.amount == "2000.5"',
    'body.big == 12345678901234567891',
    'body.missing == 1',
    'body.missing < 1',
    'body.none < 1',
    'body.a == 1',
    'body.tags != two',
    'body.tags.2 == two',
    'header.x-trace != abc',
    'age < 1m',
    'received_at >= 2026-03-01T12:00Z',
    '(status == A or status == FAILED) and method == PUT',
  ])('%s', (text) => expect(matches(text)).toBe(false));

  it('on its body, where that is not JSON', () => {
    const broken = { ...subject, body: () => null };
    expect([matches('body.status == FAILED', broken), matches('body.status != FAILED', broken)]).toEqual([
      false,
      true,
    ]);
  });
});
