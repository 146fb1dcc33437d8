import { describe, expect, it } from 'vitest';
import type { BackendCall, Evidence, WebhookRecord } from './evidence';
import { dropOwnCalls } from './own-calls';
import { goliveRules, judgeBackend, type RuleName, type RuleVerdict } from './rules';
import {
  otherForm,
  duplicate,
  call,
  pay,
  ask,
  fetchToken,
  refusedFetch,
  refused,
  paid,
  limited,
  after,
  webhook,
  failed,
} from './testing/backend-calls';
import { writeHtml, writeMarkdown } from './write-report';

type Case = [
  what: string,
  rule: RuleName,
  verdict: RuleVerdict,
  calls: BackendCall[],
  webhooks?: WebhookRecord[],
];
const cases: Case[] = [
  ['signed sends', 'signature.sent', 'held', [pay('a')]],
  ['an unsigned send', 'signature.sent', 'broken', [pay('a'), pay('b', { signature: 'missing' })]],
  ['a signature that does not verify', 'signature.sent', 'broken', [pay('a', { signature: 'invalid' })]],
  ['two references', 'reference.unique', 'held', [pay('a'), pay('b')]],
  ['one reference for two recipients', 'reference.unique', 'broken', [pay('a'), pay('a', {}, 'other')]],
  ['a single payment', 'reference.unique', 'not_seen', [pay('a')]],
  ['a retry under its reference', 'reference.reused_on_retry', 'held', [limited('a'), pay('a')]],
  ['a retry under a new one', 'reference.reused_on_retry', 'broken', [pay('a', { httpStatus: 500 }, 'x'), pay('b', {}, 'x')]],
  ['another payment after a failure', 'reference.reused_on_retry', 'not_seen', [limited('a'), pay('b')]],
  ['a status query after a time-out', 'reference.status_before_new', 'held', [failed('a', 'x'), ask({ transaction_reference: 'a' }), pay('b', {}, 'x')]],
  ['a new reference after a time-out', 'reference.status_before_new', 'broken', [failed('a', 'x'), pay('b', {}, 'x'), ask({ transaction_reference: 'a' })]],
  ['one token for all', 'token.reused', 'held', [fetchToken(), pay('a'), pay('b'), pay('c')]],
  ['a token of its own at each call, fetched elsewhere', 'token.reused', 'not_seen', [pay('a', { token: 's' }), pay('b'), pay('c', { token: 'u' })]],
  ['a token a call', 'token.reused', 'broken', [fetchToken(), pay('a'), fetchToken(), pay('b'), fetchToken(), pay('c')]],
  ['a token more after a start anew', 'token.reused', 'held', [fetchToken(), pay('a'), pay('b'), fetchToken(), pay('c')]],
  ['an early token for every second call', 'token.reused', 'broken', [fetchToken(), ...paid(2), fetchToken(), ...paid(1), fetchToken(), ...paid(1)]],
  ['fewer early tokens than that', 'token.reused', 'held', [fetchToken(), ...paid(2), fetchToken(), ...paid(2), fetchToken(), ...paid(1)]],
  ['calls without a valid token', 'token.reused', 'not_seen', [refusedFetch(), ...paid(4, { ...refused, token: 'Bearer undefined' })]],
  ['those, then a token a call', 'token.reused', 'broken', [
    ...paid(8, { ...refused, token: 'Bearer undefined' }),
    ...['1', '2', '3', '4'].flatMap((one) => [fetchToken(one), pay(one, { token: `Bearer ${one}` })]),
  ]],
  ['tokens that the service no longer takes', 'token.reused', 'held', [
    ...['1', '2', '3'].flatMap((one) => [fetchToken(one), ...paid(2, { token: `Bearer ${one}` }), pay(one, { ...refused, token: `Bearer ${one}` })]),
  ]],
  ['calls that one token was fetched for, refused for their bodies', 'token.reused', 'held', [fetchToken('1'), ...paid(3, { token: 'Bearer 1', httpStatus: 400 })]],
  ['a second token once the first has ended', 'token.reused', 'held', [fetchToken(), pay('a'), pay('b'), { ...fetchToken(), at: 4e9 }, pay('c')]],
  ['two backends, each with a token of its own', 'token.reused', 'held', [...['a', 'b'].map((consumer_key) => ({ ...fetchToken(), body: { product: 'payout', consumer_key } })), { ...fetchToken(), body: { product: 'payout', consumer_key: 'c' } }, ...paid(4)]],
  ['a life in milliseconds', 'token.reused', 'held', [2, 2, 1, 1].flatMap((calls, hour) => [
    { ...fetchToken(), at: hour * 3_600_000, answer: { access_token: 't', expires_in: 3_600_000 } },
    ...paid(calls, { at: hour * 3_600_000 + 1 }),
  ])],
  ['a retry after Retry-After', 'rate_limit.honoured', 'held', after(limited('a'), 2000, pay('a'))],
  ['a retry at once', 'rate_limit.honoured', 'broken', after(limited('a'), 500, pay('a'))],
  ['both forms left alone', 'acceptance.both_forms', 'held', [pay('a'), pay('b', { answer: otherForm })]],
  ['one form sent again', 'acceptance.both_forms', 'broken', [pay('a'), pay('b', { answer: otherForm }), pay('b', { answer: duplicate })]],
  ['one form alone', 'acceptance.both_forms', 'not_seen', [pay('a'), pay('b')]],
  ['a duplicate left alone', 'duplicate.understood', 'held', [pay('a'), pay('a', { answer: duplicate })]],
  ['a duplicate sent anew', 'duplicate.understood', 'broken', [pay('a', { answer: duplicate }, 'x'), pay('b', {}, 'x')]],
  ['a status by UUID', 'status.payment_uuid', 'held', [pay('a'), ask({ payment_uuid: '70001' })]],
  ['a status by payment reference', 'status.payment_uuid', 'broken', [pay('a'), ask({ payment_uuid: 'PR1' })]],
  ['an ISO timestamp', 'timestamp.form', 'held', [pay('a')]],
  ['a timestamp without zone', 'timestamp.form', 'broken', [call({ body: { transaction: { timestamp: '2026-01-02 03:04:05' } } })]],
  ['webhooks answered', 'webhook.answered', 'held', [], [webhook(200, 204)]],
  ['a webhook refused', 'webhook.answered', 'broken', [], [webhook(500, 200)]],
  ['a webhook that came twice', 'webhook.duplicates', 'held', [], [webhook(500, 200, 200)]],
  ['a webhook refused when it came again', 'webhook.duplicates', 'broken', [], [webhook(200, 409)]],
  ['a webhook that came once', 'webhook.duplicates', 'not_seen', [], [webhook(500, 200)]],
  ['balances', 'balances.checked', 'held', [call({ operation: 'balances', httpStatus: 200 })]],
  ['clean URLs', 'url.no_secret', 'held', [pay('a')]],
  ['a masked URL', 'url.no_secret', 'broken', [call({ hasSecretInUrl: true })]],
]; // prettier-ignore

