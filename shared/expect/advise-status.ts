import type { HeaderList, Operation } from '../contract/common';
import type { Reading } from '../contract/sending';
import { findHeader } from '../find-header';
import type { JsonNode } from '../json/json-tree';
import { isOutcomeUnknown } from '../payments/payment-outcome';
import { findRecord, readFieldErrors } from '../payments/read-answer';
import { isTooLong, readRetryAfterMs } from '../payments/retry-after';
import { isProduct } from '../payments/tables/products';

/** What of an answer tells why it is not the one that was expected. */
interface AnswerFacts {
  readonly operation: Operation;
  readonly httpStatus: number;
  readonly headers: HeaderList;
  readonly tree: JsonNode | null;
  /** What it means; null: nobody read it. */
  readonly outcome: Reading['outcome'] | null;
}

/** So many fields are named; whole, as all of a verdict: it is masked before it is shortened. */
const mostFields = 5;

/** Names the fields that an answer refuses, with what it says of each; null: it names none. */
function describeFields({ tree }: Pick<AnswerFacts, 'tree'>): string | null {
  const named = readFieldErrors(tree, findRecord(tree)).filter(
    ({ field, message }) => field + message !== '',
  );
  if (named.length === 0) return null;
  const shown = named
    .slice(0, mostFields)
    .map(({ field, message }) => [field, message].filter((part) => part !== '').join(': '));
  const count = named.length > shown.length ? ` ${named.length} fields, of which the first are` : '';
  return `${count}: ${shown.join('; ')}`;
}

const notTaken: ReadonlySet<Reading['outcome'] | null> = new Set([
  'rejected',
  'failed',
  'unauthorized',
  'not_found',
  'unknown',
]);

/** What to do where another status came than was expected. */
export function adviseStatus(facts: AnswerFacts): string {
  const { operation, httpStatus, headers, outcome } = facts;
  const isTaken = httpStatus >= 200 && httpStatus < 300;
  if (isTaken && outcome === 'duplicate')
    return 'The service has a payment of this reference already, and made no other: give it one of its own, or expect this.';
  if (isProduct(operation) && outcome !== null && isOutcomeUnknown(outcome, null))
    return 'Whether the service took it is not known: ask its status before you send it again.';
  if (isTaken && !notTaken.has(outcome))
    return 'The service took it: correct the expectation, or what it is to be refused for.';
  if (httpStatus === 429) {
    const after = findHeader(headers, 'retry-after');
    const wait = after === null ? '' : ` (Retry-After: ${after})`;
    // A date counts by the service's own clock alone: when the answer came is not known here.
    if (isTooLong(readRetryAfterMs(headers, Infinity)))
      return `The service was asked too often${wait}: that is longer than --retry waits. Run it again after that.`;
    return `The service was asked too often${wait}: send slower, with --delay, or give it more attempts, with --retry.`;
  }
  const fields = describeFields(facts);
  if (fields !== null) return `The service names${fields}.`;
  if (httpStatus === 401 || httpStatus === 403)
    return 'Look at the token and the signature: the service did not take one of them.';
  if (httpStatus >= 500) return 'The service failed at it: its answer says no more than stands above.';
  return 'Read what the service says of it in its answer.';
}
