import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ExpectationResult, ReportedExchange, RequestResult, RunSummary } from '../run-result';
import { githubReport } from './github-report';
import { script, scriptHash } from './html-page';
import { htmlReport } from './html-report';
import { jsonReport } from './json-report';
import { junitReport } from './junit-report';
import { describeEnd, describeOutcome } from './report';
import { writeSpec, writeSpecSummary } from './spec-report';
import { tapReport } from './tap-report';

const expectation = (change: Partial<ExpectationResult> = {}): ExpectationResult => ({
  text: 'status 201',
  line: 4,
  outcome: 'held',
  expected: 'status == 201',
  received: '201',
  advice: null,
  ...change,
});
const broken = expectation({ outcome: 'failed', received: '500', advice: 'Look at the log.' });
const plain = expectation({ outcome: 'failed', line: 7, text: 'body x == 1', expected: '1', received: '2' });
const untold = expectation({
  outcome: 'unfinished',
  line: 9,
  text: 'webhook',
  received: 'the run ended before',
});

const exchange = (change: Partial<ReportedExchange> = {}): ReportedExchange => ({
  id: 'e1',
  method: 'POST',
  url: 'http://h/payouts?a=1&b=2',
  requestHeaders: [['A', 'b']],
  requestBody: '{"a":1}',
  stringToSign: 'R-11000KEX',
  httpStatus: 201,
  summary: 'Accepted',
  responseHeaders: [
    ['C', 'd'],
    ['E', 'f'],
  ],
  responseBody: '{"ok":true}',
  timings: { queueMs: null, totalMs: 12.345 },
  ...change,
});

const result = (change: Partial<RequestResult> = {}): RequestResult => ({
  title: 'Salary',
  name: 'Salary',
  folder: 'Payouts',
  file: 'Payouts/Salary.http',
  line: 1,
  operation: 'payout',
  iteration: 1,
  row: null,
  outcome: 'passed',
  reason: null,
  errorCode: null,
  attempts: 1,
  reference: 'R-1',
  startedAt: 1000,
  durationMs: 1234.5678,
  expectations: [expectation()],
  exchange: exchange(),
  webhooks: [{ id: 'w1', afterMs: 20.6, headers: [['G', 'h']], body: '{"status":"SUCCESS"}' }],
  later: null,
  ...change,
});
const failed = result({ outcome: 'failed', expectations: [expectation(), broken, plain] });
const error = result({
  outcome: 'error',
  reason: 'No answer came.',
  errorCode: 'sending.timeout',
  exchange: exchange({ httpStatus: null, summary: 'no answer' }),
});
const skipped = result({
  outcome: 'skipped',
  reason: 'later',
  expectations: [],
  exchange: null,
  webhooks: [],
});
const unfinished = result({ outcome: 'unfinished', expectations: [untold], reference: null, webhooks: [] });

const summary = (change: Partial<RunSummary> = {}): RunSummary => ({
  startedAt: 0,
  durationMs: 5432.1,
  counts: { passed: 1, failed: 2, error: 3, skipped: 4, unfinished: 5 },
  expectations: { held: 6, failed: 7, unfinished: 8 },
  withoutExpectations: 9,
  isComplete: true,
  notSent: 0,
  rows: null,
  isInterrupted: false,
  worstError: 0,
  ...change,
});

describe('what came of a request', () => {
  it.each([
    ['its answer', result(), '201 Accepted'],
    ['why there is none', result({ exchange: exchange({ httpStatus: null }) }), 'Accepted'],
    ['what came of it, too', result({ later: 'failed' }), '201 Accepted, then failed'],
    ['its reason first', error, 'No answer came.'],
    ['nothing where nothing is known', result({ exchange: null }), ''],
  ])('is told in a line: %s', (_what, one, line) => expect(describeOutcome(one)).toBe(line));
});

describe('the end of a run', () => {
  it.each([
    [{}, null],
    [{ isComplete: false, notSent: 0 }, null],
    [{ isComplete: true, notSent: 3 }, null],
    [{ isInterrupted: true }, 'The run was ended while it waited; all was sent.'],
    [
      { isComplete: false, notSent: 1 },
      'The run ended with the first failure (--bail): one request was not sent.',
    ],
    [{ isInterrupted: true, notSent: 2 }, 'The run was ended: 2 requests were not sent.'],
    [
      { isInterrupted: true, notSent: 2, rows: { all: 5, notBegun: 1 } },
      'The run was ended: 2 requests were not sent, and nothing of 1 of 5 rows.',
    ],
    [
      { isInterrupted: true, notSent: 2, rows: { all: 5, notBegun: 0 } },
      'The run was ended: 2 requests were not sent.',
    ],
  ])('%j is said so', (change, words) => expect(describeEnd(summary(change))).toBe(words));
});

