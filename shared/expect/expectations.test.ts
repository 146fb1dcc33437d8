import { describe, expect, it } from 'vitest';
import { answers, body, examples, headers, variables } from '../../test/support/expectation-cases';
import { AppError } from '../errors';
import { isImmediate, type Expectation } from './expectation';
import { judgeAnswer, type AnswerExpectation, type ReceivedAnswer } from './judge-answer';
import { judgeBalance, judgeNoWebhook, judgeState, judgeWebhooks } from './judge-waits';
import { readExpectation } from './read-expectation';
import { readJudged } from './read-judged';

const facts: ReceivedAnswer = {
  operation: 'payout',
  httpStatus: 201,
  headers,
  body,
  ...readJudged(body),
  isUnread: false,
  totalMs: 120.25,
  summary: 'Accepted for processing',
  outcome: 'accepted',
  signature: { valid: true, reason: '' },
};
const fill = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new AppError('sending.unresolved', `Nobody gave ${whole}.`);
    return value;
  });
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
  ['state within 2s contains cess', 'processing', 'failed'],
  ['state within 2s in "failed", {{never filled}}', 'failed', 'succeeded'],
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
    ['body a matches "*a"', 15, /Nothing to repeat/],
    ['body a like b', 7, /no operator 'like'/],
    ['body a in ,', 10, /value is missing after 'in'/],
    ['body items[*].a not exists', 5, /any key behind 'ignoring' alone/],
    ['body *.a exists', 5, /any key behind 'ignoring' alone/],
    ['webhook within 1s [body a[*] exists]', 24, /any key behind 'ignoring' alone/],
    ['time 500ms', 5, /time < 500ms/],
    ['time < 500', 7, /no time/],
    ['time < 0ms', 7, /No answer comes in no time/],
    ['webhook within 0s', 8, /Nothing comes within no time: write 'webhook within 10s'/],
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
    ['state within 10s == succeded', 20, /no state 'succeded': use processing, succeeded, failed, canceled/],
    ['state within 10s not == "SUCCEEDED"', 25, /no state 'SUCCEEDED'/],
    ['state within 10s !=done', 19, /no state 'done'/],
    ['state within 10s in succeeded, succ, failed', 31, /no state 'succ'/],
    ['state within 10s == ""', 20, /no state ''/],
    ['balance changes by much within 1s', 19, /no amount/],
    ['balance changes by 5', 20, /within 10s/],
    ['balance changes by 5 within 5', 28, /no time/],
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
