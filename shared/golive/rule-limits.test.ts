import { describe, expect, it } from 'vitest';
import type { BackendCall, WebhookRecord } from './evidence';
import { judgeBackend, type RuleName, type RuleResult, type RuleVerdict } from './rules';
import {
  accepted,
  after,
  ask,
  call,
  duplicate,
  failed,
  fetchToken,
  limited,
  otherForm,
  paid,
  pay,
  webhook,
} from './testing/backend-calls';

function judge(
  rule: RuleName,
  calls: readonly BackendCall[],
  webhooks: readonly WebhookRecord[] = [],
): RuleResult {
  const evidence = { calls: [...calls].sort((a, b) => a.at - b.at), webhooks, isCut: false };
  return judgeBackend(evidence).find((one) => one.rule === rule)!;
}

/** A call about a payment whose transaction or recipient has other members. */
function payOther(
  reference: string,
  transaction: object,
  recipient: object = {},
  changes: Partial<BackendCall> = {},
): BackendCall {
  const usual = {
    reference,
    amount: 1000,
    currency: 'KES',
    service_code: 'S',
    timestamp: '2026-01-02T03:04:05Z',
  };
  return call({
    body: { transaction: { ...usual, ...transaction }, recipient: { account: 'x', ...recipient } },
    answer: accepted,
    ...changes,
  });
}

const remit = (timestamp: unknown): BackendCall =>
  payOther('a', { timestamp }, {}, { operation: 'remittance' });
const collect = (reference: string, changes: Partial<BackendCall> = {}): BackendCall =>
  pay(reference, { operation: 'collection', signature: null, ...changes }, 'x');
const unauthorized = (code: string, changes: Partial<BackendCall> = {}): BackendCall =>
  pay('a', { httpStatus: 401, answer: { code }, ...changes });
const MINUTE = 60_000;

/** A second token, so long after the first as is said, and two calls with each. */
const renewed = (ms: number, expires_in: unknown): BackendCall[] => {
  const first = { ...fetchToken(), answer: { expires_in, access_token: 't' } };
  const fetches = [0, 1, 2].map((count) => ({ ...first, id: `f${count}`, at: first.at + count * ms }));
  return [...fetches, ...paid(2)];
};

