import { describe, expect, it } from 'vitest';
import { dropOwnCalls, findOwnKey } from './own-calls';
import { describeExercise, goliveRules, judgeBackend, type RuleName, type RuleResult } from './rules';
import { call, fetchToken, pay } from './testing/backend-calls';
import { writeHtml, writeMarkdown } from './write-report';

const seen: RuleResult = {
  rule: 'signature.sent', verdict: 'held', message: '2 of 2 <signed> & "sent", it\'s', evidence: ['px_1', 'req<2>'], exercise: 'sign',
}; // prettier-ignore
const unseen: RuleResult = {
  rule: 'token.reused', verdict: 'not_seen', message: 'a|b', evidence: [], exercise: "countersign sandbox --data 'C:\\a|b\n  c' & go",
}; // prettier-ignore
const wrong: RuleResult = { ...seen, rule: 'url.no_secret', verdict: 'broken', evidence: ['px_3'] };

describe('the report', () => {
  it('is a table in Markdown, whose cells nothing in them can break', () => {
    expect(writeMarkdown([seen, unseen, wrong])).toBe(
      [
        '# Go-live report',
        '',
        '1 held, 1 broken, 1 not seen.',
        '',
        '| Rule | Verdict | What was seen | Evidence | To exercise it |',
        '| --- | --- | --- | --- | --- |',
        '| `signature.sent` | held | 2 of 2 <signed> & "sent", it\'s | `px_1` `req<2>` |  |',
        "| `token.reused` | not seen | a\\|b |  | countersign sandbox --data 'C:\\\\a\\|b c' & go |",
        '| `url.no_secret` | BROKEN | 2 of 2 <signed> & "sent", it\'s | `px_3` |  |',
      ].join('\n'),
    );
  });

  it('is one HTML page, in which texts stay texts', () => {
    const html = writeHtml([seen, unseen]);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<p>1 held, 0 broken, 1 not seen.</p>');
    const text = '2 of 2 &lt;signed&gt; &amp; &quot;sent&quot;, it&#39;s';
    expect(html.split('\n').filter((line) => line.startsWith('<tr>'))).toEqual([
      `<tr><td><code>signature.sent</code></td><td class="held">held</td><td>${text}</td><td><code>px_1</code> <code>req&lt;2&gt;</code></td></tr>`,
      '<tr><td><code>token.reused</code></td><td class="not_seen">not seen</td><td>a|b<br>To exercise it: countersign sandbox --data &#39;C:\\a|b',
    ]);
    const long = 'a\u05d0'.repeat(20_000);
    expect(
      writeHtml([{ ...seen, message: long, evidence: [long] }]).split('(40,000 characters)'),
    ).toHaveLength(3);
    expect(html).toMatch(/<\/tbody><\/table>\n<\/main><\/body><\/html>\n$/);
  });
});

describe('what exercises a rule', () => {
  const written = (baseUrl: string | null): Record<string, string> =>
    Object.fromEntries(
      judgeBackend({ calls: [], webhooks: [], isCut: false }, '$&', baseUrl).map(({ rule, exercise }) => [rule, exercise]),
    ); // prettier-ignore

  it('begins with a sandbox where none runs', () => {
    const start = 'countersign sandbox --data $& --public-key public.pem, then ';
    expect(written(null)).toMatchObject({
      'signature.sent': `${start}have your backend send a payout`,
      'reference.reused_on_retry': `${start}have your backend pay to an account that ends in 0008`,
      'webhook.answered': `${start}countersign trigger --base-url http://127.0.0.1:4010 --callback-url RECEIVER`,
      'url.no_secret':
        'countersign proxy --to http://127.0.0.1:4010 --data $&, then have your backend go through it',
    });
  });

  it('takes the sandbox that runs, and tells a backend where', () => {
    expect(written('http://127.0.0.1:7$&')).toMatchObject({
      'signature.sent': 'have your backend send a payout (the sandbox runs at http://127.0.0.1:7$&)',
      'webhook.duplicates': 'countersign trigger --base-url http://127.0.0.1:7$& --callback-url RECEIVER --scenario duplicate',
      'url.no_secret': 'countersign proxy --to http://127.0.0.1:7$& --data $&, then have your backend go through it',
    }); // prettier-ignore
    expect(written('http://h')['acceptance.both_forms']).toMatch(
      /^curl -X PUT http:\/\/h\/_sandbox\/settings /,
    );
  });

  it('is said without a command to whoever has the app open', () => {
    for (const rule of Object.keys(goliveRules) as RuleName[]) {
      expect(describeExercise(rule)).toMatch(/your backend/);
      expect(describeExercise(rule)).not.toMatch(/countersign |curl /);
    }
    expect(describeExercise('token.reused')).toBe(
      'have your backend make several calls within an hour, in the local sandbox or through the proxy to it',
    );
  });
});

describe('the calls of the app itself', () => {
  const fetchBy = (key: unknown, masked: unknown) => ({
    ...fetchToken(), body: { product: 'payout', consumer_key: key }, answer: { access_token: masked },
  }); // prettier-ignore
  const use = (token: string | null) => pay('a', { token });

  it('are those with the very token that it fetched, whatever the scheme', () => {
    const own = [fetchBy('own', 'eyJh…bbbb'), use('Bearer eyJh…bbbb'), use('eyJh…bbbb')];
    const theirs = [
      use('Bearer eyJh…cccc'),
      use(null),
      call({ operation: 'balances', token: 'Bearer undefined' }),
      call({ body: { consumer_key: 'own' }, token: null }),
      fetchBy('theirs', 'eyJh…dddd'),
      call({ operation: 'payout', body: { consumer_key: 'own' }, answer: { access_token: 'x' } }),
      use('Bearer x'),
    ];
    expect(dropOwnCalls([...own, ...theirs], 'own')).toEqual(theirs);
  });

  it('do not take a refused fetch with them, nor what came without a token', () => {
    const refused = { ...fetchBy('own', null), answer: null, httpStatus: 401 };
    expect(dropOwnCalls([refused, use(null), use('')], 'own')).toHaveLength(2);
    expect(dropOwnCalls([fetchBy(null, 'eyJh…cccc'), use('Bearer eyJh…cccc')], null)).toHaveLength(2);
  });

  it('tell its key by the token that it asked for balances with', () => {
    const ask = (id: string, end: string) => call({ id, operation: 'balances', token: `Bearer eyJh…${end}` });
    const calls = [
      fetchBy('own', 'eyJh…bbbb'),
      fetchBy('theirs', 'eyJh…cccc'),
      ask('a', 'bbbb'),
      ask('b', 'cccc'),
    ];
    expect(findOwnKey(calls, new Set(['a']))).toBe('own');
    expect(findOwnKey([...calls, { ...use('Bearer eyJh…bbbb'), id: 'c' }], new Set(['c']))).toBeNull();
    expect(
      findOwnKey([fetchBy('theirs', null), { ...ask('a', ''), token: null }], new Set(['a'])),
    ).toBeNull();
  });
});
