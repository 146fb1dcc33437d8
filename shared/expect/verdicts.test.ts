import { describe, expect, it } from 'vitest';
import { expectCaptured, readCapture } from './captures';
import { judgeAnswer, type AnswerExpectation, type ReceivedAnswer } from './judge-answer';
import { judgeBalance, judgeNoWebhook, judgeState, judgeWebhooks } from './judge-waits';
import { readExpectation } from './read-expectation';
import { readJudged } from './read-judged';

const facts = (body: string, change: Partial<ReceivedAnswer> = {}): ReceivedAnswer => ({
  operation: 'payout',
  httpStatus: 201,
  headers: [],
  body,
  ...readJudged(body),
  isUnread: false,
  totalMs: 1,
  summary: '',
  outcome: null,
  signature: null,
  ...change,
});
const fill = (text: string): string =>
  text.replaceAll('{{much}}', '1e3').replaceAll('{{broken}}', '/(/').replaceAll('{{list}}', '1,2');
const help = { fill, readExample: (text: string) => ({ text }) };

function read(line: string) {
  const found = readExpectation(line);
  if ('fault' in found) throw new Error(`${line}: ${found.fault.message}`);
  return found.expectation;
}

const judge = (line: string, body: string, change?: Partial<ReceivedAnswer>) =>
  judgeAnswer(read(line) as AnswerExpectation, facts(body, change), help);

describe('what a value is', () => {
  const uuid = '550e8400-e29b-41d4-a716-446655440000';
  it.each([
    ['null', ['null'], ['"null"', 'false', '0']],
    ['boolean', ['true', 'false'], ['null', '"true"', '1']],
    ['uuid', [`"${uuid}"`, `"${uuid.toUpperCase()}"`], [`"x${uuid}"`, `"${uuid}x"`, '550']],
    [
      'iso-date',
      [
        '"2030-12-01"',
        '"2028-02-29"',
        '"2030-10-19T23:59"',
        '"2030-01-31 12:00:00Z"',
        '"2030-01-31T09:00:00.123456789+03:00"',
        '"2030-01-31T20:00:00-0300"',
      ],
      [
        '"2030-02-30"',
        '"2030-13-01"',
        '"2030-00-10"',
        '"2030-01-00"',
        '"2030-01-32"',
        '"2030-01-31T24:00"',
        '"2030-01-31T12:60"',
        '"2030-01-31T12"',
        '"2030-01-31T12:00:00."',
        '"2030-01-31T12:00:00.1234567890"',
        '"2030-01-31T12:00:00+3"',
        '"on 2030-01-31"',
        '"2030-01-31 or so"',
        '20300131',
      ],
    ],
  ])('%s: %j, and not %j', (kind, those, others) => {
    for (const value of those) expect(judge(`body a is ${kind}`, `{"a":${value}}`).isHeld, value).toBe(true);
    for (const value of others)
      expect(judge(`body a is ${kind}`, `{"a":${value}}`).isHeld, value).toBe(false);
  });
});

