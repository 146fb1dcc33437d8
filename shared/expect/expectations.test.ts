import { describe, expect, it } from 'vitest';
import { AppError } from '../errors';
import { isImmediate, type Expectation } from './expectation';
import { judgeAnswer, type AnswerExpectation, type ReceivedAnswer } from './judge-answer';
import { judgeBalance, judgeNoWebhook, judgeState, judgeWebhooks } from './judge-waits';
import { readExpectation } from './read-expectation';
import { readJudged } from './read-judged';

const body = `{"status":"200.100","code":"ACCEPTED","description":"Accepted [today]","data":{
  "payment_uuid":"4711","id":"550e8400-e29b-41d4-a716-446655440000","day":"2030-01-31","at":"2030-01-31T12:00:00.5Z",
  "amount":1000.00,"rate":0.30,"big":12345678901234567890,"tiny":1e-3,"neg":-5,"text":"400.500","zero":0,
  "none":null,"yes":true,"no":false,"empty":"","list":[1,"two",3.0],"tags":["a","b"],"a/b":{"~":"odd"},
  "quote":"say \\"hi\\"","nested":{"deep":[{"name":"x"}]}}}`;
const facts: ReceivedAnswer = {
  operation: 'payout',
  httpStatus: 201,
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Request-Id', 'req-1'],
    ['Retry-After', '12'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ],
  body,
  ...readJudged(body),
  isUnread: false,
  totalMs: 120.25,
  summary: 'Accepted for processing',
  signature: { valid: true, reason: '' },
};
const variables: Record<string, string> = {
  amount: '1000',
  id: '4711',
  word: 'ACC',
  pattern: '/^4\\d+$/',
  bad: '/(/',
};
const fill = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new AppError('sending.unresolved', `Nobody gave ${whole}.`);
    return value;
  });
const examples: Record<string, string> = {
  same: body,
  'other order': '{"code":"ACCEPTED","status":"200.100","data":{},"description":"Accepted [today]"}',
  written: body.replace('1000.00', '1000'),
  other: body.replace('4711', '4712'),
  text: 'no JSON',
};
const help = {
  fill,
  readExample: (name: string) => {
    const text = examples[name];
    return text === undefined ? { fault: 'there is no such example', advice: 'Save one.' } : { text };
  },
};

function read(text: string): Expectation {
  const found = readExpectation(text);
  if ('fault' in found) throw new Error(`${text}: ${found.fault.message}`);
  return found.expectation;
}

