import { describe, expect, it } from 'vitest';
import { readJsonTree } from '../../json/json-tree';
import type { RuleRequest } from './answer-rules';
import { parseRules } from './parse-rules';
import { RuleAnswers } from './rule-answers';

function request(
  change: { method?: string; path?: string; headers?: Record<string, string>; body?: string } = {},
): RuleRequest {
  const {
    method = 'POST',
    path = '/hooks?a=1&b=x%20y',
    headers = {},
    body = '{"amount":1000.00,"ref":"R\\n1","list":[{"k":"v"}]}',
  } = change;
  return {
    method,
    path,
    headers: (name) =>
      Object.entries(headers)
        .filter(([one]) => one === name)
        .map(([, value]) => value),
    body: () => readJsonTree(body),
  };
}
const open = (...rules: object[]): RuleAnswers =>
  new RuleAnswers(parseRules(JSON.stringify({ version: 1, rules })));
const status = (answers: RuleAnswers, one = request()): number | null =>
  answers.answer(one)?.answer?.status ?? null;

describe('a rule answers', () => {
  it.each([
    [{}, true],
    [{ method: 'POST' }, true],
    [{ method: 'post' }, true],
    [{ method: 'PUT' }, false],
    [{ path: '/hooks' }, true],
    [{ path: '/hook' }, false],
    [{ path: '/' }, false],
    [{ query: { b: 'x y' } }, true],
    [{ query: { b: 'x' } }, false],
    [{ query: { c: '' } }, false],
    [{ query: { a: '1', b: 'x y' } }, true],
    [{ query: { a: '1', b: 'x' } }, false],
    [{ query: { a: 'x y' } }, false],
    [{ header: { 'X-Trace': 't' } }, true],
    [{ header: { 'X-Trace': 'T' } }, false],
    [{ body: { '/amount': 1000 } }, true],
    [{ body: { '/amount': '1000.00' } }, false],
    [{ body: { '/amount': 1000, '/list/0/k': 'v' } }, true],
    [{ body: { '/list': [{ k: 'v' }] } }, true],
    [{ body: { '/list/1': null } }, false],
    [{ body: { '/missing': null } }, false],
    [{ method: 'POST', path: '/hooks', query: { a: '2' } }, false],
  ])('where %j fits: %s', (when, fits) => {
    const answers = open({ name: 'one', when, answer: { status: 201 } });
    expect(status(answers, request({ headers: { 'x-trace': 't' } }))).toBe(fits ? 201 : null);
  });

  it.each(['/ü/a b', '/%c3%bc/a%20b', '/%C3%BC/a b'])('to the path that %s means', (path) => {
    const answers = open({ name: 'one', when: { path }, answer: { status: 201 } });
    expect(status(answers, request({ path: '/%C3%BC/a%20b?c=1' }))).toBe(201);
    expect(status(answers, request({ path: '/%c3%bc/a%20b' }))).toBe(201);
    expect(status(answers, request({ path: '/%C3%BC/a%2520b' }))).toBe(null);
  });

  it('first, if it is the first that fits', () => {
    const answers = open(
      { name: 'a', when: { path: '/x' }, answer: {} },
      { name: 'b', answer: {} },
      { name: 'c', answer: {} },
    );
    expect(answers.answer(request())?.rule).toBe('b');
  });

  it('500 to the first ones, then as it says; for each webhook-id anew', () => {
    const answers = open({ fail_first: 2, answer: { status: 204 } });
    const send = (id: string): number | null => status(answers, request({ headers: { 'webhook-id': id } }));
    expect(['a', 'a', 'b', 'a', 'b', 'b', 'a'].map(send)).toEqual([500, 500, 500, 204, 500, 204, 204]);
    expect([status(answers), status(answers), status(answers)]).toEqual([500, 500, 204]);
  });

  it('as without a rule, where it only fails the first ones', () => {
    const answers = open({ name: 'x', fail_first: 1 });
    expect([answers.answer(request())?.answer?.status, answers.answer(request())]).toEqual([
      500,
      { rule: 'x', answer: null },
    ]);
  });

  it('in sequence, the last again and again', () => {
    const answers = open({ sequence: [{ status: 503 }, { status: 429 }, { status: 200 }] });
    expect([1, 2, 3, 4, 5].map(() => status(answers))).toEqual([503, 429, 200, 200, 200]);
  });

  it('in sequence after the first ones that fail', () => {
    const answers = open({ fail_first: 1, sequence: [{ status: 503 }, { status: 429 }, { status: 200 }] });
    expect([1, 2, 3, 4, 5].map(() => status(answers))).toEqual([500, 503, 429, 200, 200]);
  });

  it('for the latest ten thousand webhook-ids, the one counted longest ago being forgotten', () => {
    const answers = open({ fail_first: 1, answer: { status: 204 } });
    const send = (id: number) => status(answers, request({ headers: { 'webhook-id': String(id) } }));
    for (let id = 0; id < 10_000; id += 1) expect(send(id)).toBe(500);
    expect([send(0), send(10_000)]).toEqual([204, 500]);
    expect([send(0), send(1)]).toEqual([204, 500]);
  });

  it('nothing where there are none', () => {
    const none = new RuleAnswers();
    expect([none.isEmpty, none.answer(request()), open({ answer: {} }).isEmpty]).toEqual([true, null, false]);
    none.setRules(parseRules('{"version":1,"rules":[{"answer":{}}]}'));
    expect(none.isEmpty).toBe(false);
  });

  it('on from where it was, when other rules change and it does not', () => {
    const first = { name: 'seq', when: { path: '/hooks' }, sequence: [{ status: 503 }, { status: 200 }] };
    const answers = open(first);
    expect(status(answers)).toBe(503);
    const other = { name: 'other', when: { path: '/x' }, answer: {} };
    answers.setRules(parseRules(JSON.stringify({ version: 1, rules: [other, first] })));
    expect(status(answers)).toBe(200);
    answers.setRules(parseRules(JSON.stringify({ version: 1, rules: [{ ...first, fail_first: 1 }] })));
    expect(status(answers)).toBe(500);
  });
});

