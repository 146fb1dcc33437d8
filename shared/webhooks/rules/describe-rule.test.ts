import { expect, it } from 'vitest';
import { describeConditions, describeRuleAnswers } from './describe-rule';
import { parseRules } from './parse-rules';

it('tells of each rule what it asks and what it answers', () => {
  const rules = parseRules(
    JSON.stringify({
      version: 1,
      rules: [
        {
          name: 'busy',
          when: {
            method: 'POST',
            path: '/h',
            header: { 'X-T': 'n' },
            query: { try: '1' },
            body: { '/a/b': 1.0 },
          },
          fail_first: 2,
          answer: { status: 202, delay_ms: 5 },
        },
        { name: 'gone', sequence: [{ status: 503 }, { drop: true }] },
        { name: 'as ever', fail_first: 1 },
      ],
    }),
  );
  expect(rules.map(({ when }) => describeConditions(when))).toEqual([
    'POST, /h, ?try=1, x-t: n, a.b = 1',
    'any webhook',
    'any webhook',
  ]);
  expect(rules.map(describeRuleAnswers)).toEqual([
    '500 2 times, then 202 after 5 ms',
    '503, then no answer, closed',
    '500 once, then the usual answer',
  ]);
});
