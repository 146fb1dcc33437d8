import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/sending';
import { isSecretCapture, readCapture, takeCapture } from './captures';
import { coversPath, readJsonPath } from './json-path';
import { judgeAnswer, readReceivedAnswer, type AnswerExpectation, type ReceivedAnswer } from './judge-answer';
import { judgeState, judgeWebhooks } from './judge-waits';
import { readExpectation } from './read-expectation';
import { readJudged } from './read-judged';

function exchange(change: Partial<Exchange> | null, response: object = {}): Exchange {
  const answer = { httpStatus: 201, headers: [], body: '{"a":1}', sizeBytes: 7, isCut: false, ...response };
  return { operation: 'payout', response: answer, reading: null, timings: null, ...change } as never;
}

describe('an answer as it came', () => {
  it('is judged by its body, its time and what it means', () => {
    const reading = { title: 'Accepted', description: 'It is on its way.' };
    expect(readReceivedAnswer(exchange({ reading, timings: { totalMs: 12.5 } } as never))).toEqual({
      operation: 'payout',
      httpStatus: 201,
      headers: [],
      body: '{"a":1}',
      ...readJudged('{"a":1}'),
      isUnread: false,
      totalMs: 12.5,
      summary: 'Accepted: It is on its way.',
      outcome: null,
      signature: null,
    });
    expect(readReceivedAnswer(exchange({ response: null }))).toBeNull();
    expect(readReceivedAnswer(exchange({}))).toMatchObject({ totalMs: 0, summary: '' });
    const titled = { reading: { title: 'Accepted', description: '' } } as never;
    expect(readReceivedAnswer(exchange(titled))).toMatchObject({ summary: 'Accepted' });
  });

  it.each([
    [{ isCut: true }, 'too long to be judged (more than the 0 KiB that are read)'],
    [
      { headers: [['Content-Encoding', 'br']] },
      'compressed (br) and not unpacked: send Accept-Encoding: identity',
    ],
    [
      { headers: [['Content-Encoding', 'gzip, '.repeat(9)]] },
      `compressed (${'gzip, '.repeat(6)}gzip…) and not unpacked: send Accept-Encoding: identity`,
    ],
  ])('has nothing to look into where its text is not what the service said: %j', (response, whyUnread) => {
    expect(readReceivedAnswer(exchange({}, response))).toMatchObject({
      tree: null,
      whyUnread,
      isUnread: true,
    });
  });
});

const facts = (body: string, change: Partial<ReceivedAnswer> = {}): ReceivedAnswer => ({
  ...readReceivedAnswer(exchange({}, { body }))!,
  ...change,
});
const fill = (text: string): string => text;
const help = { fill, readExample: (text: string) => ({ text }) };

function read(line: string) {
  const found = readExpectation(line);
  if ('fault' in found) throw new Error(`${line}: ${found.fault.message}`);
  return found.expectation;
}

const judge = (line: string, body: string, change?: Partial<ReceivedAnswer>) =>
  judgeAnswer(read(line) as AnswerExpectation, facts(body, change), help);

describe('a path', () => {
  const list = `{"list":[${Array.from({ length: 12 }, (_, at) => at).join(',')}],"s":"xy","none":null}`;
  it.each([
    ['body list[11] == 11', true],
    ['body list.11 == 11', true],
    ['body list.x1 exists', false],
    ['body list.1x exists', false],
    ['body list.0000000001 exists', false],
    ['body s.0 exists', false],
    ['body s.length exists', false],
    ['body none.a exists', false],
  ])('leads to what stands there and to nothing else: %s is %s', (line, isHeld) => {
    expect(judge(line, list).isHeld).toBe(isHeld);
  });

  it('means the places of its own length', () => {
    const covers = (typed: string, place: string[]) => coversPath(readJsonPath(typed)!, place);
    expect(covers('a.*', ['a', 'b'])).toBe(true);
    expect(covers('a.*', ['a', 'b', 'c'])).toBe(false);
    expect(covers('a', ['a', 'b'])).toBe(false);
    expect(covers('a.b', ['a'])).toBe(false);
  });
});

