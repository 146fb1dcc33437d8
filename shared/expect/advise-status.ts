import type { HeaderList } from '../contract/common';
import type { JsonNode } from '../json/json-tree';
import { findRecord, readFieldErrors } from '../payments/read-answer';

/** What of an answer tells why it is not the one that was expected. */
interface AnswerFacts {
  readonly httpStatus: number;
  readonly headers: HeaderList;
  readonly tree: JsonNode | null;
}

/** So many fields are named, so much of each: the answer stands in the report whole. */
const mostFields = 5;
const longestName = 80;
const longestMessage = 160;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Names the fields that an answer refuses, with what it says of each; null: it names none. */
function describeFields({ tree }: Pick<AnswerFacts, 'tree'>): string | null {
  const named = readFieldErrors(tree, findRecord(tree)).filter(
    ({ field, message }) => field + message !== '',
  );
  if (named.length === 0) return null;
  const shown = named
    .slice(0, mostFields)
    .map(({ field, message }) =>
      [cut(field, longestName), cut(message, longestMessage)].filter((part) => part !== '').join(': '),
    );
  const more = named.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** What to do where another status came than was expected. */
export function adviseStatus(facts: AnswerFacts): string {
  const { httpStatus, headers } = facts;
  if (httpStatus >= 200 && httpStatus < 300)
    return 'The service took it: correct the expectation, or what it is to be refused for.';
  if (httpStatus === 429) {
    const after = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    const wait = after === undefined ? '' : ` (Retry-After: ${cut(after, 40)})`;
    return `The service was asked too often${wait}: send slower, with --delay, or again, with --retry.`;
  }
  const fields = describeFields(facts);
  if (fields !== null) return `The service names: ${fields}.`;
  if (httpStatus === 401 || httpStatus === 403)
    return 'Look at the token and the signature: the service did not take one of them.';
  if (httpStatus >= 500) return 'The service failed at it: its answer says no more than stands above.';
  return 'Read what the service says of it in its answer.';
}
