import { describe, expect, it } from 'vitest';
import type { AppError } from '../../errors';
import { MAX_RULES_LENGTH, parseRules } from './parse-rules';

const rules = (...list: unknown[]): string => JSON.stringify({ version: 1, rules: list });
const answer = { status: 200 };

function refuse(text: string): string {
  try {
    parseRules(text);
  } catch (error) {
    expect((error as AppError).code).toBe('listener.bad_rules');
    expect((error as AppError).message).toMatch(/^The rules[^\n]*\.$/);
    return (error as AppError).message;
  }
  throw new Error('it was read');
}

describe('a file of rules', () => {
  it('is read whole', () => {
    const [rule] = parseRules(
      '\ufeff{"version":1,"rules":[{"name":"slow","when":{"method":"post","path":"/hooks","header":{"X-A":"1"},' +
        '"query":{"q":"2"},"body":{"/a~1b/0":1000.00}},"fail_first":3,"sequence":[{"status":503,"delay_ms":10},' +
        '{"body":{"ok":"{{body.x}}"}},{"drop":true}]}]}',
    );
    expect(rule).toMatchObject({
      name: 'slow',
      when: {
        method: 'POST',
        path: '/hooks',
        header: { 'x-a': '1' },
        query: { q: '2' },
        body: [{ steps: ['a/b', '0'], value: { kind: 'number', text: '1000.00' } }],
      },
      failFirst: 3,
      answers: [
        { status: 503, delayMs: 10, isDropped: false },
        { status: 200, headers: [['Content-Type', 'application/json']] },
        { isDropped: true },
      ],
    });
  });

  it('may be empty, and a rule may have no name', () => {
    expect(parseRules('{"version":1,"rules":[]}')).toEqual([]);
    expect(parseRules(rules({ answer }))[0]).toMatchObject({ name: 'rule 1', when: { body: [] } });
  });
});

describe('a file of rules may', () => {
  it('have as much of everything as is allowed', () => {
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`q${at}`, '']));
    const most = { name: 'n'.repeat(100), fail_first: 1_000_000, when: { query: hundred } };
    const [rule] = parseRules(rules({ ...most, answer: { status: 599, delay_ms: 120_000 } }));
    expect(rule).toMatchObject({ failFirst: 1_000_000, answers: [{ status: 599, delayMs: 120_000 }] });
    expect(Object.keys(rule!.when.query)).toHaveLength(100);
    expect(parseRules(rules(...Array.from({ length: 200 }, () => ({ answer }))))).toHaveLength(200);
    const deep = JSON.parse('['.repeat(11) + ']'.repeat(11)) as unknown;
    expect(parseRules(rules({ answer, when: { body: { '/a': deep } } }))).toHaveLength(1);
    const blanks = ' '.repeat(MAX_RULES_LENGTH - rules().length);
    expect(parseRules(rules() + blanks)).toEqual([]);
  });

  it('ask for nothing, and then the conditions are none', () => {
    expect(parseRules(rules({ answer, when: {} }))[0]?.when).toEqual({ header: {}, query: {}, body: [] });
  });

  it('name the type of a body itself, or leave it to the listener', () => {
    const headersOf = (one: object) => parseRules(rules({ answer: one }))[0]?.answers[0]?.headers;
    expect(headersOf({ body: { a: 1 }, headers: { 'content-TYPE': 'text/plain' } })).toEqual([
      ['content-TYPE', 'text/plain'],
    ]);
    expect(headersOf({ body: { a: 1 }, headers: { 'X-A': '1' } })).toEqual([
      ['Content-Type', 'application/json'],
      ['X-A', '1'],
    ]);
    expect(headersOf({ body: 'text', headers: { 'X-A': '1' } })).toEqual([['X-A', '1']]);
  });

  it('drop, or say that it does not', () => {
    const isDropped = (drop: boolean) => parseRules(rules({ answer: { drop } }))[0]?.answers[0]?.isDropped;
    expect([isDropped(true), isDropped(false)]).toEqual([true, false]);
  });

  it('be refused with the place beside the words', () => {
    expect(() => parseRules('[]')).toThrow(expect.objectContaining({ details: { where: '' } }) as Error);
    expect(() => parseRules(rules(3))).toThrow(
      expect.objectContaining({ details: { where: 'rules[0]' } }) as Error,
    );
  });
});

