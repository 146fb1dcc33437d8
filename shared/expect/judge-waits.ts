import type { HeaderList } from '../contract/common';
import type { JsonNode } from '../json/json-tree';
import { formatDecimal, parseDecimal, subtractLiterals, compareDecimals } from '../payments/decimal';
import { isTerminalState } from '../payments/tables/states';
import { compareValue, describeComparison } from './compare-values';
import type { Comparison, Expectation, WebhookCondition } from './expectation';
import { findNode } from './json-path';
import { failed, held, judgeFilled, type Fill, type ExpectationVerdict } from './verdict';
import { showPlaced } from './write-json';

/** A webhook that belongs to the request. */
export interface WebhookFacts {
  readonly id: string;
  readonly receivedAt: number;
  readonly headers: HeaderList;
  readonly body: string;
  /** Null: there is nothing to look into. */
  readonly tree: JsonNode | null;
  /** What the body is instead ('not JSON'); null: there is a tree. */
  readonly whyUnread: string | null;
}

type WebhookExpectation = Extract<Expectation, { kind: 'webhook' }>;

const seconds = (ms: number): string => `${ms / 1000} s`;

function fits({ subject, comparison }: WebhookCondition, { tree, whyUnread }: WebhookFacts): boolean {
  // Of a body that nobody could look into, no denial holds either.
  if (whyUnread !== null) return false;
  const path = subject === 'status' ? { keys: ['status'] } : subject;
  return compareValue(findNode(tree, path), comparison).isHeld;
}

function describeConditions(conditions: readonly WebhookCondition[]): string {
  return conditions
    .map(({ subject, comparison }) => {
      const what = subject === 'status' ? 'status' : `body ${subject.typed}`;
      return ` ${what} ${describeComparison(comparison)}`;
    })
    .join('');
}

/** Says what came instead: of each webhook the values that were asked for. */
function describeWebhooks(
  webhooks: readonly WebhookFacts[],
  conditions: readonly WebhookCondition[],
): string {
  if (webhooks.length === 0) return 'none';
  const asked = conditions.length === 0 ? [{ subject: 'status' as const }] : conditions;
  return webhooks
    .slice(0, 5)
    .map(({ tree, whyUnread }) => {
      if (whyUnread !== null) return `a body that is ${whyUnread}`;
      return asked
        .map(({ subject }) => {
          const path = subject === 'status' ? { keys: ['status'], typed: 'status' } : subject;
          return showPlaced(path.typed, findNode(tree, path));
        })
        .join(', ');
    })
    .join('; ');
}

/**
 * Judges the webhooks that came so far.
 *
 * An exact count is judged at the end of the window alone; everything else holds with the first webhook that fits.
 * @param isOver - the window has ended
 * @returns null: it is too early to say
 */
export function judgeWebhooks(
  { withinMs, count, conditions }: WebhookExpectation,
  webhooks: readonly WebhookFacts[],
  isOver: boolean,
  fill: Fill,
): ExpectationVerdict | null {
  const filled: WebhookCondition[] = [];
  for (const { subject, comparison } of conditions) {
    const verdict = judgeFilled(comparison, fill, (one) => {
      // A pattern that cannot be read fails here, before any webhook came.
      compareValue({ kind: 'string', text: '' }, one);
      filled.push({ subject, comparison: one });
      return held('', '');
    });
    if (!verdict.isHeld) return verdict;
  }
  const fitting = webhooks.filter((webhook) => filled.every((condition) => fits(condition, webhook)));
  const wanted = count === null ? '' : ` count ${describeComparison(count)}`;
  const expected = `webhook within ${seconds(withinMs)}${wanted}${describeConditions(filled)}`;
  if (count !== null && !isOpenEnded(count) && !isOver) return null;
  const isHeld = count === null ? fitting.length > 0 : isCounted(count, fitting.length);
  if (isHeld) return held(expected, describeWebhooks(fitting, filled));
  if (!isOver) return null;
  const came = describeWebhooks(webhooks, filled);
  const counted = `${fitting.length} of ${webhooks.length}${webhooks.length === 0 ? '' : ` (${came})`}`;
  const received = count === null ? came : counted;
  return failed(expected, received, adviseWebhook(webhooks.length, fitting.length));
}

