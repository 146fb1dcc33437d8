import { describe, expect, it } from 'vitest';
import { readAnswerBody } from '@shared/expect/judge-answer';
import { judgeCapture, type LastAnswer } from './judge-lines';

const body =
  '{"data":{"payment_uuid":"12345678","amount":1000.00,"list":[1,{"a":2}],"none":null,"empty":""},"access_token":"abcdefghijklmnop"}';
const answer: LastAnswer['answer'] = {
  operation: 'payout',
  httpStatus: 201,
  headers: [
    ['X-Request-Id', 'r-1'],
    ['Set-Cookie', 'sid=0123456789abcdef'],
  ],
  ...readAnswerBody(body, { headers: [], sizeBytes: 100, isCut: false }),
  totalMs: 1,
  summary: '',
  outcome: null,
  signature: null,
};
const judge = (line: string) => judgeCapture(line, { answer, why: '' });

describe('judgeCapture', () => {
  it.each([
    ['id = body data.payment_uuid', 'Takes 12345678'],
    ['amount = body data.amount', 'Takes 1000.00'],
    ['item = body /data/list/1', 'Takes {"a":2}'],
    ['none = body data.none', 'Takes null'],
    ['empty = body data.empty', 'Takes an empty text'],
    ['id = header x-request-id', 'Takes r-1'],
    ['any = body access_token', 'Takes ••••••••'],
    ['api_key = body data.payment_uuid', 'Takes ••••••••'],
    ['cookie = header Set-Cookie', 'Takes sid=…cdef'],
  ])('says what %s takes', (line, text) => {
    expect(judge(line)).toEqual({ tone: 'held', text });
  });

  it.each([
    ['id = body data.uuid', /^Finds nothing: .*payment_uuid, amount/],
    ['id = header x-other', /^Finds nothing: /],
  ])('says that %s finds nothing, and what is there', (line, text) => {
    expect(judge(line)).toEqual({ tone: 'failed', text: expect.stringMatching(text) as string });
  });

  it('leaves webhooks to the run, waits for an answer, and tells a line that is none', () => {
    expect(judge('id = webhook payment_uuid')).toEqual({
      tone: 'open',
      text: 'Taken in a run, from its webhook',
    });
    expect(judgeCapture('id = body x', { answer: null, why: 'No answer yet' })).toEqual({
      tone: 'open',
      text: 'No answer yet',
    });
    expect(judge('id body x')).toMatchObject({ tone: 'fault' });
  });

  it('says that a value for this run hides what is captured by its name, and no other', () => {
    const given = { id: 'I-1' };
    const say = (line: string) => judgeCapture(line, { answer, why: '' }, given);
    const hides = 'but {{id}} stays the value for this run, which is set in Environments';
    expect(say('id = body data.payment_uuid')).toEqual({ tone: 'open', text: `Takes 12345678, ${hides}` });
    expect(say('id = webhook status')).toEqual({
      tone: 'open',
      text: `Taken in a run, from its webhook, ${hides}`,
    });
    expect(say('other = body data.payment_uuid')).toEqual({ tone: 'held', text: 'Takes 12345678' });
  });

  it('says of an answer that is cut that it is not read', () => {
    const cut = { ...answer, ...readAnswerBody(body, { headers: [], sizeBytes: 100, isCut: true }) };
    expect(judgeCapture('id = body data.payment_uuid', { answer: cut, why: '' })).toMatchObject({
      tone: 'failed',
    });
  });
});