describe('what is equal', () => {
  it.each([
    ["body a == '1.0'", '1', false],
    ["body a == '1'", '1', true],
    ["body a == 'null'", 'null', false],
    ['body a == "\\u"', '"\\\\u"', true],
    ['body a == "\\u"', '1', false],
    ['body a == x', '{}', false],
    ['body a == {}', '{}', true],
    ['body a <= 5', '5', true],
    ['body a < 5', '5', false],
    ['body a is uuid', '550', false],
    ['body a is iso-date', '["2030-01-01"]', false],
    ['body a >4', '5', true],
    ['body a !=x', '"y"', true],
    ['body a ==x', '"x"', true],
    ['body a matches x/i', '"x/i"', true],
    ['body a matches /x/i y', '"/X/i y"', false],
    ['body a == "x" y', '"\\"x\\" y"', true],
    ["body a == 'x' y", `"'x' y"`, true],
    ['body a in "x" y,z', '"\\"x\\" y"', true],
  ])('%s where %s stands: %s', (line, value, isHeld) => {
    expect(judge(line, `{"a":${value}}`).isHeld).toBe(isHeld);
  });

  it('takes an answer for the example where both are the same text, but for white space around it', () => {
    const same = { kind: 'same', example: ' gone', ignoring: [] } as const;
    expect(judgeAnswer(same, facts('gone\n'), help)).toMatchObject({ received: 'the same text' });
  });

  it('says no more than twenty headers and twelve members, however many there are', () => {
    const many = Array.from({ length: 40 }, (_, at) => `h${at}`);
    const headers = many.map((name): [string, string] => [name, 'x']);
    expect(judge('header none exists', '', { headers }).advice).toMatch(/h19 and 20 more\.$/);
    expect(judge('header none exists', '', { headers: [] }).advice).toBe('The answer has no headers.');
    const body = `{${many.map((name) => `"${name}":1`).join(',')}}`;
    expect(judge('body none exists', body).advice).toMatch(/h11 and 28 more\.$/);
  });
});

const token = (change: object) =>
  JSON.stringify({
    access_token: 'a.b.c',
    token_type: 'Bearer',
    expires_in: 1,
    product: 'payout',
    ...change,
  });
const wallet = { currency: 'KES', actual_balance: 1, available_balance: 1, status: 'ACTIVE' };
const wallets = (...results: unknown[]) =>
  JSON.stringify({ code: 200, status: 'SUCCESS', description: 'x', results });
const refused = (data: unknown) =>
  JSON.stringify({ status: 'REJECTED', code: '400.100', description: 'x', data });

describe('schema', () => {
  it.each([
    ['token', 200, token({}), null],
    ['token', 200, token({ product: 'payouts' }), 'product is "payouts", not one of payout, '],
    ['token', 200, token({ product: null }), 'product is null, not one of '],
    ['token', 200, token({ access_token: 'a.b' }), 'access_token is "a.b", which has another form'],
    ['token', 200, token({ access_token: 1 }), 'access_token is number, not string'],
    ['token', 200, token({ token_type: 1 }), 'token_type is 1, not "Bearer"'],
    ['token', 200, token({ expires_in: '5' }), 'expires_in is string, not integer'],
    ['balances', 200, wallets(), null],
    ['balances', 200, wallets(wallet, { ...wallet, alert_limit: null }), null],
    ['balances', 200, wallets({ ...wallet, alert_limit: 5 }), null],
    [
      'balances',
      200,
      wallets({ ...wallet, alert_limit: '5' }),
      'results.0.alert_limit is string, not number or null',
    ],
    [
      'balances',
      200,
      wallets(wallet, { ...wallet, status: 'GONE' }),
      'results.1.status is "GONE", not one of ACTIVE',
    ],
    [
      'balances',
      200,
      wallets({ ...wallet, currency: 'kes' }),
      'results.0.currency is "kes", which has another',
    ],
    ['balances', 200, wallets(wallet, {}), 'results.1.currency is missing'],
    ['balances', 200, wallets({ ...wallet, more: 1 }), 'results.0.more is not in the interface'],
    [
      'balances',
      200,
      '{"code":"200","status":"SUCCESS","description":"x","results":{}}',
      'code is "200", not 200',
    ],
    [
      'balances',
      200,
      '{"code":200,"status":"SUCCESS","description":"x","results":{}}',
      'results is object, not array',
    ],
    ['payout', 400, refused({ field_errors: [] }), 'status is not in the interface (ErrorObject)'],
    ['payout', 400, refused({ field_errors: [{ field: 'a', message: 'b' }] }), null],
    [
      'payout',
      400,
      refused({ field_errors: [{ field: 'a' }] }),
      'status is not in the interface (ErrorObject)',
    ],
  ])('%s, answered %i with %s: %s', (operation, httpStatus, body, fault) => {
    const verdict = judge(`schema ${operation}`, body, { httpStatus });
    expect(verdict.isHeld).toBe(fault === null);
    expect(verdict.received.startsWith(fault ?? `${httpStatus} in that form`), verdict.received).toBe(true);
  });
});