describe('the lines of a terminal', () => {
  const lines = (one: RequestResult): [string, string][] =>
    writeSpec(one).map(({ text, tone }) => [tone, text]);

  it.each([
    ['good', result(), '✓ Payouts › Salary  201 Accepted  (1235 ms)'],
    ['good', result({ folder: '' }), '✓ Salary  201 Accepted  (1235 ms)'],
    ['good', result({ expectations: [] }), '✓ Payouts › Salary  201 Accepted  (1235 ms, no expectations)'],
    ['good', result({ expectations: [], exchange: null }), '✓ Payouts › Salary    (1235 ms)'],
    ['good', result({ attempts: 3 }), '✓ Payouts › Salary  201 Accepted  (1235 ms, 3 attempts)'],
    ['quiet', skipped, '– Payouts › Salary  skipped: later'],
    ['quiet', { ...skipped, expectations: [expectation()] }, '– Payouts › Salary  not judged: later'],
    ['quiet', { ...skipped, reason: null }, '– Payouts › Salary  skipped: '],
    ['bad', error, '✗ Payouts › Salary  no answer  (1235 ms)'],
    ['bad', { ...error, expectations: [] }, '✗ Payouts › Salary  no answer  (1235 ms)'],
    ['bad', { ...error, exchange: null }, '✗ Payouts › Salary  not sent  (1235 ms)'],
    ['bad', failed, '✗ Payouts › Salary  201 Accepted  (1235 ms)'],
    ['quiet', unfinished, '… Payouts › Salary  201 Accepted  (1235 ms)'],
  ] as const)('%s: %j', (tone, one, line) => expect(lines(one)[0]).toEqual([tone, line]));

  it('have each failure below, with what to do', () => {
    expect(lines(failed).slice(1)).toEqual([
      ['bad', '    Payouts/Salary.http:4: status 201'],
      ['plain', '      expected status == 201'],
      ['plain', '      received 500'],
      ['plain', '      Look at the log.'],
      ['bad', '    Payouts/Salary.http:7: body x == 1'],
      ['plain', '      expected 1'],
      ['plain', '      received 2'],
    ]);
    expect(lines(error).slice(1)).toEqual([['bad', '    Payouts/Salary.http:1: No answer came.']]);
    expect(lines({ ...error, reason: null })[1]?.[1]).toBe('    Payouts/Salary.http:1: no answer');
  });

  it('have what was not judged, but for one that was stopped', () => {
    expect(lines(result({ expectations: [untold] })).slice(1)).toEqual([
      ['quiet', '    Payouts/Salary.http:9: webhook: the run ended before'],
    ]);
    expect(lines(unfinished)).toHaveLength(1);
    expect(lines(result())).toHaveLength(1);
  });

  const end = (change: Partial<RunSummary> = {}): [string, string][] =>
    writeSpecSummary(summary(change)).map(({ text, tone }) => [tone, text]);
  const none = { passed: 2, failed: 0, error: 0, skipped: 0, unfinished: 0 };

  it('end with counts, in the tone of the worst', () => {
    expect(end()).toEqual([
      ['plain', ''],
      ['bad', '1 passed, 2 failed, 3 could not be sent or had no answer, 4 skipped, 5 not finished'],
      ['plain', '6 of 13 expectations held, 8 not judged, 5.4 s'],
      ['quiet', '9 requests expect nothing: an answer of any kind passes.'],
    ]);
    const quiet = { expectations: { held: 1, failed: 0, unfinished: 0 }, withoutExpectations: 0 };
    expect(end({ ...quiet, counts: none })).toEqual([
      ['plain', ''],
      ['good', '2 passed, 0 failed'],
      ['plain', '1 of 1 expectations held, 5.4 s'],
    ]);
    expect(end({ counts: { ...none, unfinished: 1 } })[1]?.[0]).toBe('plain');
    expect(end({ counts: { ...none, error: 1 } })[1]?.[0]).toBe('bad');
    expect(end({ counts: { ...none, failed: 1 } })[1]?.[0]).toBe('bad');
    expect(end({ isInterrupted: true }).at(-1)).toEqual([
      'bad',
      'The run was ended while it waited; all was sent.',
    ]);
  });
});