const long = '1'.repeat(70);
const failures: [line: string, body: string, expected: string, received: string, advice: string][] = [
  ['body a < 5', '{"a":"x"}', 'body a < 5', '"x"', 'It is no number. Look at a in the answer.'],
  ['body a < 5', '{"a":[]}', 'body a < 5', '[]', 'It is no number. Look at a in the answer.'],
  [
    'body a < x',
    '{"a":1}',
    'body a < x',
    '1',
    "'x' is no number, so nothing is < it. Look at a in the answer.",
  ],
  [
    'body a <= 5',
    `{"a":${long}}`,
    'body a <= 5',
    long,
    'It has over 60 digits, which is too long to compare. Look at a in the answer.',
  ],
  ['body a matches /x/', '{"a":[1]}', 'body a matches /x/', '[1]', 'It is no text. Look at a in the answer.'],
  ['body a matches /x/', '{"a":{}}', 'body a matches /x/', '{}', 'It is no text. Look at a in the answer.'],
  ['body a in 1,"b c"', '{"a":2}', 'body a in 1, "b c"', '2', 'Look at a in the answer.'],
  ['body a not in 1,2', '{"a":2}', 'body a not in 1, 2', '2', 'Look at a in the answer.'],
  ['body a == {{much}}', '{"a":999}', 'body a == 1e3', '999', 'Look at a in the answer.'],
  ['body a in 1,{{much}}', '{"a":999}', 'body a in 1, 1e3', '999', 'Look at a in the answer.'],
  ['body a is not number', '{"a":2}', 'body a not is number', '2', 'Look at a in the answer.'],
  ['body a is string', '{"a":2}', 'body a is string', '2', 'Look at a in the answer.'],
  ['body a not exists', '{"a":2}', 'body a not exists', '2', 'Look at a in the answer.'],
  ['body not exists', '{}', 'body not exists', '"{}"', 'Compare the body with what is expected.'],
  [
    'body a.b exists',
    '{"a":[1,2]}',
    'body a.b exists',
    'nothing there',
    'Look at a.b in the answer. Here a is a list of 2.',
  ],
  [
    'body a.b == 1',
    '{"a":7}',
    'body a.b == 1',
    'nothing there',
    'It is not there. Look at a.b in the answer. Here a is no object.',
  ],
  [
    'body a exists',
    '{}',
    'body a exists',
    'nothing there',
    'Look at a in the answer. Here its top has nothing.',
  ],
  [
    'body a exists',
    'x',
    'body a exists',
    'nothing there',
    'Look at a in the answer. Here the body is not JSON.',
  ],
  [
    'body a exists',
    ' ',
    'body a exists',
    'nothing there',
    'Look at a in the answer. Here the body is empty.',
  ],
  [
    'body a exists',
    `${'['.repeat(300)}${']'.repeat(300)}`,
    'body a exists',
    'nothing there',
    'Look at a in the answer. Here the body is nested deeper than 256 levels, which is not judged.',
  ],
  [
    'body a.b.c exists',
    '{"a":{"b":{"x":1,"y":2}}}',
    'body a.b.c exists',
    'nothing there',
    'Look at a.b.c in the answer. Here a.b has x, y.',
  ],
  [
    'time <= 1ms',
    '',
    'time <= 1 ms',
    '1.5 ms',
    'Look at the phases of the exchange: connecting, first byte, download.',
  ],
  ['body a in {{list}},3', '{"a":1}', 'body a in "1,2", 3', '1', 'Look at a in the answer.'],
  [
    'body a matches {{broken}}',
    '{"a":"x"}',
    'a pattern',
    "This '(' is never closed.",
    'Correct the value that the variable gives.',
  ],
];

describe('a failure', () => {
  it.each(failures)('of %s for %s', (line, body, expected, received, advice) => {
    expect(judge(line, body, { totalMs: 1.5 })).toEqual({ isHeld: false, expected, received, advice });
  });

  it.each([
    ['body a < 5', '{"a":"+4"}', true],
    ['body a < 5', '{"a":"4+"}', false],
    ['body a > 5', '{"a":5}', false],
    ['body a == +5', '{"a":5.0}', true],
    ['body a == {"b":1', '{"a":{"b":1}}', false],
    ["body a == 'it's'", `{"a":"it's"}`, true],
    ["body a == '", `{"a":"'"}`, true],
    ['body a == "', '{"a":"\\""}', true],
    ['body a == "\\x"', '{"a":"\\\\x"}', true],
    ["body a == x'y'", `{"a":"x'y'"}`, true],
    ["body a in 'b,c','d'", '{"a":"b,c"}', true],
    ['body a in "b\\"c,d"', '{"a":"b\\"c,d"}', true],
    ['body a >4', '{"a":5}', true],
    ['body a matches x/y/', '{"a":"x/y/"}', true],
  ])('%s for %s: %s', (line, body, isHeld) => {
    expect(judge(line, body).isHeld).toBe(isHeld);
  });
});

describe('schema: what is said of an answer in another form', () => {
  const ok = '"status":"200.100","code":"ACCEPTED","description":"x"';
  it.each([
    ['payout', 400, '[]', 'the body is array, not object'],
    ['payout', 400, '{"error":null,"message":"x"}', 'error is null, not string'],
    ['payout', 400, '{"error":true,"message":"x"}', 'error is boolean, not string'],
    ['payout', 400, '{"error":"bad"}', 'message is missing'],
    ['payout', 400, '{"error":"bad","message":"x","more":1}', 'more is not in the interface'],
    ['send_test', 200, `{${ok},"data":{}}`, 'data.delivery_id is missing'],
    ['send_test', 200, `{${ok},"data":{"delivery_id":1}}`, 'data.delivery_id is number, not string'],
    [
      'status',
      404,
      '{"status":"NOT_FOUND","code":"404.001.000","description":"x","data":{"a":1}}',
      'data should be empty',
    ],
    [
      'balances',
      200,
      '{"code":201,"status":"SUCCESS","description":"x","results":[]}',
      'code is 201, not 200',
    ],
    [
      'token',
      200,
      '{"access_token":"a.b.c","token_type":"Bearer","expires_in":1.5,"product":"payout"}',
      'expires_in is number, not integer',
    ],
    [
      'token',
      200,
      '{"access_token":"a.b.c","token_type":"Bearer","expires_in":0,"product":"payout"}',
      'expires_in is below 1',
    ],
    ['payout', 400, 'x', 'the body is not JSON'],
  ])('of %s, answered %i with %s: %s', (operation, httpStatus, body, received) => {
    const verdict = judge(`schema ${operation}`, body, { httpStatus });
    expect(verdict).toMatchObject({
      isHeld: false,
      expected: `an answer of ${operation} as the interface has it`,
    });
    expect(verdict.received).toContain(received);
  });
});