type Case = [what: string, rule: RuleName, verdict: RuleVerdict, calls: BackendCall[]];
const cases: Case[] = [
  ['a collection, which is not signed', 'signature.sent', 'not_seen', [collect('a', { signature: 'missing' })]],
  ['a status query, which is not signed', 'signature.sent', 'not_seen', [call({ operation: 'status', signature: 'missing' })]],
  ['a remittance without signature', 'signature.sent', 'broken', [call({ operation: 'remittance', signature: 'missing' })]],
  ['a signature that nobody could verify', 'signature.sent', 'not_seen', [pay('a', { signature: null })]],
  ['one reference for two amounts', 'reference.unique', 'broken', [payOther('a', {}), payOther('a', { amount: 1001 })]],
  ['one reference for two currencies', 'reference.unique', 'broken', [payOther('a', {}), payOther('a', { currency: 'UGX' })]],
  ['one reference for two services', 'reference.unique', 'broken', [payOther('a', {}), payOther('a', { service_code: 'T' })]],
  ['one reference for a payout and a remittance', 'reference.unique', 'broken', [payOther('a', {}), payOther('a', {}, {}, { operation: 'remittance' })]],
  ['the same payment at another time', 'reference.unique', 'not_seen', [payOther('a', {}), payOther('a', { timestamp: '2026-01-02T03:05:05Z' })]],
  ['status queries about one reference', 'reference.unique', 'not_seen', [pay('a'), ask({ transaction_reference: 'b' })]],
  ['bodies that name no reference', 'reference.unique', 'not_seen', [pay('a'), call({ body: null }), call({ body: 'text' }), call({ body: { transaction: null } }), payOther('', { reference: 7 })]],
  ['two collections', 'reference.unique', 'held', [collect('a'), collect('b')]],
  ['a collection sent again after a failure', 'reference.reused_on_retry', 'held', [collect('a', { httpStatus: 503 }), collect('a')]],
  ['a collection under a new reference after a failure', 'reference.reused_on_retry', 'broken', [collect('a', { httpStatus: 503 }), collect('b')]],
  ['a refusal, then a new reference', 'reference.reused_on_retry', 'not_seen', [pay('a', { httpStatus: 499, answer: { code: 'REJECTED' } }, 'x'), pay('b', {}, 'x')]],
  ['a success, then a new reference', 'reference.reused_on_retry', 'not_seen', [pay('a', {}, 'x'), pay('b', {}, 'x')]],
  ['a status query that failed and came again', 'reference.reused_on_retry', 'not_seen', [call({ operation: 'status', httpStatus: 500, body: { transaction_reference: 'a' } }), ask({ transaction_reference: 'a' })]],
  ['a retry, and only then a new reference', 'reference.reused_on_retry', 'held', [failed('a', 'x'), pay('a', {}, 'x'), pay('b', {}, 'x')]],
  ['a new reference, and an older payment like it', 'reference.reused_on_retry', 'not_seen', [pay('b', {}, 'x'), failed('a', 'x')]],
  ['a new reference less than 15 minutes later', 'reference.reused_on_retry', 'broken', after(failed('a', 'x'), 15 * MINUTE - 1, pay('b', {}, 'x'))],
  ['a new reference 15 minutes later', 'reference.reused_on_retry', 'not_seen', after(failed('a', 'x'), 15 * MINUTE, pay('b', {}, 'x'))],
  ['payments whose purpose is not known', 'reference.reused_on_retry', 'not_seen', [payOther('a', { amount: undefined }, {}, { httpStatus: 500 }), payOther('b', { amount: undefined })]],
  ['a failure without reference, and another', 'reference.reused_on_retry', 'not_seen', [call({ httpStatus: 500, body: { transaction: {} } }), call({ body: { transaction: {} } })]],
  ['a 429, then a new reference', 'reference.status_before_new', 'not_seen', [limited('a'), payOther('b', {}, { account: 'a' })]],
  ['a new reference after a 500', 'reference.status_before_new', 'broken', [pay('a', { httpStatus: 500 }, 'x'), pay('b', {}, 'x')]],
  ['a new reference after the first served for another payment', 'reference.status_before_new', 'broken', [failed('a', 'x'), pay('a', {}, 'y'), pay('b', {}, 'x')]],
  ['a time-out that was never followed up', 'reference.status_before_new', 'not_seen', [failed('a', 'x')]],
  ['a time-out whose status was asked for at last', 'reference.status_before_new', 'held', [failed('a'), ask({ transaction_reference: 'a' })]],
  ['a time-out, and the status of another payment', 'reference.status_before_new', 'not_seen', [failed('a'), ask({ transaction_reference: 'b' })]],
  ['a status that was asked for before the time-out', 'reference.status_before_new', 'not_seen', [ask({ transaction_reference: 'a' }), failed('a')]],
  ['a time-out, then the same reference', 'reference.status_before_new', 'held', [failed('a'), pay('a')]],
  ['a time-out without a reference', 'reference.status_before_new', 'broken', [payOther('', { reference: undefined }, {}, { httpStatus: null, answer: null }), pay('b', {}, 'x')]],
  ['a status query that ended without an answer', 'reference.status_before_new', 'not_seen', [call({ operation: 'status', httpStatus: null, body: { transaction_reference: 'a' } }), ask({ transaction_reference: 'a' })]],
  ['tokens renewed within the last minute', 'token.reused', 'not_seen', renewed(3600_000 - MINUTE, 3600)],
  ['tokens renewed before it', 'token.reused', 'broken', renewed(3600_000 - MINUTE - 1, 3600)],
  ['a life of a day, in seconds', 'token.reused', 'broken', renewed(86_400_000 - MINUTE - 1, 86_400)],
  ['a life above it, in milliseconds', 'token.reused', 'not_seen', renewed(86_401 - MINUTE, 86_401)],
  ['tokens whose life is not told', 'token.reused', 'not_seen', renewed(1000, '3600')],
  ['tokens of two products', 'token.reused', 'held', [fetchToken(), { ...fetchToken(), body: { product: 'collection' } }, { ...fetchToken(), body: { product: 'remittance' } }, ...paid(4)]],
  ['refused fetches between the calls', 'token.reused', 'held', [fetchToken(), ...paid(3), ...[1, 2, 3].map(() => ({ ...fetchToken(), httpStatus: 401 }))]],
  ['one call', 'token.reused', 'not_seen', [fetchToken(), pay('a')]],
  ['as many calls as tokens', 'token.reused', 'not_seen', [pay('a', { token: 's' }), pay('b', { token: 't' })]],
  ['one early token', 'token.reused', 'not_seen', [fetchToken(), fetchToken(), ...paid(2)]],
  ['calls without a token', 'token.reused', 'not_seen', paid(3, { token: null })],
  ['calls that were forbidden with a token nobody saw fetched', 'token.reused', 'not_seen', paid(3, { httpStatus: 300 })],
  ['calls that came with a token and were refused for their signature', 'token.reused', 'held', [fetchToken(), ...paid(3, { httpStatus: 401, signature: 'invalid', answer: { code: '400.200' } })]],
  ['calls without signature that were refused for it', 'token.reused', 'held', [fetchToken(), ...paid(3, { httpStatus: 401, signature: 'missing', answer: { code: '400.200' } })]],
  ['calls refused for the token, wrongly signed, too', 'token.reused', 'not_seen', [fetchToken(), ...paid(3, { httpStatus: 401, signature: 'invalid', answer: { code: '400.001.100' } })]],
  ['calls refused with 401 and nothing else known', 'token.reused', 'not_seen', [fetchToken(), ...paid(3, { httpStatus: 401, answer: null })]],
  ['fetches that come with a header of their own', 'token.reused', 'not_seen', [1, 2, 3].map(() => ({ ...fetchToken(), token: 'Bearer t', answer: { access_token: 't' } }))],
  ['a token anew each time the old one was refused', 'token.reused', 'held', [fetchToken('1'), ...paid(2, { token: 'Bearer 1' }), unauthorized('400.001.100', { token: 'Bearer 1' }), fetchToken('2'), ...paid(2, { token: 'Bearer 2' }), unauthorized('400.001.100', { token: 'Bearer 2' }), fetchToken('3'), ...paid(2, { token: 'Bearer 3' })]],
  ['a token anew whenever the old one was refused, which is not early', 'token.reused', 'not_seen', [fetchToken('1'), pay('a', { token: 'Bearer 1' }), unauthorized('400.001.100', { token: 'Bearer 1' }), fetchToken('2'), pay('a', { token: 'Bearer 2' }), unauthorized('400.001.100', { token: 'Bearer 2' }), fetchToken('3'), pay('a', { token: 'Bearer 3' })]],
  ['balances with one token', 'token.reused', 'held', [1, 2, 3].map(() => call({ operation: 'balances', httpStatus: 200 }))],
  ['fetches that come with a token, and fewer calls', 'token.reused', 'not_seen', [...[1, 2, 3].map(() => ({ ...fetchToken(), token: 'Bearer t', body: null, answer: { access_token: 't' } })), ...paid(2)]],
  ['a token anew each time another was refused', 'token.reused', 'broken', [fetchToken('1'), unauthorized('400.001.100', { token: 'Bearer x' }), fetchToken('2'), unauthorized('400.001.100', { token: 'Bearer x' }), fetchToken('3'), pay('a', { token: 'Bearer 3' })]],
  ['a retry a quarter of a second early', 'rate_limit.honoured', 'held', after(limited('a'), 1750, pay('a'))],
  ['a retry earlier than that', 'rate_limit.honoured', 'broken', after(limited('a'), 1749, pay('a'))],
  ['a retry a second after a 429 without Retry-After', 'rate_limit.honoured', 'held', after(pay('a', { httpStatus: 429 }), 750, pay('a'))],
  ['a retry at once after such a 429', 'rate_limit.honoured', 'broken', after(pay('a', { httpStatus: 429 }), 749, pay('a'))],
  ['a retry at once where 0 seconds were wanted', 'rate_limit.honoured', 'held', after(pay('a', { httpStatus: 429, retryAfterSeconds: 0 }), 1, pay('a'))],
  ['a retry at once with the time of then', 'rate_limit.honoured', 'broken', after(payOther('a', {}, {}, { httpStatus: 429 }), 1, payOther('a', { timestamp: '2026-01-02T03:04:06Z' }))],
  ['another payment at once', 'rate_limit.honoured', 'not_seen', after(limited('a'), 1, pay('b'))],
  ['the status of the payment at once', 'rate_limit.honoured', 'not_seen', after(limited('a'), 1, ask({ transaction_reference: 'a' }))],
  ['balances at once', 'rate_limit.honoured', 'broken', after(call({ operation: 'balances', httpStatus: 429 }), 1, call({ operation: 'balances', httpStatus: 200 }))],
  ['balances of another currency at once', 'rate_limit.honoured', 'not_seen', after(call({ operation: 'balances', url: '/b?currency=KES', httpStatus: 429 }), 1, call({ operation: 'balances', url: '/b?currency=UGX' }))],
  ['the status of one payment at once, by its UUID', 'rate_limit.honoured', 'broken', after({ ...ask({ payment_uuid: '1' }), httpStatus: 429 }, 1, ask({ payment_uuid: '1' }))],
  ['the status of another payment at once, by its UUID', 'rate_limit.honoured', 'not_seen', after({ ...ask({ payment_uuid: '1' }), httpStatus: 429 }, 1, ask({ payment_uuid: '2' }))],
  ['a token for another product at once', 'rate_limit.honoured', 'not_seen', after({ ...fetchToken(), httpStatus: 429 }, 1, { ...fetchToken(), body: { product: 'collection' } })],
  ['a refusal with 428, and the same at once', 'rate_limit.honoured', 'not_seen', after(pay('a', { httpStatus: 428 }), 1, pay('a'))],
  ['one form sent again under a new reference', 'acceptance.both_forms', 'broken', [pay('a'), pay('b', { answer: otherForm }, 'x'), pay('c', { answer: duplicate }, 'x')]],
  ['both forms sent again', 'acceptance.both_forms', 'held', ['a', 'b'].flatMap((one) => [pay(one, one === 'a' ? {} : { answer: otherForm }), pay(one, { answer: duplicate })])],
  ['one of two of a form sent again', 'acceptance.both_forms', 'held', [pay('a'), pay('b', { answer: otherForm }), pay('c', { answer: otherForm }), pay('c', { answer: duplicate })]],
  ['the second form alone', 'acceptance.both_forms', 'not_seen', [pay('a', { answer: otherForm }), pay('b', { answer: otherForm })]],
  ['status records in the second form', 'acceptance.both_forms', 'not_seen', [pay('a'), { ...ask({ transaction_reference: 'a' }), answer: otherForm }]],
  ['refusals with the code of the second form', 'acceptance.both_forms', 'not_seen', [pay('a'), pay('b', { answer: { status: 'REJECTED', code: '100' } })]],
  ['refusals with the status of the second form', 'acceptance.both_forms', 'not_seen', [pay('a'), pay('b', { answer: { status: 'ACCEPTED', code: '400' } })]],
  ['refusals with the status of the first form', 'acceptance.both_forms', 'not_seen', [pay('a', { answer: { status: '200.100', code: 'PENDING' } }), pay('b', { answer: otherForm })]],
  ['refusals with the code of the first form', 'acceptance.both_forms', 'not_seen', [pay('a', { answer: { status: '400.100', code: 'ACCEPTED' } }), pay('b', { answer: otherForm })]],
  ['a duplicate sent once more', 'duplicate.understood', 'broken', [pay('a', { answer: duplicate }), pay('a')]],
  ['a status record of a refusal', 'duplicate.understood', 'not_seen', [{ ...ask({ transaction_reference: 'a' }), answer: duplicate }]],
  ['a refusal for the fields', 'duplicate.understood', 'not_seen', [pay('a', { answer: { status: '400.100', code: 'REJECTED' } }), pay('a')]],
  ['an acceptance', 'duplicate.understood', 'not_seen', [pay('a'), pay('a')]],
  ['a UUID as an answer gave it', 'status.payment_uuid', 'held', [pay('a', { answer: { data: { payment_uuid: '9f1c-11aa', payment_reference: 'PR1' } } }), ask({ payment_uuid: '9f1c-11aa' })]],
  ['a UUID as no answer gave it', 'status.payment_uuid', 'broken', [pay('a'), ask({ payment_uuid: '9f1c-11aa' })]],
  ['a number for a UUID', 'status.payment_uuid', 'broken', [call({ operation: 'status', body: { payment_uuid: 70_001 } })]],
  ['a payment reference of digits', 'status.payment_uuid', 'broken', [pay('a', { answer: { data: { payment_uuid: '1', payment_reference: '2' } } }), ask({ payment_uuid: '2' })]],
  ['digits with more in front of them', 'status.payment_uuid', 'broken', [ask({ payment_uuid: 'x70001' })]],
  ['digits with more behind them', 'status.payment_uuid', 'broken', [ask({ payment_uuid: '70001x' })]],
  ['digits that no answer gave', 'status.payment_uuid', 'held', [ask({ payment_uuid: '70001' })]],
  ['a status by reference', 'status.payment_uuid', 'not_seen', [pay('a'), ask({ transaction_reference: 'a' })]],
  ['a UUID in the body of a payout', 'status.payment_uuid', 'not_seen', [call({ body: { payment_uuid: 'PR1' } })]],
  ['the ISO form of a remittance', 'timestamp.form', 'held', [remit('2026-01-02T03:04:05Z')]],
  ['the plain form of a remittance', 'timestamp.form', 'held', [remit('2026-01-02 03:04:05')]],
  ['a day alone of a remittance', 'timestamp.form', 'broken', [remit('2026-01-02')]],
  ['a number of a remittance', 'timestamp.form', 'broken', [remit(1_767_323_045)]],
  ['no timestamp at all', 'timestamp.form', 'broken', [call({ body: { transaction: {} } })]],
  ['a body that was not kept', 'timestamp.form', 'not_seen', [call({ body: null })]],
  ['a collection without one', 'timestamp.form', 'not_seen', [call({ operation: 'collection', body: { transaction: {} } })]],
  ['balances that were refused', 'balances.checked', 'not_seen', [call({ operation: 'balances', httpStatus: 401 })]],
  ['another call that was answered', 'balances.checked', 'not_seen', [call({ operation: 'status', httpStatus: 200 })]],
  ['a retry in time after a limit that took long to tell', 'rate_limit.honoured', 'broken', after({ ...limited('a'), durationMs: 3000 }, 3500, pay('a'))],
  ['one that waited from its end', 'rate_limit.honoured', 'held', after({ ...limited('a'), durationMs: 3000 }, 5000, pay('a'))],
  ['one that was sent before the limit was told', 'rate_limit.honoured', 'not_seen', after({ ...limited('a'), durationMs: 3000 }, 100, pay('a'))],
  ['one at once, whose moment is rounded', 'rate_limit.honoured', 'broken', after({ ...limited('a'), durationMs: 10.4 }, 10, pay('a'))],
  ['a refusal that says ACCEPTED, then a new reference', 'reference.status_before_new', 'broken', [pay('a', { httpStatus: 409, answer: { code: 'ACCEPTED' } }, 'x'), pay('b', {}, 'x')]],
  ['a limit that says ACCEPTED, then a new reference', 'reference.status_before_new', 'not_seen', [pay('a', { httpStatus: 429 }, 'x'), pay('b', {}, 'x')]],
  ['an acceptance that is refused', 'acceptance.both_forms', 'not_seen', [pay('a', { httpStatus: 409 }), pay('b', { answer: otherForm })]],
]; // prettier-ignore