describe('a file of rules is refused, in a sentence with the place:', () => {
  it.each([
    ['', 'this is not JSON: line 1, column 1'],
    ['{"version":1,\n"rules":[}', 'line 2, column 10'],
    [
      '{"version":1,\n<<<<<<< ours\n"rules":[]\n=======\n"rules":[{}]\n>>>>>>> theirs\n}',
      'The rules cannot be used: line 2: Two versions stand here as a merge leaves them: keep one',
    ],
    ['[]', 'should be an object'],
    ['{"rules":[]}', 'at version '],
    ['{"version":"1","rules":[]}', 'at version '],
    ['{"version":1}', 'at rules cannot'],
    ['{"version":1,"rules":{}}', 'should be a list'],
    ['{"version":1,"rules":[],"extra":1}', "'extra' is not known"],
    [rules(3), 'at rules[0] '],
    [rules({}), "neither 'answer'"],
    [rules({ answer, sequence: [answer] }), "both 'answer' and 'sequence'"],
    [rules({ sequence: [] }), 'rules[0].sequence cannot be used: it is empty'],
    [rules({ answer, anser: 1 }), "'anser' is not known"],
    [rules({ answer, name: '' }), 'rules[0].name'],
    [rules({ answer, name: 'a' }, { answer, name: 'a' }), "has the name 'a' already"],
    [rules({ answer, name: 7 }), 'should be text'],
    [rules({ answer, name: '  ' }), 'a name has 1 to 100 characters'],
    [rules({ answer, name: 'n'.repeat(101) }), 'a name has 1 to 100 characters'],
    [rules({ answer, fail_first: '1' }), 'a whole number from 0'],
    [rules({ answer, fail_first: 1_000_001 }), 'from 0 to 1000000'],
    [rules({ answer: { status: 600 } }), 'from 200 to 599'],
    [rules({ answer: { delay_ms: 120_001 } }), 'from 0 to 120000'],
    [rules({ answer: { drop: null } }), 'true or false'],
    [rules({ answer, when: 3 }), 'rules[0].when cannot be used: it should be an object'],
    [rules({ answer, ['k'.repeat(41)]: 1 }), `'${'k'.repeat(40)}…' is not known`],
    [rules({ answer, ['k'.repeat(40)]: 1 }), `'${'k'.repeat(40)}' is not known`],
    ...['header.', 'body', 'method.x', 'body.a!', '.a', 'body.'].map((name) => [
      rules({ answer: { body: `{{${name}}}` } }),
      `{{${name}}} is not known`,
    ]),
    [
      rules({
        answer,
        when: { query: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`q${at}`, ''])) },
      }),
      'it has 101 entries, and 100 are allowed',
    ],
    ['{"version":2,"rules":[]}', 'at version cannot be used: it should be 1'],
    ['{"version":1,"rules":[}', 'The rules cannot be used: this is not JSON: line 1, column 23'],
    [rules({ answer, fail_first: -1 }), 'a whole number from 0'],
    [rules({ answer, fail_first: 1.5 }), 'a whole number from 0'],
    [rules({ answer: { status: 100 } }), 'from 200 to 599'],
    [rules({ answer: { status: 'x' } }), 'rules[0].answer.status'],
    [rules({ answer: { delay_ms: 1e9 } }), 'from 0 to 120000'],
    [rules({ answer: { drop: 'yes' } }), 'true or false'],
    [rules({ answer: { headers: { 'a b': '1' } } }), "'a b' is no name"],
    [rules({ answer: { headers: { 'Content-Length': '1' } } }), 'set by the listener'],
    [rules({ answer: { headers: { a: 'x\r\nSet-Cookie: y' } } }), 'what a header cannot carry'],
    [rules({ answer: { headers: { a: 1 } } }), 'should be text'],
    [rules({ answer: { body: 'x {{secret.key}}' } }), '{{secret.key}} is not known'],
    [rules({ answer: { body: { a: '{{env}}' } } }), '{{env}} is not known'],
    [rules({ answer, when: { path: 'hooks' } }), 'begins with /'],
    [rules({ answer, when: { path: '/a?b' } }), 'has no query'],
    [rules({ answer, when: { body: { a: 1 } } }), "'a' is no JSON pointer"],
    [rules({ answer, when: { body: { '/~2': 1 } } }), 'no JSON pointer'],
    [rules({ answer, when: { host: 'x' } }), "'host' is not known"],
    [rules(...Array.from({ length: 201 }, () => ({ answer }))), '201 entries, and 200'],
    [
      rules({ answer, when: { body: { '/a': JSON.parse('['.repeat(20) + ']'.repeat(20)) as unknown } } }),
      'deeper than 16',
    ],
    [
      '{"version":1,"rules":[{"name":"a","answer":{"status":200,"st\\u0061tus":500}}]}',
      "'status' stands twice",
    ],
    ['['.repeat(100_000), 'deeper than 16'],
    [' '.repeat(MAX_RULES_LENGTH + 1), 'longer than 256 KiB'],
  ])('%.60s', (text, what) => expect(refuse(text)).toContain(what));
});