describe('same as example', () => {
  const compare = (text: string, body: string) =>
    judgeAnswer({ kind: 'same', example: 'e', ignoring: [] }, facts(body), {
      fill,
      readExample: () => ({ text }),
    });
  const number =
    'The same number, written in another way: correct the example, or compare this value by itself.';
  const changes = (place: string): string =>
    `Correct the example, or add 'ignoring ${place}' where it changes each time.`;

  const parts = 'Correct the example, or compare parts of the answer with `body`.';

  it.each([
    ['{"a":[1,{"b":1}]}', '{"a":[1,{"b":2}]}', 'a.1.b 1', '2', changes('a.1.b')],
    ['{"a":{}}', '{"a":1}', 'a {}', '1', changes('a')],
    ['{"a":1}', '{"a":{"b":1}}', 'a 1', '{"b":1}', changes('a')],
    ['{"a":[1]}', '{"a":1}', 'a [1]', '1', changes('a')],
    ['{"a":1}', '{"a":[1]}', 'a 1', '[1]', changes('a')],
    ['{"a":{}}', '{"a":[]}', 'a {}', '[]', changes('a')],
    ['{"a":{}}', '{}', 'a {}', 'nothing there', changes('a')],
    ['{}', '{"a":[]}', 'no a', '[]', changes('a')],
    ['{}', '{"a":1}', 'no a', '1', changes('a')],
    ['[1]', '[1,2]', 'no 1', '2', changes('1')],
    ['{"a":"1"}', '{"a":1}', 'a "1"', '1', changes('a')],
    ['{"a":"null"}', '{"a":null}', 'a "null"', 'null', changes('a')],
    ['{"a":1.0}', '{"a":1}', 'a 1.0', '1', number],
    [`{"a":${long}}`, `{"a":${long}0}`, `a ${long}`, `${long}0`, changes('a')],
    [`{"a":1}`, `{"a":${long}}`, 'a 1', long, changes('a')],
    [`{"a":${long}}`, '{"a":1}', `a ${long}`, '1', changes('a')],
    ['1', '2', 'the whole 1', '2', parts],
    ['{"a,b":1}', '{"a,b":2}', 'a,b 1', '2', parts],
    ['{"{{a}}":1}', '{"{{a}}":2}', '{{a}} 1', '2', parts],
    ['{"a.b":{"":[1]}}', '{"a.b":{"":[2]}}', '/a.b//0 1', '2', changes('/a.b//0')],
  ])('%s, answered with %s', (text, body, expected, received, advice) => {
    expect(compare(text, body)).toEqual({
      isHeld: false,
      expected: `the same as example e: ${expected}`,
      received,
      advice,
    });
  });

  it.each(['a', 'a.b', '', '/', '~1', 'a b', '[0]', '"x"', '*', 'a[1]'])(
    'names the place of the member %j so that a line which leaves it out holds',
    (key) => {
      const [text, body] = [1, 2].map((value) => JSON.stringify({ m: { [key]: value } }));
      const told = compare(text!, body!).advice;
      const place = /'(ignoring .*)'/.exec(told ?? '')?.[1] ?? '';
      const read = readExpectation(`same as example e ${place}`);
      const found = 'expectation' in read && read.expectation;
      expect(
        judgeAnswer(found as AnswerExpectation, facts(body!), { fill, readExample: () => ({ text: text! }) }),
      ).toMatchObject({ isHeld: true });
    },
  );

  it('compares texts that are no JSON as texts', () => {
    expect(compare(' gone ', 'gone')).toEqual({
      isHeld: true,
      expected: 'the same as example e',
      received: 'the same text',
      advice: null,
    });
    expect(compare('gone', 'come')).toMatchObject({
      isHeld: false,
      received: 'the example is not JSON',
      advice: 'Compare the two texts.',
    });
    expect(compare('{}', 'come')).toMatchObject({ isHeld: false, received: 'the answer is not JSON' });
    expect(compare('{"b":1,"a":1}', '{"a":1,"b":1}')).toMatchObject({ isHeld: true, received: 'the same' });
  });
});

