import type { Expectation, WebhookCondition } from '@shared/expect/expectation';
import { judgeNoWebhook, judgeState, judgeWebhooks } from '@shared/expect/judge-waits';
import { failed, type ExpectationVerdict, type Fill } from '@shared/expect/verdict';
import { isTerminalState, paymentStates, readWebhookState } from '@shared/payments/tables/states';
import type { PlacedExpectation } from '@shared/run/read-directives';
import type { ExpectationResult, RequestOutcome } from '@shared/run/run-result';
import { toResult } from './judge-request';
import type { ArrivedWebhook } from './webhook-hub';

/** What is known of a payment that an earlier run sent. */
export interface ResumedFacts {
  /** Null: the status query did not tell. */
  readonly state: string | null;
  /** Those that the inbox has, and those that came since. */
  readonly webhooks: readonly ArrivedWebhook[];
  /** What the earlier run judged by the answer, by line. */
  readonly judged: ReadonlyMap<number, 'held' | 'failed'>;
  readonly fill: Fill;
}

const cutOff = 'not judged: the run was cut off after it was sent';

/** Tells whether a webhook asks for one final state by name, and the payment has come to another. */
function isRuledOut({ subject, comparison }: WebhookCondition, state: string | null, fill: Fill): boolean {
  if (subject !== 'status' || comparison.operator !== '==' || comparison.isNegated) return false;
  const wanted = readWebhookState(fill(comparison.value.text));
  return wanted !== null && state !== null && isTerminalState(state) && wanted !== state;
}

/** A webhook that was missed cannot be told from none; one that its final state rules out can. */
function judgeWebhook(
  expectation: Extract<Expectation, { kind: 'webhook' }>,
  { webhooks, state, fill }: ResumedFacts,
): ExpectationVerdict | null {
  const { count, conditions } = expectation;
  const verdict = judgeWebhooks(expectation, webhooks, count === null, fill);
  if (verdict === null || verdict.isHeld || count !== null) return verdict;
  if (!conditions.some((condition) => isRuledOut(condition, state, fill))) return null;
  return failed(
    verdict.expected,
    `${verdict.received}; the payment is ${state ?? ''}`,
    'Look at the payment, or correct the expectation.',
  );
}

/** A state that has passed may have held while nobody looked. */
function judgePassedState(
  expectation: Extract<Expectation, { kind: 'state' }>,
  { state, fill }: ResumedFacts,
): ExpectationVerdict | null {
  if (state === null) return null;
  const verdict = judgeState(expectation, { state, why: '' }, true, fill);
  if (verdict === null || verdict.isHeld) return verdict;
  const mayHaveHeld = paymentStates.some(
    (one) =>
      !isTerminalState(one) && judgeState(expectation, { state: one, why: '' }, true, fill)?.isHeld === true,
  );
  return mayHaveHeld ? null : verdict;
}

function judgeKnown(expectation: Expectation, facts: ResumedFacts): ExpectationVerdict | null {
  if (expectation.kind === 'webhook') return judgeWebhook(expectation, facts);
  if (expectation.kind === 'no_webhook') return judgeNoWebhook(expectation, facts.webhooks, false);
  if (expectation.kind === 'state') return judgePassedState(expectation, facts);
  return null;
}

/** What is compared with a value that the lost answer gave is not judged either. */
function judge(expectation: Expectation, facts: ResumedFacts): ExpectationVerdict | null {
  let isUnfilled = false;
  const fill: Fill = (text) => {
    try {
      return facts.fill(text);
    } catch (error) {
      isUnfilled = true;
      throw error;
    }
  };
  const verdict = judgeKnown(expectation, { ...facts, fill });
  return isUnfilled ? null : verdict;
}

/**
 * Judges a request that an earlier run sent by its own expectations, as far as what is known reaches.
 *
 * What only the lost answer, the time or a webhook that nobody received would tell is not judged: it has neither held nor failed.
 */
export function judgeResumed(placed: readonly PlacedExpectation[], facts: ResumedFacts): ExpectationResult[] {
  return placed.map((one) => {
    const { text, line } = one;
    const before = facts.judged.get(line);
    if (before !== undefined) {
      const advice =
        before === 'held' ? null : 'The run before judged it by the answer, and reported what came.';
      return { text, line, outcome: before, expected: text, received: `${before} in the run before`, advice };
    }
    const result = toResult(one, judge(one.expectation, facts));
    return result.outcome === 'unfinished' ? { ...result, received: cutOff } : result;
  });
}

/**
 * Says how such a request came out.
 *
 * @returns `skipped` where nothing of it could be judged: it has not passed; `unfinished` where a later run may still tell
 */
export function decideResumed(
  expectations: readonly ExpectationResult[],
  state: string | null,
): RequestOutcome {
  const has = (wanted: ExpectationResult['outcome']): boolean =>
    expectations.some(({ outcome }) => outcome === wanted);
  if (has('failed')) return 'failed';
  if (state === null || !isTerminalState(state)) return has('unfinished') ? 'unfinished' : 'passed';
  return has('held') || expectations.length === 0 ? 'passed' : 'skipped';
}