const isCounted = (count: Comparison, received: number): boolean =>
  compareValue({ kind: 'number', text: String(received) }, count).isHeld;

/** `>` and `>=` only become truer. */
const isOpenEnded = ({ operator, isNegated }: Comparison): boolean =>
  (operator === '>' || operator === '>=') && !isNegated;

function adviseWebhook(received: number, fitting: number): string {
  if (received === 0) {
    return 'See that callback_url leads to this machine, and ask the status of the payment: it may not be final yet.';
  }
  if (fitting === 0)
    return 'A webhook came with other values: look at the payment, or correct the expectation.';
  return 'Look at the webhooks of this payment, or correct the count; what comes after the window is not counted.';
}

/** Judges that no webhook came. @returns null: none did yet */
export function judgeNoWebhook(
  { forMs }: Extract<Expectation, { kind: 'no_webhook' }>,
  webhooks: readonly WebhookFacts[],
  isOver: boolean,
): ExpectationVerdict | null {
  const expected = `no webhook for ${seconds(forMs)}`;
  if (webhooks.length > 0) {
    const received = describeWebhooks(webhooks, []);
    return failed(
      expected,
      received,
      'Look at the webhook: the payment was not stopped where it should have been.',
    );
  }
  return isOver ? held(expected, 'none') : null;
}

/**
 * Judges the state of a payment.
 *
 * @param state - null: the status query did not tell
 * @returns null: it may still become what is expected; a final state that is another does not
 */
export function judgeState(
  { withinMs, comparison }: Extract<Expectation, { kind: 'state' }>,
  { state, why }: { state: string | null; why: string },
  isOver: boolean,
  fill: Fill,
): ExpectationVerdict | null {
  let isUndecided = false;
  const verdict = judgeFilled(comparison, fill, (filled) => {
    const expected = `state within ${seconds(withinMs)} ${describeComparison(filled)}`;
    const received = state ?? why;
    const node: JsonNode | null = state === null ? null : { kind: 'string', text: state };
    if (compareValue(node, filled).isHeld) return held(expected, received);
    isUndecided = !isOver && (state === null || !isTerminalState(state));
    const isFinal = state !== null && isTerminalState(state);
    const advice = isFinal
      ? 'The payment is final: look at its webhook, and at the description in the status answer.'
      : 'Ask again later, or give it more time; `countersign status --watch` waits.';
    return failed(expected, received, advice);
  });
  return isUndecided ? null : verdict;
}

/**
 * Judges how a wallet's balance changed.
 *
 * That nothing changes is judged at the end of the window: it holds at its beginning, too.
 * @returns null: it is too early to say
 */
export function judgeBalance(
  { change, withinMs }: Extract<Expectation, { kind: 'balance' }>,
  balances: { before: string; now: string; currency: string },
  isOver: boolean,
  fill: Fill,
): ExpectationVerdict | null {
  let isUndecided = false;
  const value = { text: change, isQuoted: false };
  const verdict = judgeFilled({ operator: '==', isNegated: false, value }, fill, (filled) => {
    const text = 'value' in filled ? filled.value.text.replace(/^\+/, '') : '';
    const expected = `balance changes by ${text} within ${seconds(withinMs)}`;
    const wanted = parseDecimal(text);
    const changed = subtractLiterals(balances.now, balances.before);
    const received = `${changed === null ? 'unreadable' : formatDecimal(changed)} ${balances.currency} (${balances.before} → ${balances.now})`;
    if (wanted === null) return failed(expected, received, `'${text}' is no amount: write -1515 or 20.50.`);
    const isEqual = changed !== null && compareDecimals(changed, wanted) === 0;
    isUndecided = !isOver && (!isEqual || wanted.units === 0n);
    return isEqual
      ? held(expected, received)
      : failed(
          expected,
          received,
          'Amount and charge leave a wallet when the payment is final: see its state, and who else pays from this wallet.',
        );
  });
  return isUndecided ? null : verdict;
}