/** A line that holds, and its like that does not. */
const answers: [held: string, failed: string][] = [
  ['status 201', 'status 200'],
  ['status == 201', 'status == 400'],
  ['status != 500', 'status != 201'],
  ['status in 200,201', 'status in 200,202'],
  ['status in 200, 201', 'status in 400, 401'],
  ['status not in 400,500', 'status not in 200,201'],
  ['status < 300', 'status < 201'],
  ['status <= 201', 'status <= 200'],
  ['status > 200', 'status > 201'],
  ['status >= 201', 'status >= 202'],
  ['status matches /^2/', 'status matches /^4/'],
  ['status   201', 'status   202'],
  ['header Content-Type == application/json', 'header Content-Type == text/html'],
  ['header content-type == "application/json"', 'header content-type == "application/JSON"'],
  ['header Content-Type contains json', 'header Content-Type contains xml'],
  ['header Content-Type not contains xml', 'header Content-Type not contains json'],
  ['header Content-Type matches /^application\\//', 'header Content-Type matches /^text\\//'],
  ['header Content-Type matches /JSON$/i', 'header Content-Type matches /JSON$/'],
  ['header X-Request-Id exists', 'header X-Nothing exists'],
  ['header X-Nothing not exists', 'header X-Request-Id not exists'],
  ['header X-Request-Id != req-2', 'header X-Request-Id != req-1'],
  ['header X-Request-Id in req-1,req-2', 'header X-Request-Id in req-2,req-3'],
  ['header Retry-After < 20', 'header Retry-After < 12'],
  ['header Retry-After >= 12', 'header Retry-After > 12'],
  ['header Retry-After is number', 'header X-Request-Id is number'],
  ['header Set-Cookie == b=2', 'header Set-Cookie == c=3'],
  ['header Set-Cookie != c=3', 'header Set-Cookie != b=2'],
  ['header Retry-After == 12', 'header Retry-After == 12.0'],
  ['body status == 200.100', 'body status == 200.1'],
  ['body status == "200.100"', 'body status == "200.10"'],
  ["body status == '200.100'", "body status == '200.101'"],
  ['body code == ACCEPTED', 'body code == accepted'],
  ['body /code == ACCEPTED', 'body /codes == ACCEPTED'],
  ['body data.payment_uuid == 4711', 'body data.payment_uuid == 4711.0'],
  ['body data.payment_uuid == "4711"', 'body data.payment_uuid == "4712"'],
  ['body data.text == 400.500', 'body data.text == 400.5'],
  ['body data.amount == 1000', 'body data.amount == 1001'],
  ['body data.amount == 1000.00', 'body data.amount == 1000.01'],
  ['body data.amount == 1e3', 'body data.amount == 1e4'],
  ['body data.amount == "1000.00"', 'body data.amount == "1000"'],
  ['body data.amount == {{amount}}', 'body data.amount == {{id}}'],
  ['body data.rate == 0.3', 'body data.rate == 0.31'],
  ['body data.rate == 0.30', 'body data.rate == 3'],
  ['body data.rate == 0.300000', 'body data.rate == 0.3000000001'],
  ['body data.big == 12345678901234567890', 'body data.big == 12345678901234567891'],
  ['body data.big > 12345678901234567889', 'body data.big > 12345678901234567890'],
  ['body data.tiny == 0.001', 'body data.tiny == 0.0010001'],
  ['body data.neg == -5', 'body data.neg == 5'],
  ['body data.neg < 0', 'body data.neg > 0'],
  ['body data.neg <= -5.0', 'body data.neg <= -5.1'],
  ['body data.zero == 0', 'body data.zero == ""'],
  ['body data.zero == 0.00', 'body data.zero != 0'],
  ['body data.text > 400', 'body data.text > 400.5'],
  ['body data.text < 400.6', 'body code < 5'],
  ['body data.amount >= 1000.00', 'body data.amount >= 1000.001'],
  ['body data.amount < 1000.01', 'body data.amount < 1000'],
  ['body data.amount not < 1000', 'body data.amount not < 2000'],
  ['body data.amount in 999,1000,1001', 'body data.amount in 999,1001'],
  ['body code in ACCEPTED,REJECTED', 'body code in REJECTED,FAILED'],
  ['body code in "ACCEPTED", "x,y"', 'body code in "x,ACCEPTED"'],
  ['body code not in FAILED', 'body code not in ACCEPTED'],
  ['body code != REJECTED', 'body code != ACCEPTED'],
  ['body code contains CEPT', 'body code contains cept'],
  ['body code contains {{word}}', 'body code contains {{id}}'],
  ['body description == Accepted [today]', 'body description == Accepted'],
  ['body description contains [today]', 'body description contains [tomorrow]'],
  ['body code matches /^ACC/', 'body code matches /^REJ/'],
  ['body code matches ^ACC', 'body code matches ^REJ'],
  ['body code matches /accepted/i', 'body code matches /accepted/'],
  ['body data.payment_uuid matches {{pattern}}', 'body code matches {{pattern}}'],
  ['body data.payment_uuid matches /^\\d+$/', 'body code matches /^\\d+$/'],
  ['body data.quote == say "hi"', 'body data.quote == say hi'],
  ['body data.quote == "say \\"hi\\""', 'body data.quote == "say \\"ho\\""'],
  ['body data.empty == ""', 'body code == ""'],
  ['body data.empty exists', 'body data.nothing exists'],
  ['body data.none exists', 'body data.none.more exists'],
  ['body data.nothing not exists', 'body data.none not exists'],
  ['body data.none is null', 'body data.empty is null'],
  ['body data.none == null', 'body data.none == "null"'],
  ['body data.yes == true', 'body data.yes == "true"'],
  ['body data.no == false', 'body data.no == true'],
  ['body data.yes is boolean', 'body data.none is boolean'],
  ['body data.amount is number', 'body data.text is number'],
  ['body data.text is string', 'body data.amount is string'],
  ['body data.text is not number', 'body data.amount is not number'],
  ['body data.amount not is string', 'body data.text not is string'],
  ['body data.list is array', 'body data is array'],
  ['body data is object', 'body data.list is object'],
  ['body data.id is uuid', 'body data.payment_uuid is uuid'],
  ['body data.day is iso-date', 'body data.text is iso-date'],
  ['body data.at is iso-date', 'body data.id is iso-date'],
  ['body data.list.0 == 1', 'body data.list.0 == 2'],
  ['body data.list[1] == two', 'body data.list[1] == one'],
  ['body /data/list/2 == 3', 'body /data/list/3 == 3'],
  ['body data.list contains two', 'body data.list contains three'],
  ['body data.list contains 3', 'body data.list contains 4'],
  ['body data.list not contains 4', 'body data.list not contains 1'],
  ['body data contains amount', 'body data contains amounts'],
  ['body data.tags == ["a", "b"]', 'body data.tags == ["b", "a"]'],
  ['body data.list == [1.0,"two",3]', 'body data.list == [1,"two"]'],
  ['body data.nested == {"deep":[{"name":"x"}]}', 'body data.nested == {"deep":[{"name":"y"}]}'],
  ['body data.nested.deep.0.name == x', 'body data.nested.deep.1.name == x'],
  ['body data.nested.deep[0].name exists', 'body data.nested.deep[0].title exists'],
  ['body /data/a~1b/~0 == odd', 'body /data/a~1b/~0 == even'],
  ['body contains "ACCEPTED"', 'body contains "REJECTED"'],
  ['body contains 1000.00', 'body contains 1000.01'],
  ['body matches /"amount":1000\\.00/', 'body matches /"amount":1000,/'],
  ['body exists', 'body not exists'],
  ['body is object', 'body is array'],
  ['body not contains REJECTED', 'body not contains ACCEPTED'],
  ['time < 500ms', 'time < 100ms'],
  ['time <= 1s', 'time <= 0.1s'],
  ['time > 100ms', 'time > 200ms'],
  ['time >= 0.1s', 'time >= 1m'],
  ['time <121ms', 'time <120ms'],
  ['same as example same', 'same as example other'],
  ['same as example other ignoring data.payment_uuid', 'same as example other ignoring data.id'],
  ['same as example other ignoring /data/payment_uuid', 'same as example other ignoring payment_uuid'],
  ['same as example other ignoring data.*', 'same as example nobody'],
  ['same as example written ignoring data.amount', 'same as example written'],
  ['same as example other order ignoring data', 'same as example other order'],
  ['same as example other ignoring code, data.payment_uuid', 'same as example text'],
  ['signature valid', 'body signature == valid'],
];