describe('a capture', () => {
  const capture = (text: string) => {
    const found = readCapture(text);
    if ('fault' in found) throw new Error(found.fault.message);
    return found.capture;
  };

  it('expects that there is something to take', () => {
    const comparison = { operator: 'exists', isNegated: false };
    const path = { typed: 'a.b', keys: ['a', 'b'] };
    expect(expectCaptured(capture('x = header X-Id'), 5)).toEqual({
      kind: 'header',
      name: 'X-Id',
      comparison,
    });
    expect(expectCaptured(capture('x = body a.b'), 5)).toEqual({ kind: 'body', path, comparison });
    expect(expectCaptured(capture('x = webhook a.b'), 5)).toEqual({
      kind: 'webhook',
      withinMs: 5,
      count: null,
      conditions: [{ subject: path, comparison }],
    });
  });

  it('has a name of letters, digits, dots and hyphens, and blanks where one likes', () => {
    expect(capture('  a.b-c_1  =  body   a.b  ')).toMatchObject({ name: 'a.b-c_1' });
    for (const text of ['1a = body a', 'a b = body a', '(a = body a'])
      expect(readCapture(text)).toHaveProperty('fault');
    expect(readCapture('long = nothing')).toMatchObject({ fault: { start: 0, end: 14 } });
    expect(readCapture('')).toMatchObject({ fault: { start: 0, end: 1 } });
    expect(readCapture(`a = ${'b'.repeat(500)} c`)).toMatchObject({
      fault: {
        message: `There is nothing to capture from '${'b'.repeat(30)}': use body, header or webhook.`,
      },
    });
  });
});

const webhook = (body: string) => ({ id: 'w', receivedAt: 0, headers: [], body, ...readJudged(body) });

describe('what came instead', () => {
  const waited = (line: string, bodies: string[]) => {
    const expectation = read(line);
    const webhooks = bodies.map(webhook);
    if (expectation.kind === 'webhook') return judgeWebhooks(expectation, webhooks, true, fill);
    if (expectation.kind === 'no_webhook') return judgeNoWebhook(expectation, webhooks, true);
    throw new Error(line);
  };
  const other = 'A webhook came with other values: look at the payment, or correct the expectation.';
  const more =
    'Look at the webhooks of this payment, or correct the count; what comes after the window is not counted.';
  const stopped = 'Look at the webhook: the payment was not stopped where it should have been.';
  const failed = '{"status":"FAILED","a":1}';

  it.each([
    ['webhook within 90s', [], 'webhook within 90 s', 'none', /^See that callback_url leads/],
    [
      'webhook within 1s status == SUCCESS body a == {{much}}',
      [failed, 'x', ''],
      'webhook within 1 s status == SUCCESS body a == 1e3',
      'status "FAILED", a 1; a body that is not JSON; a body that is empty',
      other,
    ],
    [
      'webhook within 1s count == 1',
      [failed, failed],
      'webhook within 1 s count == 1',
      '2 of 2 (status "FAILED"; status "FAILED")',
      more,
    ],
    [
      'webhook within 1s count == 2 body a == 1',
      [failed, '{}'],
      'webhook within 1 s count == 2 body a == 1',
      '1 of 2 (a 1; no a)',
      more,
    ],
    [
      'webhook within 1s body a not == 1',
      ['x'],
      'webhook within 1 s body a not == 1',
      'a body that is not JSON',
      other,
    ],
    ['no webhook for 500ms', [failed], 'no webhook for 0.5 s', 'status "FAILED"', stopped],
    [
      'no webhook for 1s',
      Array<string>(9).fill('{}'),
      'no webhook for 1 s',
      Array(5).fill('no status').join('; '),
      stopped,
    ],
  ])('%s after %j', (line, bodies, expected, received, advice) => {
    expect(waited(line, bodies)).toEqual({
      isHeld: false,
      expected,
      received,
      advice: expect.stringMatching(advice) as string,
    });
  });

  it('tells what came where it holds, and that a pattern cannot be read before any came', () => {
    expect(waited('webhook within 1s status == FAILED', ['{}', failed])).toEqual({
      isHeld: true,
      expected: 'webhook within 1 s status == FAILED',
      received: 'status "FAILED"',
      advice: null,
    });
    expect(waited('no webhook for 1s', [])).toMatchObject({ isHeld: true, received: 'none' });
    for (const bodies of [[], ['{"a":"x"}']]) {
      const verdict = waited('webhook within 1s body a matches {{broken}}', bodies);
      expect(verdict).toMatchObject({ isHeld: false, expected: 'a pattern' });
    }
  });

  it('says of a state whether it may still change', () => {
    const expectation = read('state within 30s == succeeded');
    if (expectation.kind !== 'state') throw new Error('no state');
    const say = (state: string | null) => judgeState(expectation, { state, why: 'not found' }, true, fill);
    const expected = 'state within 30 s == succeeded';
    expect(say('failed')).toMatchObject({
      expected,
      received: 'failed',
      advice: expect.stringContaining('is final') as string,
    });
    for (const state of ['processing', null]) {
      expect(say(state)).toMatchObject({
        expected,
        received: state ?? 'not found',
        advice: expect.stringContaining('Ask again later') as string,
      });
    }
  });

  it('says of a balance how it changed', () => {
    const say = (line: string, before: string, now: string) => {
      const expectation = read(line);
      if (expectation.kind !== 'balance') throw new Error('no balance');
      return judgeBalance(expectation, { before, now, currency: 'KES' }, true, fill);
    };
    expect(say('balance changes by +5 within 2s', '1.50', '6')).toMatchObject({
      isHeld: false,
      expected: 'balance changes by 5 within 2 s',
      received: expect.stringMatching(/^4\.50? KES \(1\.50 → 6\)$/) as string,
    });
    expect(say('balance changes by 5 within 2s', 'x', '6')).toMatchObject({
      isHeld: false,
      received: 'unreadable KES (x → 6)',
    });
    expect(say('balance changes by {{broken}} within 2s', '1', '6')).toMatchObject({
      isHeld: false,
      advice: "'/(/' is no amount: write -1515 or 20.50.",
    });
    expect(say('balance changes by {{much}} within 2s', '0', '1000')).toMatchObject({ isHeld: true });
  });
});