describe('the JSON lines', () => {
  const read = (one: RequestResult): unknown => JSON.parse(jsonReport.part(one, 0));

  it('have all of a request', () => {
    expect(read(failed)).toEqual({
      event: 'request',
      title: 'Salary',
      name: 'Salary',
      folder: 'Payouts',
      file: 'Payouts/Salary.http',
      line: 1,
      operation: 'payout',
      iteration: 1,
      row: null,
      outcome: 'failed',
      reason: null,
      error_code: null,
      attempts: 1,
      reference: 'R-1',
      started_at: '1970-01-01T00:00:01.000Z',
      duration_ms: 1234.568,
      http_status: 201,
      summary: 'Accepted',
      later: null,
      string_to_sign: 'R-11000KEX',
      expectations: [expectation(), broken, plain],
      request: { method: 'POST', url: 'http://h/payouts?a=1&b=2', headers: [['A', 'b']], body: '{"a":1}' },
      response: {
        http_status: 201,
        headers: [
          ['C', 'd'],
          ['E', 'f'],
        ],
        body: '{"ok":true}',
        timings: { queueMs: null, totalMs: 12.345 },
      },
      webhooks: [{ id: 'w1', after_ms: 20.6, headers: [['G', 'h']], body: '{"status":"SUCCESS"}' }],
    });
  });

  it('have no answer where none came, and no request where none left', () => {
    expect(read(error)).toMatchObject({ http_status: null, response: null, request: { method: 'POST' } });
    expect(read(skipped)).toMatchObject({
      http_status: null,
      summary: null,
      string_to_sign: null,
      request: null,
      response: null,
      webhooks: [],
    });
  });

  it('end with the counts', () => {
    const { head, tail } = jsonReport.finish(summary({ rows: { all: 3, notBegun: 1 }, notSent: 2 }), 1);
    expect([head, jsonReport.start]).toEqual(['', '']);
    expect(JSON.parse(tail)).toEqual({
      event: 'summary',
      passed: 1,
      failed: 2,
      errors: 3,
      skipped: 4,
      unfinished: 5,
      expectations: { held: 6, failed: 7, unfinished: 8 },
      without_expectations: 9,
      interrupted: false,
      fault: null,
      not_sent: 2,
      rows: { all: 3, not_begun: 1 },
      started_at: '1970-01-01T00:00:00.000Z',
      duration_ms: 5432,
      exit_code: 1,
    });
    expect(JSON.parse(jsonReport.finish(summary(), 0).tail)).toMatchObject({ rows: null });
  });
});

describe('the TAP report', () => {
  it('has a point for each request, and what failed below it', () => {
    expect([tapReport.start, tapReport.part(result({ title: 'a # b\\c\n\u2028d' }), 0)]).toEqual([
      'TAP version 14\n',
      'ok 1 - Payouts: a \\# b\\\\c d\n',
    ]);
    expect(tapReport.part(skipped, 1)).toBe('ok 2 - Payouts: Salary # SKIP later\n');
    expect(tapReport.part(failed, 2).split('\n')).toEqual([
      'not ok 3 - Payouts: Salary',
      '  ---',
      '  message: "Payouts/Salary.http:4: status 201"',
      '  severity: "fail"',
      '  failures: [["Payouts/Salary.http:4: status 201","expected status == 201","received 500","Look at the log."],["Payouts/Salary.http:7: body x == 1","expected 1","received 2"]]',
      '  ...',
      '',
    ]);
    expect(tapReport.part(unfinished, 3)).toContain('message: "201 Accepted"\n  severity: "unfinished"');
    expect(tapReport.part(error, 4)).toContain('severity: "error"');
    const half = result({ outcome: 'failed', expectations: [broken, untold] });
    expect(tapReport.part(half, 5)).toContain(
      '  not_judged: ["Payouts/Salary.http:9: webhook: the run ended before"]\n  ...\n',
    );
    expect(tapReport.part(unfinished, 6)).not.toContain('not_judged');
  });

  it('says, as that of JUnit does, that nothing was run', () => {
    const counts = { passed: 0, failed: 0, error: 0, skipped: 4, unfinished: 0 };
    const expectations = { held: 0, failed: 0, unfinished: 0 };
    const nothing = summary({ counts, expectations });
    const said = 'Nothing was run: all 4 requests were skipped.';
    expect(tapReport.finish(nothing, 0).tail).toBe(`1..4\n# ${said}\n`);
    expect(junitReport.finish(nothing, 0).tail).toContain(`<system-err>${said}</system-err>`);
  });

  it('ends with its plan, and says that it was ended', () => {
    expect(tapReport.finish(summary(), 1)).toEqual({ head: '', tail: '1..15\n' });
    expect(tapReport.finish(summary({ isInterrupted: true }), 1).tail).toBe(
      '1..15\nBail out! The run was ended while it waited; all was sent.\n',
    );
  });
});