describe('an expectation of the answer', () => {
  it.each(answers)('%s holds; %s does not', (holding, failing) => {
    const good = judgeAnswer(read(holding) as AnswerExpectation, facts, help);
    expect(good).toMatchObject({ isHeld: true, advice: null });
    const bad = judgeAnswer(read(failing) as AnswerExpectation, facts, help);
    expect(bad.isHeld).toBe(false);
    // Whoever reads a failure learns what was expected, what came, and what to do.
    for (const text of [bad.expected, bad.received, bad.advice]) expect(text).toMatch(/\S/);
    expect(isImmediate(read(holding))).toBe(true);
  });

  it('has a signature that does not verify say why', () => {
    const wrong = { ...facts, signature: { valid: false, reason: 'Made with another key.' } };
    expect(judgeAnswer({ kind: 'signature' }, wrong, help)).toMatchObject({
      isHeld: false,
      received: 'Made with another key.',
    });
    expect(judgeAnswer({ kind: 'signature' }, { ...facts, signature: null }, help).isHeld).toBe(false);
  });

  it('fails, and says it, where a variable has no value or makes no pattern', () => {
    expect(judgeAnswer(read('body code == {{nobody}}') as AnswerExpectation, facts, help)).toMatchObject({
      isHeld: false,
      advice: 'Nobody gave {{nobody}}.',
    });
    expect(judgeAnswer(read('body code matches {{bad}}') as AnswerExpectation, facts, help).isHeld).toBe(
      false,
    );
  });

  it('names what stands beside a path that leads nowhere', () => {
    const { advice } = judgeAnswer(read('body data.payment exists') as AnswerExpectation, facts, help);
    expect(advice).toContain('data has payment_uuid, id');
  });
});