describe('what is said of a whole answer', () => {
  const headers: [string, string][] = [
    ['A', '1'],
    ['B', 'x'],
    ['b', 'y'],
  ];
  const correct = 'Correct the expectation, or ask the service.';
  it.each([
    ['status 200', '201 Accepted', 'status == 200', null],
    ['header b == z', 'x, y', 'header b == z', correct],
    ['header C exists', 'no such header', 'header C exists', 'The answer has these headers: A, B, b.'],
    ['header C != 1', 'no such header', 'header C != 1', 'The answer has these headers: A, B, b.'],
    ['time < 1ms', '1.0 ms', 'time < 1 ms', null],
    ['time > 1ms', '1.0 ms', 'time > 1 ms', null],
    ['time < 0.001ms', '1.0 ms', 'time < 0.001 ms', null],
  ])('%s: %s', (line, received, expected, advice) => {
    const verdict = judge(line, '', { headers, summary: 'Accepted' });
    expect(verdict).toMatchObject({ isHeld: false, received, ...(advice === null ? {} : { advice }) });
    expect(verdict.expected).toContain(expected.slice(0, 6));
  });

  it('holds a time at its very limit where that counts', () => {
    expect(judge('time <= 1ms', '').isHeld).toBe(true);
    expect(judge('time >= 1ms', '').isHeld).toBe(true);
    expect(judge('status 201', '').received).toBe('201');
    expect(judge('header C not exists', '', { headers }).isHeld).toBe(true);
  });

  it.each([
    ['body == [1, 2]', '[1,2]', true],
    ['body == {"a":1}', '{ "a": 1.0 }', true],
    ['body != {"a":1}', '{"a":2}', true],
    ['body == 1.0', '1', false],
    ['body == "x"', 'x', true],
    ['body == x', 'x', true],
    ['body is number', '1', true],
    ['body is string', 'x', true],
    ['body is object', 'x', false],
    ['body contains a', '{"b":"a"}', true],
    ['body exists', '', false],
    ['body exists', ' ', true],
    ['body exists', '{}', true],
  ])('%s for %j: %s', (line, body, isHeld) => {
    expect(judge(line, body).isHeld).toBe(isHeld);
  });

  it('judges nothing of a body that is not what the service said, but that there is one', () => {
    const unread = { tree: null, whyUnread: 'cut', isUnread: true };
    for (const line of ['body a exists', 'body a not exists', 'body == x', 'schema payout']) {
      expect(judge(line, 'x', unread)).toMatchObject({ isHeld: false, received: 'an answer that is cut' });
    }
    expect(judge('body exists', 'x', unread)).toMatchObject({ isHeld: true });
    expect(judgeAnswer({ kind: 'same', example: 'x', ignoring: [] }, facts('x', unread), help)).toMatchObject(
      { isHeld: false, received: 'an answer that is cut' },
    );
    expect(judge('status 201', 'x', unread)).toMatchObject({ isHeld: true });
  });
});
