import { writeJson } from '../../json/write-json';
import type { AnswerRule, RuleAnswer, RuleConditions } from './answer-rules';

/** What a rule asks of a webhook, in words; 'any webhook' where it asks nothing. */
export function describeConditions({ method, path, header, query, body }: RuleConditions): string {
  const asked = [
    method,
    path,
    ...Object.entries(query).map(([name, value]) => `?${name}=${value}`),
    ...Object.entries(header).map(([name, value]) => `${name}: ${value}`),
    ...body.map(({ steps, value }) => `${steps.join('.')} = ${writeJson(value)}`),
  ].filter((one) => one !== undefined);
  return asked.length === 0 ? 'any webhook' : asked.join(', ');
}

/** What a rule answers, in words, one after the other. */
export function describeRuleAnswers({ failFirst, answers }: AnswerRule): string {
  const first = failFirst === 0 ? [] : [failFirst === 1 ? '500 once' : `500 ${failFirst} times`];
  const rest = answers.length === 0 ? ['the usual answer'] : answers.map(describeAnswer);
  return [...first, ...rest].join(', then ');
}

function describeAnswer({ status, delayMs, isDropped }: RuleAnswer): string {
  const what = isDropped ? 'no answer, closed' : String(status);
  return delayMs === 0 ? what : `${what} after ${delayMs} ms`;
}