describe('the annotations of GitHub', () => {
  it('stand at the lines of what failed', () => {
    const one = { ...failed, title: 'a, b: 100%', file: 'a:b.http' };
    expect(githubReport.part(one, 0).split('\n')).toEqual([
      '::error file=a%3Ab.http,line=4,title=a%2C b%3A 100%25::status 201%0Aexpected status == 201%0Areceived 500%0ALook at the log.',
      '::error file=a%3Ab.http,line=7,title=a%2C b%3A 100%25::body x == 1%0Aexpected 1%0Areceived 2',
      '',
    ]);
    expect(githubReport.part({ ...error, expectations: [broken] }, 0)).toMatch(
      /^::error file=Payouts\/Salary\.http,line=1,title=Salary::No answer came\.\n::error file=.*,line=4,/,
    );
  });

  it('are none for what did not fail', () => {
    for (const one of [result(), skipped, unfinished]) expect(githubReport.part(one, 0)).toBe('');
  });

  it('end with the counts, and a warning where the run was ended', () => {
    const notice =
      '::notice title=countersign run::1 passed, 2 failed, 3 errors, 4 skipped, 5 not finished\n';
    expect(githubReport.finish(summary(), 1)).toEqual({ head: '', tail: notice });
    const { unfinished: _left, ...counts } = summary().counts;
    expect(githubReport.finish(summary({ counts: { ...counts, unfinished: 0 } }), 1).tail).toBe(
      notice.replace(', 5 not finished', ''),
    );
    const fault = 'No room in 50%0A\n::error::x.';
    expect(githubReport.finish(summary({ isComplete: false, notSent: 1, fault }), 1).tail).toContain(
      `one request was not sent. No room in 50%250A%0A`,
    );
    expect(githubReport.finish(summary({ isInterrupted: true }), 1).tail).toBe(
      `::warning title=countersign run::The run was ended while it waited; all was sent.\n${notice}`,
    );
  });
});

describe('the JUnit report', () => {
  it('tells of each request what it sent, got and expected', () => {
    const part = junitReport.part({ ...result(), expectations: [expectation(), untold] }, 0);
    expect(part).toContain('<testcase name="Salary" classname="Payouts" time="1.235"><system-out>');
    expect(/<system-out>([^<]*)/.exec(part)?.[1]?.split('\n')).toEqual([
      'POST http://h/payouts?a=1&amp;b=2',
      '201 Accepted',
      'reference R-1',
      'string to sign R-11000KEX',
      'held status 201',
      'unfinished webhook: the run ended before',
      'webhook after 21 ms: {&quot;status&quot;:&quot;SUCCESS&quot;}',
    ]);
    expect(junitReport.part(skipped, 0)).toContain(
      '<skipped message="later"/><system-out>later\nreference R-1<',
    );
    expect(junitReport.part({ ...skipped, reason: null, reference: null, folder: '' }, 0)).toContain(
      'classname="." time="1.235"><skipped message=""/><system-out></system-out>',
    );
  });

  it('says what failed in a line and in whole', () => {
    const part = junitReport.part(failed, 0);
    expect(part).toContain(
      '<failure message="Payouts/Salary.http:4: status 201, expected status == 201, received 500" type="expectation">',
    );
    expect(part).toContain('Look at the log.\n\nPayouts/Salary.http:7: body x == 1');
    expect(junitReport.part(error, 0)).toContain(
      '<error message="Payouts/Salary.http:1: No answer came." type="sending.timeout">',
    );
    expect(junitReport.part({ ...error, errorCode: null }, 0)).toContain('type="error"');
    expect(junitReport.part(unfinished, 0)).toContain('<error message="201 Accepted" type="unfinished">');
  });

  it('cuts the body of a webhook, and says that the run was ended', () => {
    const webhooks = [{ id: 'w', afterMs: 0, headers: [], body: 'x'.repeat(3000) }];
    expect(/x{1000,}/.exec(junitReport.part({ ...result(), webhooks }, 0))?.[0]).toHaveLength(2000);
    const { head, tail } = junitReport.finish(summary({ isInterrupted: true }), 1);
    const totals = 'tests="15" failures="2" errors="8" time="5.432"';
    expect(head).toContain(`<testsuites name="countersign run" ${totals}>`);
    expect(tail).toContain('<system-err>The run was ended while it waited; all was sent.</system-err>');
    expect(junitReport.finish(summary(), 1).tail).toBe('  </testsuite>\n</testsuites>\n');
  });
});

