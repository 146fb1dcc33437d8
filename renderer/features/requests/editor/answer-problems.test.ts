import { expect, it } from 'vitest';
import { makeExchange } from '../test-support';
import { listAnswerProblems } from './answer-problems';

const sent = '{"transaction":{"reference":"R-1"},"recipient":{"account":"12"}}';
const answered = (field: string, body = sent) => {
  const base = makeExchange();
  const reading = { ...base.reading!, fieldErrors: [{ field, message: 'is too short' }] };
  return { exchange: { ...base, request: { ...base.request, body }, reading } };
};
const edited = (body: string, prepared = body) =>
  ({ block: { body }, prepared: { body: prepared } }) as unknown as Parameters<typeof listAnswerProblems>[1];

it('marks the field that the answer names, where it stands in the body as edited', () => {
  const body = '{"transaction":{"reference":"{{$uuid}}"},\n  "recipient":{"account":"12"}}';
  const [problem] = listAnswerProblems(answered('recipient.account'), edited(body, sent));
  expect(body.slice(problem!.range!.start, problem!.range!.end)).toBe('"12"');
  expect(problem).toMatchObject({
    severity: 'error',
    message: 'The service: recipient.account: is too short',
  });
});

it('marks the object that a missing field belongs to', () => {
  const [problem] = listAnswerProblems(answered('recipient.name'), edited(sent));
  expect(sent.slice(problem!.range!.start, problem!.range!.end)).toBe('{"account":"12"}');
});

it('marks nothing that was changed since, that is not there, or of an answer without fields', () => {
  expect(listAnswerProblems(answered('recipient.account'), edited(sent.replace('"12"', '"123"')))).toEqual(
    [],
  );
  expect(listAnswerProblems(answered('nowhere.at'), edited(sent))).toEqual([]);
  expect(listAnswerProblems(answered(''), edited(sent))).toEqual([]);
  expect(listAnswerProblems({ exchange: null }, edited(sent))).toEqual([]);
});