describe('templates', () => {
  const fill = (body: unknown, one = request()): string | undefined =>
    open({ answer: { body } }).answer(one)?.answer?.body;
  it('take the webhook’s own values, as written', () => {
    expect(fill('{{method}} {{path}} {{body.amount}} {{body./list/0/k}} {{ query.b }}')).toBe(
      'POST /hooks?a=1&b=x%20y 1000.00 v x y',
    );
    expect(fill('{{header.x}}|{{body.none}}|{{body.list}}')).toBe('||[{"k":"v"}]');
    expect(fill('{{body.amount}}', request({ body: 'no json' }))).toBe('');
  });
  it('take a header in whatever case it was asked for, an object as JSON, and nothing of a path without a query', () => {
    const one = request({ headers: { 'x-trace': 't' }, body: '{"a":{"b":1.0},"c":["d"]}' });
    expect(fill('{{header.X-Trace}} {{body.a}} {{body.c}}', one)).toBe('t {"b":1.0} ["d"]');
    expect(fill('[{{query.a}}{{query.ooks}}{{query.hooks}}]', request({ path: '/hooks' }))).toBe('[]');
    expect(fill('[{{query./hooks}}]', request({ path: '/hooks' }))).toBe('[]');
  });
  it('take what stands in a query as it was meant, and as it is where it cannot be read', () => {
    const one = request({ path: '/h?flag&x=1=2&y=a+b&z=%zz&x=3&%61=n' });
    expect(fill('{{query.flag}}|{{query.x}}|{{query.y}}|{{query.z}}|{{query.a}}', one)).toBe(
      '|1=2|a b|%zz|n',
    );
  });
  it('keep JSON valid, and headers on one line', () => {
    expect(fill({ ref: '{{body.ref}}', n: 1 })).toBe('{"ref":"R\\n1","n":1}');
    const answers = open({ answer: { headers: { 'X-Ref': '{{body.ref}}' } } });
    expect(answers.answer(request())?.answer?.headers).toEqual([['X-Ref', 'R 1']]);
  });
  it('do not grow without bound', () => {
    const long = JSON.stringify({ a: 'x'.repeat(300_000) });
    expect(fill('{{body.a}}'.repeat(2000), request({ body: long }))!.length).toBe(1024 * 1024);
    const answers = open({ answer: { headers: { 'X-A': '{{body.a}}' } } });
    expect(answers.answer(request({ body: long }))?.answer?.headers[0]?.[1]).toHaveLength(4096);
  });
});