describe('the page', () => {
  it('has what was signed, sent, received and expected of each request', () => {
    const part = htmlReport.part(failed, 0);
    expect(part).toMatch(/^<details class="failed" data-outcome="failed" open><summary><b>failed<\/b>/);
    for (const piece of [
      '<span><bdi>Payouts</bdi> › <bdi>Salary</bdi></span>',
      '<i>201 Accepted</i> <small>1235 ms</small>',
      '<p><bdi dir="ltr">Payouts</bdi>/<bdi dir="ltr">Salary.http:1</bdi>, reference <bdi>R-1</bdi></p>',
      '<tr class="held"><td>held</td><td><code>status 201</code><small><bdi dir="ltr">Payouts</bdi>/<bdi dir="ltr">Salary.http:4</bdi></small></td><td>status == 201</td><td>201</td><td></td></tr>',
      '<td>500</td><td>Look at the log.</td></tr>',
      '<h2>String to sign</h2><pre>R-11000KEX</pre>',
      '<h2>Request</h2><pre>POST http://h/payouts?a=1&amp;b=2\nA: b\n\n{&quot;a&quot;:1}</pre>',
      '<h2>Answer</h2><pre>201\nC: d\nE: f\n\n{&quot;ok&quot;:true}</pre>',
      '<h2>Timings</h2><pre>total 12.3 ms</pre>',
      '<h2>Webhook after 21 ms</h2><pre>G: h\n\n{&quot;status&quot;:&quot;SUCCESS&quot;}</pre>',
    ]) {
      expect(part).toContain(piece);
    }
  });

  it('opens what failed alone, and has no more of it than there is', () => {
    expect(htmlReport.part(error, 0)).toContain('data-outcome="error" open>');
    expect(htmlReport.part(error, 0)).toContain('<h2>Answer</h2><pre>no answer\n');
    for (const one of [result(), skipped, unfinished])
      expect(htmlReport.part(one, 0)).not.toContain(' open>');
    const bare = htmlReport.part({ ...skipped, folder: '', reference: null }, 0);
    expect(bare).toContain('<span><bdi>Salary</bdi></span>');
    expect(bare).toContain(
      '<p><bdi dir="ltr">Payouts</bdi>/<bdi dir="ltr">Salary.http:1</bdi></p></details>',
    );
    const silent = exchange({ stringToSign: null, requestBody: null, responseBody: '', timings: null });
    const part = htmlReport.part(result({ exchange: silent, webhooks: [] }), 0);
    expect(part).not.toMatch(/<h2>(?:String to sign|Timings|Webhook)/);
    expect(part).toContain('<pre>POST http://h/payouts?a=1&amp;b=2\nA: b</pre>');
    expect(part).toContain('<pre>201\nC: d\nE: f</pre>');
    const webhooks = [{ id: 'w', afterMs: 1, headers: [['G', 'h']] as [string, string][], body: '' }];
    expect(htmlReport.part(result({ webhooks }), 0)).toContain('<pre>G: h</pre>');
  });

  it('begins with the counts, by which it is filtered', () => {
    const { head, tail } = htmlReport.finish(summary({ isInterrupted: true }), 1);
    expect(head).toContain(
      '6 of 13 expectations held, 8 not judged, 5.4 s, <time>1970-01-01T00:00:00.000Z</time>',
    );
    expect(head).toContain('<p class="ended">The run was ended while it waited; all was sent.</p>');
    expect(
      [...head.matchAll(/value="(\w+)" checked> (\d+) /g)].map(([, name, count]) => [name, count]),
    ).toEqual([
      ['failed', '2'],
      ['error', '3'],
      ['unfinished', '5'],
      ['passed', '1'],
      ['skipped', '4'],
    ]);
    expect(tail.endsWith('</html>\n')).toBe(true);
    expect(htmlReport.finish(summary(), 0).head).not.toContain('class="ended"');
  });

  it('takes nothing of a name, a header or a body for markup', () => {
    const odd = '<img src=x onerror=alert(1)>';
    const one = result({
      title: odd,
      folder: odd,
      file: odd,
      reason: odd,
      reference: odd,
      expectations: [expectation({ text: odd, expected: odd, received: odd, advice: odd })],
      exchange: exchange({
        url: odd,
        requestHeaders: [[odd, odd]],
        requestBody: odd,
        responseBody: odd,
        stringToSign: odd,
      }),
      webhooks: [{ id: odd, afterMs: 1, headers: [[odd, odd]], body: odd }],
    });
    expect(htmlReport.part(one, 0)).not.toContain('<img');
  });
});

it('has the policy of its page run its own script alone', () => {
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  expect(scriptHash).toBe(`sha256-${hash}`);
});