describe('the rules', () => {
  it.each(cases)('see %s: %s is %s', (_what, rule, verdict, calls, webhooks = []) => {
    const evidence: Evidence = { calls: [...calls].sort((a, b) => a.at - b.at), webhooks, isCut: false };
    const found = judgeBackend(evidence).find((one) => one.rule === rule)!;
    expect(found.verdict).toBe(verdict);
    expect(found.evidence.length > 0).toBe(verdict !== 'not_seen');
    expect(found.message).toMatch(/^[A-Z\d].*\.$/);
  });

  it('have seen nothing where nothing was', () => {
    const results = judgeBackend({ calls: [], webhooks: [], isCut: false });
    expect(results.map(({ rule }) => rule)).toEqual(Object.keys(goliveRules));
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['not_seen']));
    for (const { message } of results)
      expect(message).toMatch(/^(?:No|Fewer|Acceptances were not|There were no) .*\.$/);
  });

  it('say of how many sends nobody knows whether they were signed rightly', () => {
    const calls = [pay('a'), pay('b', { signature: null })];
    const [first] = judgeBackend({ calls, webhooks: [], isCut: false });
    expect(first).toMatchObject({
      verdict: 'held',
      message: expect.stringMatching(/^1 of 2 payouts.*Of the others nobody could tell/),
    });
  });

  it.each([
    ['that are all of one purpose', 'x'],
    ['that differ', undefined],
  ])('judge 10,000 failures of a load test %s in seconds', (_what, account) => {
    const calls = Array.from({ length: 10_000 }, (_, at) =>
      pay(
        `r${at}`,
        { httpStatus: at % 2 === 0 ? 500 : 429, answer: at % 3 === 0 ? duplicate : null },
        account ?? `${at}`,
      ),
    );
    const before = process.cpuUsage();
    judgeBackend({ calls, webhooks: [], isCut: false });
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(4000);
  });

  it('say by what a payment was known again', () => {
    const calls = [pay('a', { answer: duplicate }, 'x'), pay('b', {}, 'x')];
    const rules = judgeBackend({ calls, webhooks: [], isCut: false });
    const found = rules.find(({ rule }) => rule === 'duplicate.understood')!;
    expect(found.message).toContain('within 15 minutes counts as the same');
  });

  it('name for each rule a command that exercises it, in the folder that was judged', () => {
    const rules = judgeBackend({ calls: [], webhooks: [], isCut: false }, './trial');
    for (const { exercise } of rules) expect(exercise).toMatch(/^(?:countersign|curl) /);
    expect(rules[0]!.exercise).toContain('countersign sandbox --data ./trial --public-key public.pem, then');
    expect(rules.some(({ exercise }) => exercise.includes('DIR'))).toBe(false);
  });

  it('leave out the tokens that the app fetched for itself, and what it asked with them', () => {
    const fetchBy = (key: string, masked: string) => ({
      ...fetchToken(),
      body: { product: 'payout', consumer_key: key },
      answer: { expires_in: 3600, access_token: masked },
    });
    const theirs = [fetchBy('theirs', 'eyJh…aaaa'), pay('a', { token: 'Bearer eyJh…aaaa' })];
    const own = [fetchBy('own', 'eyJh…bbbb'), call({ operation: 'balances', token: 'Bearer eyJh…bbbb' })];
    expect(dropOwnCalls([...theirs, ...own], 'own')).toEqual(theirs);
    expect(dropOwnCalls([...theirs, ...own], null)).toHaveLength(4);
  });

  it('say where the evidence was cut', () => {
    const [first] = judgeBackend({ calls: [pay('a')], webhooks: [], isCut: true });
    expect(first!.message).toContain('Older requests are forgotten');
  });

  it('are written as Markdown and HTML, without what could be read as either', () => {
    const results = judgeBackend({
      calls: [call({ id: '<b>|', hasSecretInUrl: true })],
      webhooks: [],
      isCut: false,
    });
    expect(writeMarkdown(results)).toContain('| `url.no_secret` | BROKEN |');
    expect(writeHtml(results)).toContain('&lt;b&gt;');
    const broken = results.filter(({ verdict }) => verdict === 'broken');
    expect(writeHtml(broken)).not.toContain('To exercise it');
    expect(writeHtml(results)).toContain('To exercise it');
  });
});