describe('webhooks that came', () => {
  const webhooks = (...bodies: string[]) =>
    bodies.map((body) => ({ id: 'w', receivedAt: 0, headers: [], body, ...readJudged(body) }));
  const judgeThem = (line: string, bodies: string[], isOver: boolean) => {
    const expectation = read(line);
    if (expectation.kind !== 'webhook') throw new Error(line);
    return judgeWebhooks(expectation, webhooks(...bodies), isOver, fill)?.isHeld ?? null;
  };
  it.each([
    ['webhook within 1s body a not exists', ['no JSON'], true, false],
    ['webhook within 1s body a not exists', ['{}'], true, true],
    ['webhook within 1s count > 1', ['{}', '{}'], false, true],
    ['webhook within 1s count > 1', ['{}'], false, null],
    ['webhook within 1s status == "A B" count == 1', ['{"status":"A B"}'], true, true],
    ["webhook within 1s status == 'A B' count == 1", ['{"status":"A B"}'], true, true],
    ['webhook within 1s status == "a\\"b" count == 1', ['{"status":"a\\"b"}'], true, true],
    ['webhook within 1s status == A"B C"', ['{"status":"A\\"B"}'], true, 'A"B is a word'],
    ['webhook within 1s [status == A B]', ['{"status":"A B"}'], true, true],
    ['webhook within 1s [status == A] y]', ['{"status":"A] y"}'], true, true],
    ['webhook within 1s [status == A]   [body b == 1]', ['{"status":"A","b":1}'], true, true],
  ])('%s, with %j: %s', (line, bodies, isOver, isHeld) => {
    if (typeof isHeld === 'string') expect(readExpectation(line)).toHaveProperty('fault');
    else expect(judgeThem(line, bodies, isOver)).toBe(isHeld);
  });

  it('a state that nobody told holds nothing, and is waited for', () => {
    const expectation = read('state within 1s not exists');
    if (expectation.kind !== 'state') throw new Error('no state');
    expect(judgeState(expectation, { state: null, why: 'gone' }, true, fill)?.isHeld).toBe(true);
    const other = read('state within 1s != failed');
    if (other.kind !== 'state') throw new Error('no state');
    expect(judgeState(other, { state: null, why: 'gone' }, true, fill)?.isHeld).toBe(false);
    expect(judgeState(other, { state: null, why: 'gone' }, false, fill)).toBeNull();
  });
});

describe('a capture', () => {
  const capture = (text: string) => {
    const found = readCapture(text);
    if ('fault' in found) throw new Error(found.fault.message);
    return found.capture;
  };
  it.each([
    ['uuid = body data.payment_uuid', false],
    ['id = header X-Request-Id', false],
    ['my_password = body a', true],
    ['a = body data.access_token', true],
    ['a = webhook secret', true],
    ['a = header Authorization', true],
    ['a = header X-Api-Key', true],
    ['a = body token.id', false],
  ])('%s: secret: %s', (line, isSecret) => expect(isSecretCapture(capture(line))).toBe(isSecret));

  it('takes what stands there, of webhooks the first that has it', () => {
    const sources = {
      headers: [['X-Id', '7'] as const],
      body: readJudged('{"a":{"b":1.0},"s":"x","none":null}').tree,
      webhooks: [
        null,
        readJudged('{}').tree,
        readJudged('{"s":"first"}').tree,
        readJudged('{"s":"later"}').tree,
      ],
    };
    const take = (line: string) => takeCapture(capture(line), sources as never);
    expect(['x = body a', 'x = body s', 'x = body none', 'x = body gone'].map(take)).toEqual([
      '{"b":1.0}',
      'x',
      'null',
      null,
    ]);
    expect(['x = header x-id', 'x = header y', 'x = webhook s'].map(take)).toEqual(['7', null, 'first']);
  });
});
