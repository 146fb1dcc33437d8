import { isSameJson } from '../../json/json-equal';
import { writeJson } from '../../json/write-json';
import { findNode } from '../filter/match-filter';
import type { AnswerRule, RuleAnswer, RuleConditions, RuledAnswer, RuleRequest } from './answer-rules';
import { createFiller, readQuery } from './fill-template';

/** So many webhook-ids are counted for each rule; the oldest are forgotten. */
const MAX_COUNTED = 10_000;
/** Clients give up on an answer whose head is longer than some kilobytes. */
const LONGEST_HEADER = 4096;
const FAILURE = { status: 500, headers: [], body: '', delayMs: 0, isDropped: false } as const;

/** RFC 3986 §2.1: `%c3` and `%C3` are the same. */
const isSamePath = (one: string, other: string): boolean =>
  one === other || capitalizeEscapes(one) === capitalizeEscapes(other);

const capitalizeEscapes = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());

/** Tells whether a webhook looks as a rule asks. */
export function matchesRule(when: RuleConditions, request: RuleRequest): boolean {
  if (when.method !== undefined && when.method !== request.method.toUpperCase()) return false;
  if (when.path !== undefined && !isSamePath(when.path, request.path.split('?', 1)[0]!)) return false;
  const hasHeader = ([name, value]: [string, string]): boolean => request.headers(name).includes(value);
  if (!Object.entries(when.header).every(hasHeader)) return false;
  const wanted = Object.entries(when.query);
  if (wanted.length > 0) {
    const query = readQuery(request.path);
    if (!wanted.every(([name, value]) => query.some((one) => one[0] === name && one[1] === value)))
      return false;
  }
  return when.body.every(({ steps, value }) => {
    const found = findNode(request.body(), steps);
    return found !== null && isSameJson(found, value);
  });
}

/**
 * Answers webhooks by rules: the first that fits.
 *
 * Counts what each rule has answered, for webhooks of one webhook-id together, those without one together.
 */
export class RuleAnswers {
  #rules: readonly AnswerRule[] = [];
  /** By rule as written, then by webhook-id. */
  #counts = new Map<string, Map<string, number>>();

  constructor(rules: readonly AnswerRule[] = []) {
    this.setRules(rules);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Takes other rules; what a rule has answered counts on where it stays as it was. */
  setRules(rules: readonly AnswerRule[]): void {
    const known = this.#counts;
    this.#rules = rules;
    this.#counts = new Map(
      rules.map(({ source }) => [source, known.get(source) ?? new Map<string, number>()]),
    );
  }

  /** @returns null where no rule fits */
  answer(request: RuleRequest): RuledAnswer | null {
    const rule = this.#rules.find(({ when }) => matchesRule(when, request));
    if (rule === undefined) return null;
    const earlier = this.#count(rule, request.headers('webhook-id')[0] ?? '');
    if (earlier < rule.failFirst) return { rule: rule.name, answer: FAILURE };
    const at = Math.min(earlier - rule.failFirst, rule.answers.length - 1);
    const answer = rule.answers[at];
    return { rule: rule.name, answer: answer === undefined ? null : fillAnswer(answer, request) };
  }

  #count({ source }: AnswerRule, webhookId: string): number {
    const counts = this.#counts.get(source)!;
    const earlier = counts.get(webhookId) ?? 0;
    // Taken out and put back: what was counted longest ago stands first.
    counts.delete(webhookId);
    counts.set(webhookId, earlier + 1);
    if (counts.size > MAX_COUNTED) counts.delete(counts.keys().next().value!);
    return earlier;
  }
}

function fillAnswer(
  { status, headers, body, delayMs, isDropped }: RuleAnswer,
  request: RuleRequest,
): RuledAnswer['answer'] {
  const fill = createFiller(request);
  return {
    status,
    // A line break from a webhook must not become a header of ours, nor what HTTP cannot carry.
    headers: headers.map(([name, value]): [string, string] => [
      name,
      fill(value)
        .replace(/[^\t\x20-\x7e]+/g, ' ')
        .slice(0, LONGEST_HEADER),
    ]),
    body: typeof body === 'string' ? fill(body) : writeJson(body, fill),
    delayMs,
    isDropped,
  };
}