describe('the rules, at their limits,', () => {
  it.each(cases)('see %s: %s is %s', (_what, rule, verdict, calls) => {
    expect(judge(rule, calls).verdict).toBe(verdict);
  });

  it.each<[what: string, rule: RuleName, verdict: RuleVerdict, attempts: (number | null)[]]>([
    ['that nobody tried to deliver', 'webhook.answered', 'not_seen', []],
    ['answered 199', 'webhook.answered', 'broken', [199]],
    ['answered 200', 'webhook.answered', 'held', [200]],
    ['answered 299', 'webhook.answered', 'held', [299]],
    ['answered 300', 'webhook.answered', 'broken', [300]],
    ['not answered', 'webhook.answered', 'broken', [null]],
    ['never taken', 'webhook.duplicates', 'not_seen', [500, 500]],
    ['taken by the last attempt', 'webhook.duplicates', 'not_seen', [500, 200]],
    ['taken twice, then refused', 'webhook.duplicates', 'broken', [200, 200, 500]],
  ])('see a webhook %s: %s is %s', (_what, rule, verdict, attempts) => {
    expect(judge(rule, [], [webhook(...attempts)]).verdict).toBe(verdict);
  });
});

describe('the evidence', () => {
  const named = (id: string, one: BackendCall): BackendCall => ({ ...one, id });

  it.each<[what: string, rule: RuleName, calls: BackendCall[], ids: string[]]>([
    ['the unsigned and the wrongly signed', 'signature.sent', [pay('a'), named('b', pay('b', { signature: 'missing' })), named('c', pay('c', { signature: 'invalid' }))], ['b', 'c']],
    ['those whose signature verifies', 'signature.sent', [named('a', pay('a')), pay('b', { signature: null }), collect('c')], ['a']],
    ['all sends of a reference used twice', 'reference.unique', [named('a', pay('1', {}, 'x')), pay('2'), named('b', pay('1', {}, 'y'))], ['a', 'b']],
    ['the first send of each reference', 'reference.unique', [named('a', pay('1')), pay('1'), named('b', pay('2'))], ['a', 'b']],
    ['the failed send that was replaced', 'reference.reused_on_retry', [named('a', failed('1', 'x')), pay('2', {}, 'x'), failed('3'), pay('3')], ['a']],
    ['the failed send that was repeated', 'reference.reused_on_retry', [failed('1'), named('a', failed('3')), pay('3')], ['a']],
    ['the send whose status nobody asked for', 'reference.status_before_new', [named('a', failed('1', 'x')), pay('2', {}, 'x')], ['a']],
    ['the early fetches', 'token.reused', [fetchToken(), named('a', fetchToken()), named('b', fetchToken()), pay('1')], ['a', 'b']],
    ['the calls that a token served', 'token.reused', [fetchToken(), named('a', pay('1')), named('b', pay('2')), pay('3', { token: null })], ['a', 'b']],
    ['the call that came too early', 'rate_limit.honoured', after(limited('1'), 1, named('a', pay('1'))), ['a']],
    ['what was accepted in the misread form', 'acceptance.both_forms', [pay('1'), named('a', pay('2', { answer: otherForm })), pay('2', { answer: duplicate })], ['a']],
    ['the duplicate that was sent once more', 'duplicate.understood', [pay('1'), named('a', pay('1', { answer: duplicate })), named('b', pay('1', { answer: duplicate }))], ['a']],
    ['the query with the wrong UUID', 'status.payment_uuid', [ask({ payment_uuid: '1' }), named('a', ask({ payment_uuid: 'x' }))], ['a']],
    ['the send with the wrong timestamp', 'timestamp.form', [pay('1'), named('a', payOther('2', { timestamp: 'now' }))], ['a']],
    ['the query for balances', 'balances.checked', [pay('1'), named('a', call({ operation: 'balances', httpStatus: 200 }))], ['a']],
    ['the address with the secret', 'url.no_secret', [pay('1'), named('a', call({ hasSecretInUrl: true }))], ['a']],
  ])('names %s (%s)', (_what, rule, calls, ids) => {
    expect(judge(rule, calls).evidence).toEqual(ids);
  }); // prettier-ignore

  it('names the webhooks that were refused, or refused when they came again', () => {
    const webhooks = [
      { ...webhook(200), id: 'a' },
      { ...webhook(500, 200), id: 'b' },
      { ...webhook(200, 500), id: 'c' },
    ];
    expect(judge('webhook.answered', [], webhooks).evidence).toEqual(['b', 'c']);
    expect(judge('webhook.duplicates', [], webhooks).evidence).toEqual(['c']);
  });

  it('names twenty requests at most', () => {
    const { verdict, evidence } = judge('signature.sent', paid(21, { signature: 'missing' }));
    expect([verdict, evidence.length]).toEqual(['broken', 20]);
  });
});

