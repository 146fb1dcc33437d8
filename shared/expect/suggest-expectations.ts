import type { JsonNode } from '../json/json-tree';
import { operations, type OperationName } from '../payments/tables/operations';
import { isTerminalState, paymentStates } from '../payments/tables/states';
import { hasMask, isSecretName } from '../secrets';
import { compareValue } from './compare-values';
import type { ReceivedAnswer } from './judge-answer';
import { findSchemaFault } from './match-schema';
import { isOperator } from './read-comparison';
import { expectationForms } from './read-expectation';

/** Values that the next answer has, too: anything else is only expected to be there. */
const lasting = new Set(['status', 'code', 'state', 'currency', 'error', 'param', 'token_type', 'product']);
const longestValue = 80;

/** What a line cannot hold as it is, or reads as something else: blanks, signs of paths and of variables, what no text file keeps. */
const unwritable = /[\s"[\]./\p{Cc}\p{Cs}]|\{\{/u;

/** Tells of a value that the next answer has another one, whatever its name: a time, a UUID, a state on the way to another. */
function isPassing(name: string, node: JsonNode): boolean {
  if (node.kind === 'array' || node.kind === 'object') return false;
  const isOfKind = (valueKind: 'uuid' | 'iso-date'): boolean =>
    compareValue(node, { operator: 'is', isNegated: false, valueKind }).isHeld;
  if (isOfKind('uuid') || isOfKind('iso-date') || /\d{9}/.test(node.text)) return true;
  return (
    name === 'state' && paymentStates.some((state) => state === node.text) && !isTerminalState(node.text)
  );
}

function suggestValue(path: string, name: string, node: JsonNode): string[] {
  if (unwritable.test(name) || name === '' || name === '*') return [];
  // Such a word behind `body` begins a comparison.
  if (path === '' && isOperator(name)) return [];
  const place = path === '' ? name : `${path}.${name}`;
  if (node.kind === 'object') return suggestMembers(place, node);
  if (node.kind === 'array') return [`body ${place} is array`];
  // What was masked is another text the next time.
  const isPlain =
    node.kind !== 'string' ||
    (!hasMask(node.text) && node.text.length <= longestValue && /^[^\s"'{}\p{Cc}\p{Cs}]+$/u.test(node.text));
  if (lasting.has(name) && isPlain && !isSecretName(name) && !isPassing(name, node))
    return [`body ${place} == ${node.text}`];
  return [`body ${place} exists`];
}

function suggestMembers(path: string, node: JsonNode): string[] {
  if (node.kind !== 'object' || path.split('.').length > 2) return [];
  return [...node.members].slice(0, 20).flatMap(([name, value]) => suggestValue(path, name, value));
}

/**
 * Writes expectations from an answer: what it says and the next one will say, too.
 *
 * Each of them holds for this answer. What changes from one to the next (ids, times) is only expected to be there.
 */
export function suggestExpectations(answer: ReceivedAnswer): string[] {
  const { httpStatus, operation, tree } = answer;
  const isKnown = Object.hasOwn(operations, operation);
  const hasShape =
    isKnown && tree !== null && findSchemaFault(tree, httpStatus, operation as OperationName) === null;
  return [
    // One that is none cannot be expected.
    ...(/^[1-5]\d\d$/.test(String(httpStatus)) ? [`status ${httpStatus}`] : []),
    ...(hasShape ? [`schema ${operation}`] : []),
    ...(tree === null ? [] : suggestMembers('', tree)),
  ];
}

/** Gives the forms that a line which is being typed may become. */
export function completeExpectation(typed: string): string[] {
  const line = typed.trimStart();
  if (line === '') return [];
  return Object.values(expectationForms)
    .flatMap(({ forms }) => forms)
    .filter((form) => form.startsWith(line) && form !== line);
}