const acceptance = (payment: string): string =>
  `{"status":"200.100","code":"ACCEPTED","description":"x","data":${payment}}`;
const schemas: [operation: string, status: number, held: string, failed: string][] = [
  [
    'status',
    404,
    '{"status":"NOT_FOUND","code":"404.001.000","description":"x","data":{}}',
    acceptance('{}'),
  ],
  [
    'balances',
    200,
    '{"code":200,"status":"SUCCESS","description":"x","results":[]}',
    '{"code":"200","status":"SUCCESS","description":"x","results":[]}',
  ],
  [
    'token',
    200,
    '{"access_token":"a.b.c","token_type":"Bearer","expires_in":3600,"product":"payout"}',
    '{"access_token":"a.b.c","token_type":"Bearer","expires_in":0,"product":"payout"}',
  ],
  ['send_test', 200, acceptance('{"delivery_id":"d"}'), acceptance('{"delivery_id":1}')],
  [
    'payout',
    400,
    '{"error":"bad","message":"x","param":"amount"}',
    '{"error":"bad","message":"x","more":"amount"}',
  ],
  ['payout', 400, '{"error":"bad","message":"x"}', '{"error":"bad"}'],
  ['payout', 429, '{"error":"rate","message":"x"}', '[]'],
  ['remittance', 429, '{"error":"rate","message":"x"}', 'no JSON'],
  ['collection', 405, '{"error":"method","message":"x"}', '{"error":1,"message":"x"}'],
];

describe('schema OPERATION', () => {
  it.each(schemas)('of %s, answered %i', (operation, httpStatus, good, bad) => {
    const judge = (text: string) =>
      judgeAnswer(
        read(`schema ${operation}`) as AnswerExpectation,
        { ...facts, httpStatus, body: text, ...readJudged(text) },
        help,
      );
    expect(judge(good)).toMatchObject({ isHeld: true });
    expect(judge(bad)).toMatchObject({ isHeld: false });
  });

  it('fails for an answer that the interface has not', () => {
    const verdict = judgeAnswer({ kind: 'schema', operation: 'payout' }, { ...facts, httpStatus: 302 }, help);
    expect(verdict.received).toBe('the interface has no answer 302 for payout');
  });
});

const webhook = (text: string) => ({
  id: 'w',
  receivedAt: 0,
  headers: [],
  body: text,
  ...readJudged(text),
});
const success = webhook('{"status":"SUCCESS","amount":1000.00,"client_reference":"R","note":"[x] y"}');
const failure = webhook('{"status":"FAILED","amount":5}');

