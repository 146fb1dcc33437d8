import { expect, it } from 'vitest';
import { describeWebhook } from './describe-webhook';

const plain: Parameters<typeof describeWebhook>[0] = {
  respondedStatus: 200,
  rule: null,
  verdict: 'unsigned',
  verdictReason: null,
  webhookId: null,
  earlierAttempts: 0,
  answers: null,
  clientReference: null,
  paymentUuid: null,
  headers: [],
};

it('says how a webhook was answered, what its signature is, and nothing that is not known', () => {
  expect(describeWebhook(plain)).toEqual(['Answered HTTP 200', 'Signature: unsigned']);
  expect(describeWebhook({ ...plain, respondedStatus: 0, rule: 'drop', verdict: null })).toEqual([
    'Connection closed by the rule drop',
    'Signature: not looked at',
  ]);
});

it('does not say of a webhook with the signature of another scheme that it has none', () => {
  const headers: [string, string][] = [['X-Hub-Signature-256', 'sha256=00']];
  expect(describeWebhook({ ...plain, headers })[1]).toBe(
    "Signature: none by Standard Webhooks; X-Hub-Signature-256 is another scheme's, not looked at",
  );
  expect(describeWebhook({ ...plain, headers, verdict: 'valid' })[1]).toBe('Signature: valid');
});

it('says which attempt it is, which request it answers, and why a signature does not hold, each in one line', () => {
  const answers = {
    exchangeId: 'x',
    title: 'Salary\npayout',
    operation: 'payout',
    sentAt: 0,
    currency: null,
  };
  const told = describeWebhook({
    ...plain,
    verdict: 'invalid',
    verdictReason: 'no secret fits',
    webhookId: 'msg_1',
    earlierAttempts: 2,
    answers,
  });
  expect(told.slice(1, 3)).toEqual([
    'Signature: invalid, no secret fits',
    'Attempt 3 with the webhook-id msg_1',
  ]);
  expect(told[3]).toMatch(/^It answers Salary.*payout, sent 1970-01-01T00:00:00.000Z$/);
  expect(describeWebhook({ ...plain, clientReference: 'R' }).at(-1)).toBe('It answers no request known here');
  expect(describeWebhook({ ...plain, clientReference: 'R', answersOneOf: 2 }).at(-1)).toBe(
    'It answers one of 2 payments with its reference, each at a service of its own: nobody can tell which',
  );
});
