import { expect, it } from 'vitest';
import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { RuleAnswers } from '@shared/webhooks/rules/rule-answers';
import { countProcessorMs } from '../../test/support/processor-time';
import { answerAsUsual, chooseAnswer } from './choose-answer';
import { toFilterSubject } from './filter-subject';
import { readLogRow } from './inbox-log';
import type { WebhookRequest } from './webhook-server';

const usual = answerAsUsual({ respondStatus: 200, delayMs: 0 });
const open = (...rules: object[]) => ({
  usual,
  rules: new RuleAnswers(parseRules(JSON.stringify({ version: 1, rules }))),
});
const webhook = ({ body = '{}', path = '/hooks', headers = '' } = {}): WebhookRequest => ({
  method: 'POST',
  path,
  head: Buffer.from(`POST ${path} HTTP/1.1\r\nHost: x${headers}`),
  body: Buffer.from(body),
});
const LONGEST = 1024 * 1024;
const padded = (bytes: number): string => `{"status":"FAILED","pad":"${'x'.repeat(bytes - 28)}"}`;

it('takes all values of a header, whatever the case of its name', () => {
  const rules = open({ name: 'one', when: { header: { 'X-A': 'two' } }, answer: { body: '{{header.x-a}}' } });
  const { rule, body } = chooseAnswer(rules, webhook({ headers: '\r\nx-A: one\r\nX-a: two' }));
  expect([rule, body]).toEqual(['one', 'one']);
});

it('looks into bodies of up to 1 MiB, and into no longer one: whoever sends it would hold up all others', () => {
  expect(padded(LONGEST).length).toBe(LONGEST);
  const rules = open({ name: 'one', when: { body: { '/status': 'FAILED' } }, answer: {} });
  const ruled = [LONGEST, LONGEST + 1].map(
    (size) => chooseAnswer(rules, webhook({ body: padded(size) })).rule,
  );
  expect(ruled).toEqual(['one', null]);

  const items = `{"status":[${'1,'.repeat(20_000_000)}1]}`;
  const processorMs = countProcessorMs();
  expect(chooseAnswer(rules, webhook({ body: items })).rule).toBeNull();
  const { head } = webhook();
  const row = {
    id: 1,
    received_at: 1,
    responded_status: 200,
    remote_address: null,
    rule: null,
    full_bytes: null,
  };
  const raw = Buffer.concat([head, Buffer.from(items)]);
  const subject = toFilterSubject(readLogRow({ ...row, raw, head_size: head.length }));
  expect(subject.body() === null).toBe(true);
  expect(processorMs()).toBeLessThan(1000);
});

const many = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('');
it('fetches no body for a filter that is too long to be looked into', () => {
  const fetched: string[] = [];
  const stored = (name: string, bytes: number) => {
    const raw = Buffer.concat([webhook().head, Buffer.from(padded(bytes))]);
    const facts = {
      received_at: 1,
      responded_status: 200,
      remote_address: null,
      rule: null,
      full_bytes: null,
    };
    const { row, headers, body } = readLogRow({ id: 1, ...facts, raw, head_size: webhook().head.length });
    return {
      row,
      headers,
      get body() {
        fetched.push(name);
        return body;
      },
    };
  };
  const trees = [LONGEST, LONGEST + 1].map((size) => toFilterSubject(stored(`${size}`, size)).body());
  expect([trees[0]?.kind, trees[1], fetched]).toEqual(['object', null, [`${LONGEST}`]]);
});

it.each([
  ['one long value', '{{body.a}}'.repeat(20_000), { body: `{"a":[${'{"b":1},'.repeat(100_000)}1]}` }],
  [
    'by many paths',
    many(12_000, (at) => `{{body.a.${at}}}`),
    { body: `{"a":[${'"some text",'.repeat(80_000)}1]}` },
  ],
  ['headers', many(14_000, (at) => `{{header.h${at}}}`), { headers: '\r\na:'.repeat(15_000) }],
  ['parameters', many(14_000, (at) => `{{query.q${at}}}`), { path: `/?${'a=%41&'.repeat(2600)}` }],
])('fills thousands of templates at once: %s', (_what, body, given) => {
  const rules = open({ name: 'one', answer: { body } });
  const processorMs = countProcessorMs();
  const answer = chooseAnswer(rules, webhook(given));
  expect([answer.rule, answer.body.length <= LONGEST]).toEqual(['one', true]);
  expect(processorMs()).toBeLessThan(1000);
});