const webhookLines: [line: string, heldBy: string, failedBy: string][] = [
  ['webhook within 1s', 's', ''],
  ['webhook within 1s status == SUCCESS', 'fs', 'f'],
  ['webhook within 1s [status == SUCCESS]', 's', 'f'],
  ['webhook within 1s status in SUCCESS,CANCELED', 's', 'f'],
  ['webhook within 1s status != SUCCESS', 'f', 's'],
  ['webhook within 1s body amount == 1000', 's', 'f'],
  ['webhook within 1s [body amount < 10]', 'f', 's'],
  ['webhook within 1s body note == [x] y', 's', 'f'],
  ['webhook within 1s [body note == [x] y]', 's', 'f'],
  ['webhook within 1s status == SUCCESS body amount == {{amount}}', 's', 'f'],
  ['webhook within 1s [status == SUCCESS] [body note == [x] y]', 's', 'f'],
  ['webhook within 1s count == 1', 's', 'ss'],
  ['webhook within 1s [count == 2]', 'sf', 's'],
  ['webhook within 1s count == 0', '', 's'],
  ['webhook within 1s count >= 2', 'ss', 's'],
  ['webhook within 1s count < 2', 's', 'sf'],
  ['webhook within 1s count == 1 status == SUCCESS', 'fs', 'ss'],
  ['webhook within 1s [count == 1] [status == FAILED]', 'fs', 's'],
  ['webhook within 1s count in 1,2 status == SUCCESS', 'ss', 'f'],
  ['no webhook for 1s', '', 's'],
];
const came = (letters: string) => [...letters].map((letter) => (letter === 's' ? success : failure));

describe('an expectation of webhooks', () => {
  const judge = (line: string, letters: string, isOver: boolean) => {
    const expectation = read(line);
    if (expectation.kind === 'webhook') return judgeWebhooks(expectation, came(letters), isOver, fill);
    if (expectation.kind === 'no_webhook') return judgeNoWebhook(expectation, came(letters), isOver);
    throw new Error(line);
  };

  it.each(webhookLines)('%s holds with "%s" and not with "%s"', (line, good, bad) => {
    expect(judge(line, good, true)).toMatchObject({ isHeld: true });
    expect(judge(line, bad, true)).toMatchObject({
      isHeld: false,
      advice: expect.stringMatching(/\S/) as string,
    });
    expect(isImmediate(read(line))).toBe(false);
  });

  it.each([
    ['webhook within 1s', 's', true],
    ['webhook within 1s', '', null],
    ['webhook within 1s status == SUCCESS', 'f', null],
    ['webhook within 1s count >= 2', 'ss', true],
    ['webhook within 1s count == 1', 's', null],
    ['webhook within 1s count == 1', 'ss', null],
    ['webhook within 1s count not >= 2', 's', null],
    ['no webhook for 1s', '', null],
    ['no webhook for 1s', 's', false],
  ])('%s, while "%s" came in its window: %s', (line, letters, outcome) => {
    expect(judge(line, letters, false)?.isHeld ?? null).toBe(outcome);
  });
});

const states: [line: string, held: string | null, failed: string | null][] = [
  ['state within 30s == succeeded', 'succeeded', 'failed'],
  ['state within 30s == succeeded', 'succeeded', 'processing'],
  ['state within 30s == succeeded', 'succeeded', null],
  ['state within 1m in succeeded,failed', 'failed', 'canceled'],
  ['state within 500ms != processing', 'succeeded', 'processing'],
  ['state within 2s matches /^fail/', 'failed', 'succeeded'],
];

describe('an expectation of the state', () => {
  it.each(states)('%s holds with %s and not with %s', (line, good, bad) => {
    const expectation = read(line) as Extract<Expectation, { kind: 'state' }>;
    const judge = (state: string | null, isOver: boolean) =>
      judgeState(expectation, { state, why: 'not found' }, isOver, fill);
    expect(judge(good, false)).toMatchObject({ isHeld: true });
    expect(judge(bad, true)).toMatchObject({ isHeld: false });
    // A final state is not waited for to change.
    const isFinal = bad !== null && bad !== 'processing';
    expect(judge(bad, false)?.isHeld ?? null).toBe(isFinal ? false : null);
  });
});