describe('what the rules say', () => {
  it.each<[what: string, rule: RuleName, calls: BackendCall[], message: string]>([
    ['signed sends among others', 'signature.sent', [pay('a'), pay('b'), call({ operation: 'status' })], '2 of 2 payouts and remittances carried a signature that verifies.'],
    ['a body without a timestamp', 'timestamp.form', [call({ body: {} })], 'A timestamp is missing, or in another form than the interface has: payouts in ISO 8601 with Z, remittances YYYY-MM-DD HH:mm:ss.'],
    ['payments', 'reference.unique', [pay('a'), pay('a'), pay('b')], '2 payments, each with a reference of its own.'],
    ['a token for many calls', 'token.reused', [fetchToken(), ...paid(3)], '3 calls took one token.'],
    ['two tokens', 'token.reused', [1, 2].flatMap((one) => paid(2, { token: `Bearer ${one}` })), '4 calls took 2 tokens.'],
    ['a scheme in two spellings', 'token.reused', [...paid(2, { token: 'bearer t' }), ...paid(2, { token: 'Bearer t' })], '4 calls took one token.'],
    ['an early token', 'token.reused', [fetchToken(), ...paid(2), fetchToken(), ...paid(2)], '4 calls took one token. 2 were fetched, 1 of them while the one before had more than a minute left. The rule is broken by 2 early ones or more, where they are at least one for every 2 calls.'],
    ['early tokens', 'token.reused', [fetchToken(), fetchToken(), fetchToken(), pay('a')], '3 tokens were fetched for 1 calls, 2 of them while the one before had more than a minute left: keep a token until it expires. The rule is broken by 2 early ones or more, where they are at least one for every 2 calls.'],
    ['acceptances that were let be', 'acceptance.both_forms', [pay('a'), pay('b', { answer: otherForm })], 'Payments accepted in either form were not sent again.'],
    ['acceptances that were not all let be', 'acceptance.both_forms', [pay('a'), pay('a'), pay('b'), pay('c', { answer: otherForm })], 'Accepted payments were sent again in both forms, or only some of them: the form was not why.'],
  ])('of %s (%s)', (_what, rule, calls, message) => {
    expect(judge(rule, calls).message).toBe(message);
  }); // prettier-ignore
});
