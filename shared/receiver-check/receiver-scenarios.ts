/** What the receiver check plays, in its order: what is sent, and what a receiver has to do. Closed; scripts rely on the names. */
export const receiverScenarios = {
  success: 'A payment has succeeded: answered 2xx in time',
  failed: 'A payment has failed: answered 2xx in time',
  canceled: 'A payment was canceled: answered 2xx in time',
  duplicate: 'The same delivery twice: 2xx both times, its effect once',
  'duplicate-at-once': 'The same delivery twice at the same moment: 2xx both times, its effect once',
  'out-of-order': 'An older status after the final one: 2xx, and the final one stays',
  late: 'The final status once more, in a delivery of its own, when it is known already: 2xx, no second effect',
  'unknown-reference': 'A reference that nobody gave out: 2xx, or the service tries again for a day',
  'unknown-status': 'A status that the interface does not list: 2xx',
  'extra-fields': 'Members that nobody has seen before: 2xx',
  'missing-meta': 'No metadata at all: 2xx',
  'large-payment-uuid': 'Payment UUIDs above 2^53, one apart: 2xx, and they stay two payments',
  'amount-form': 'The amount as 1000.00, then as 1000: 2xx both times, one effect',
  'large-meta': 'One megabyte of metadata: 2xx',
  'slow-sender': 'A webhook that takes two seconds to arrive: waited for, then 2xx',
  'wrong-signature':
    'Signed with another secret, not at all, or right but for the end: refused, without an effect',
  'old-signature': 'A signature that is an hour old: refused, without an effect',
  'rotated-signature': 'Two signatures while secrets are rotated, the second by yours: 2xx',
  redirect: 'No redirect for an answer: the service follows none',
  retries: 'A delivery whose answer was lost, sent again until it is answered 2xx: its effect once',
} as const;

export type ReceiverScenario = keyof typeof receiverScenarios;

export const receiverScenarioNames = Object.keys(receiverScenarios) as readonly ReceiverScenario[];

/** Those that are about effects, too: without the receiver's state the answers are all that can be judged. */
export const effectScenarios: ReadonlySet<ReceiverScenario> = new Set([
  'duplicate',
  'duplicate-at-once',
  'out-of-order',
  'late',
  'large-payment-uuid',
  'amount-form',
  'wrong-signature',
  'old-signature',
  'retries',
]);

/** What one scenario showed. */
export interface ScenarioResult {
  readonly scenario: ReceiverScenario;
  readonly verdict: 'pass' | 'fail';
  readonly reason: string;
  /** The slowest answer, from the last byte of the webhook to the end of the answer; milliseconds. */
  readonly elapsedMs: number;
  /** It could not be judged with what was given, and counts as passed. */
  readonly isSkipped: boolean;
  /** It passed by its answers alone: nobody could see what it did. */
  readonly isAnswerOnly: boolean;
}

/** How a check ended, in a sentence; what was not judged is no success. */
export function summarizeResults(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ verdict }) => verdict === 'fail').length;
  const counted = `${results.length} ${results.length === 1 ? 'scenario' : 'scenarios'}`;
  const end = failed === 0 ? `${counted} played, none failed` : `${failed} of ${counted} failed`;
  const isBlind = results.some(({ isAnswerOnly }) => isAnswerOnly);
  const next = isBlind
    ? ['a state address (--state-url) that shows what they did lets it judge that, too']
    : [];
  return [end, ...describeUnjudged(results), ...next].join('; ');
}

/** What a check left open, and what would close it. */
export function describeUnjudged(
  results: readonly Pick<ScenarioResult, 'isSkipped' | 'isAnswerOnly'>[],
): string[] {
  const skipped = results.filter(({ isSkipped }) => isSkipped).length;
  const answers = results.filter(({ isAnswerOnly }) => isAnswerOnly).length;
  return [
    ...(skipped === 0 ? [] : [`${skipped} not judged without a secret`]),
    ...(answers === 0 ? [] : [`${answers} by their answers alone`]),
  ];
}
