import { describe, expect, it } from 'vitest';
import { readJsonTree } from '../../json/json-tree';
import { FAILED_STATUSES, matchesFilter, type FilterSubject } from './match-filter';
import { parseFilter } from './parse-filter';
import { quoteFilterText } from './quote-filter-text';
import { readDuration, readInstant } from './read-moment';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const body =
  '{"status":"FAILED","amount":2000.50,"text":"2000.50","big":12345678901234567890,"none":null,"yes":true,' +
  '"nested":[["deep"]],"a":{"b":[{"c":1}]},"a/b":"x","tags":["one","two"],"float":1e3}';
const fields: Record<string, string | readonly string[] | null> = {
  status: 'FAILED',
  reference: 'order 1',
  path: '/hooks?try=1',
  method: 'POST',
  verdict: 'invalid',
  amount: '2000.50',
  http_status: '200',
  code: '200',
  size: '300',
  tag: ['urgent', 'mine'],
};
const subject: FilterSubject = {
  field: (name) => fields[name] ?? null,
  receivedAt: NOW - 60_000,
  body: () => readJsonTree(body),
  headers: (name) => ({ 'x-trace': ['abc', 'def'], 'x-count': ['7'] })[name] ?? [],
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
    'rule != anything',
    'not rule == anything',
    'size <= 300',
    'amount <= 2000.5',
    'age != 2m',
    'age == 1m',
    'received_at != 2026-03-01T12:00Z',
    'received_at <= "2026-03-01 11:59:00.000"',
    'received_at == 2026-03-01T13:59:00+02:00',
    'received_at > 2026-03-01',
    'body.nested.0.0 == deep',
  ])('%s', (text) => expect(matches(text)).toBe(true));
});

describe('a webhook does not pass', () => {
  it.each([
    'pinned',
    'status == A or status == B',
    'rule == anything',
    'rule contains a',
    'reference == 1',
    'status > 1',
    'amount > 2000.5',
    'amount == "abc"',
    'size <= 299',
    'size > 300',
    'http_status == "200.0"',
    'code == 200.0',
    'age == 61s',
    'age != 1m',
    'age <= 59s',
    'age > 1m',
    'received_at == 2026-03-01T11:59:01Z',
    'received_at != 2026-03-01T11:59Z',
    'received_at <= 2026-03-01T11:58Z',
    'header.x-trace == 1',
    'header.x-trace < 1',
    'header.x-count == 7.0',
    'body.tags.01 == two',
    'body.tags.x1 == two',
    'body.tags.1x == two',
    'body.tags.-1 == two',
    'body.status.0 == F',
    'body.a contains b',
    'body.nested == deep',
    'body.nested.0 == ""',
    'body.amount == abc',

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

it('takes the twelfth item of a list by its place', () => {
  const twelve = readJsonTree('{"l":[0,1,2,3,4,5,6,7,8,9,10,11,12]}');
  expect(matches('body.l.12 == 12', { ...subject, body: () => twelve })).toBe(true);
  expect(matches('body.l.13 == 12', { ...subject, body: () => twelve })).toBe(false);
});

it('calls failed what is final and has not succeeded', () => {
  expect([...FAILED_STATUSES].sort()).toEqual(['CANCELED', 'FAILED']);
});

it.each(['a "quoted" one', 'back\\slash', "it's", ''])('quotes %j so that it is read as it was', (text) => {
  expect(parseFilter(`reference == ${quoteFilterText(text)}`)).toMatchObject({ value: text, isQuoted: true });
});

it.each([
  ['90ms', 90],
  ['30s', 30_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
])('reads the span %s', (text, ms) => expect(readDuration(text)).toBe(ms));

it.each(['', '10', 'm', '1.5h', '-1s', 'x1s', '1sx', '1 s', '1234567890s', '1w'])(
  'knows no span in %j',
  (text) => expect(readDuration(text)).toBeNull(),
);

it.each([
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T12:30', '2026-03-01T12:30:00.000Z'],
  ['2026-03-01 12:30:15', '2026-03-01T12:30:15.000Z'],
  ['2026-03-01T12:30:15.123', '2026-03-01T12:30:15.123Z'],
  ['2026-03-01T12:30:15.1Z', '2026-03-01T12:30:15.100Z'],
  ['2026-03-01T12:30+05:30', '2026-03-01T07:00:00.000Z'],
])('reads the moment %s', (text, iso) => expect(new Date(readInstant(text)!).toISOString()).toBe(iso));

it.each([
  '',
  'now',
  '2026-3-1',
  '2026-13-01',
  '2026-03-01T',
  '2026-03-01T25:00',
  'x2026-03-01',
  '2026-03-01x',
  '2026-03-01Z',
  '2026-03-01T12:30:15.1234',
])('knows no moment in %j', (text) => expect(readInstant(text)).toBeNull());
