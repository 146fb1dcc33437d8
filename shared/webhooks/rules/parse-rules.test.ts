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

describe('a file of rules is refused, in a sentence with the place:', () => {
  it.each([
    ['', 'this is not JSON: line 1, column 1'],
    ['{"version":1,\n"rules":[}', 'line 2, column 10'],
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
    ['['.repeat(100_000), 'deeper than 16'],
    [' '.repeat(MAX_RULES_LENGTH + 1), 'longer than 256 KiB'],
  ])('%.60s', (text, what) => expect(refuse(text)).toContain(what));
});