const balances: [line: string, held: [string, string], failed: [string, string]][] = [
  ['balance changes by -1515 within 10s', ['10000', '8485.00'], ['10000', '8500']],
  ['balance changes by -1515.00 within 10s', ['10000.00', '8485'], ['10000', '10000']],
  ['balance changes by +20.5 within 10s', ['1', '21.50'], ['21.50', '1']],
  ['balance changes by 20.5 within 10s', ['1', '21.5'], ['1', '21.51']],
  ['balance changes by 0 within 1s', ['5', '5.00'], ['5', '4']],
  ['balance changes by -{{amount}} within 1s', ['1000', '0'], ['1000', '1']],
];

describe('an expectation of the balance', () => {
  it.each(balances)('%s holds from %s and not from %s', (line, good, bad) => {
    const expectation = read(line) as Extract<Expectation, { kind: 'balance' }>;
    const judge = ([before, now]: [string, string], isOver: boolean) =>
      judgeBalance(expectation, { before, now, currency: 'KES' }, isOver, fill);
    expect(judge(good, true)).toMatchObject({ isHeld: true });
    expect(judge(bad, true)).toMatchObject({ isHeld: false });
    expect(judge(bad, false)).toBeNull();
    // That nothing changes is known when the window ends.
    expect(judge(good, false)?.isHeld ?? null).toBe(line.includes(' by 0 ') ? null : true);
  });
});

describe('a line that cannot be read', () => {
  it.each([
    ['', 0, /missing/],
    ['stauts 201', 0, /no expectation 'stauts'/],
    ['status', 6, /missing/],
    ['status 2', 7, /no HTTP status/],
    ['status in 200,abc', 7, /no HTTP status/],
    ['status = 201', 7, /write '=='/],
    ['status 201 202', 11, /too many/],
    ['header', 6, /missing/],
    ['header Content Type == x', 15, /no operator 'Type'/],
    ['header X-A', 10, /operator is missing/],
    ['body data..x == 1', 5, /no path/],
    ['body /a~2 exists', 5, /no path/],
    ['body a is thing', 10, /takes number, string/],
    ['body a ==', 9, /value is missing/],
    ['body a exists now', 14, /too many/],
    ['body a matches /(a/', 16, /never closed/],
    ['body a matches /a(?=b)/', 17, /Look-around/],
    ['body a like b', 7, /no operator 'like'/],
    ['time 500ms', 5, /time < 500ms/],
    ['time < 500', 7, /no time/],
    ['time < 5h', 7, /no time/],
    ['schema payments', 7, /no operation/],
    ['signature good', 10, /signature valid/],
    ['webhook in 10s', 8, /within 10s/],
    ['webhook within soon', 15, /no time/],
    ['webhook within 10s state == x', 19, /not known here/],
    ['webhook within 10s count == many', 25, /whole number/],
    ['webhook within 10s [count == 1', 19, /never closed/],
    ['webhook within 10s [status is thing]', 30, /takes number/],
    ['no webhooks for 5s', 3, /no webhook for/],
    ['no webhook within 5s', 11, /for 10s/],
    ['state == succeeded', 6, /within 10s/],
    ['balance changes by much within 1s', 19, /no amount/],
    ['balance changes by 5', 20, /within 10s/],
    ['balance falls', 8, /changes by/],
    ['same as last', 8, /same as example/],
    ['same as example', 15, /name of the example/],
    ['same as example a ignoring b..c', 17, /no path/],
  ])('%s', (text, start, words) => {
    const found = readExpectation(text);
    expect(found).toHaveProperty('fault');
    if (!('fault' in found)) return;
    expect(found.fault.message).toMatch(words);
    expect(found.fault.start).toBe(start);
    expect(found.fault.end).toBeGreaterThanOrEqual(found.fault.start);
  });
});
