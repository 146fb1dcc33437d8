import type { JsonNode } from '../json/json-tree';
import { compareDecimals, parseDecimal, type Decimal } from '../payments/decimal';
import type { Comparison, ExpectedValue, ValueKind } from './expectation';
import { compileValue } from './read-comparison';
import { readJudged } from './read-judged';
import { findDifference } from './same-json';

/** Null: it holds; else why it cannot be compared, or an empty text where it simply does not hold. */
type Compared = boolean | { readonly problem: string };

const numberOf = (text: string): Decimal | null => parseDecimal(text.replace(/^\+/, ''));

function isSameNumber(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [numberOf(a), numberOf(b)];
  // Over 60 digits: as written.
  return left !== null && right !== null && compareDecimals(left, right) === 0;
}

/** Tells whether a value equals one that was typed: a number by value, text by its characters, JSON by meaning. */
function equals(node: JsonNode, { text, isQuoted }: ExpectedValue): boolean {
  switch (node.kind) {
    case 'string':
      return node.text === text;
    case 'number':
      return isQuoted ? node.text === text : isSameNumber(node.text, text);
    case 'name':
      return !isQuoted && node.text === text;
    default: {
      const wanted = readJudged(text).tree;
      return wanted !== null && findDifference(node, wanted, { isByValue: true }) === null;
    }
  }
}

function compareOrder(node: JsonNode, text: string, operator: '<' | '<=' | '>' | '>='): Compared {
  const left = node.kind === 'number' || node.kind === 'string' ? numberOf(node.text) : null;
  const right = numberOf(text);
  if (right === null) return { problem: `'${text}' is no number, so nothing is ${operator} it` };
  const isNumber = node.kind === 'number';
  if (left === null)
    return { problem: isNumber ? 'it has over 60 digits, which is too long to compare' : 'it is no number' };
  const order = compareDecimals(left, right);
  if (order === 0) return operator === '<=' || operator === '>=';
  return order < 0 === operator.startsWith('<');
}

function contains(node: JsonNode, value: ExpectedValue): Compared {
  if (node.kind === 'array') return node.items.some((item) => equals(item, value));
  if (node.kind === 'object') return node.members.has(value.text);
  return node.text.includes(value.text);
}

function matches(node: JsonNode, text: string): Compared {
  if (node.kind === 'array' || node.kind === 'object') return { problem: 'it is no text' };
  const found = compileValue(text).test(node.text);
  return found ?? { problem: 'it is too long to be searched with this pattern' };
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const isoDate =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

function isDate(text: string): boolean {
  const day = isoDate.exec(text)?.[1];
  // A day that there is: `2030-02-30` becomes another one.
  return day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

const kinds: Readonly<Record<ValueKind, (node: JsonNode) => boolean>> = {
  number: ({ kind }) => kind === 'number',
  string: ({ kind }) => kind === 'string',
  null: (node) => node.kind === 'name' && node.text === 'null',
  boolean: (node) => node.kind === 'name' && node.text !== 'null',
  array: ({ kind }) => kind === 'array',
  object: ({ kind }) => kind === 'object',
  uuid: (node) => node.kind === 'string' && uuid.test(node.text),
  'iso-date': (node) => node.kind === 'string' && isDate(node.text),
};

function decide(node: JsonNode | null, comparison: Comparison): Compared {
  if (comparison.operator === 'exists') return node !== null;
  if (node === null) return { problem: 'it is not there' };
  switch (comparison.operator) {
    case 'is':
      return kinds[comparison.valueKind](node);
    case 'in':
      return comparison.values.some((value) => equals(node, value));
    case '==':
      return equals(node, comparison.value);
    case '!=':
      return !equals(node, comparison.value);
    case 'contains':
      return contains(node, comparison.value);
    case 'matches':
      return matches(node, comparison.value.text);
    default:
      return compareOrder(node, comparison.value.text, comparison.operator);
  }
}

/**
 * Compares a value with what is expected of it; variables are filled in already.
 *
 * What is not there holds nothing but `not exists` (and `!=` does not hold either: a name typed wrong must not pass).
 * @param node - null: nothing stands there
 * @returns `problem`: why the two cannot be compared at all; empty where they simply differ
 * @throws {PatternFault} for a pattern that came out of a variable
 */
export function compareValue(
  node: JsonNode | null,
  comparison: Comparison,
): { isHeld: boolean; problem: string } {
  const compared = decide(node, comparison);
  if (typeof compared !== 'boolean') return { isHeld: false, problem: compared.problem };
  return { isHeld: compared !== comparison.isNegated, problem: '' };
}

/** Fills in variables in all values of a comparison. */
export function fillComparison(comparison: Comparison, fill: (text: string) => string): Comparison {
  const fillValue = (value: ExpectedValue): ExpectedValue => ({ ...value, text: fill(value.text) });
  if ('values' in comparison) return { ...comparison, values: comparison.values.map(fillValue) };
  return 'value' in comparison ? { ...comparison, value: fillValue(comparison.value) } : comparison;
}

const isStructure = ({ text, isQuoted }: ExpectedValue): boolean =>
  !isQuoted && ['object', 'array'].includes(readJudged(text).tree?.kind ?? '');

/** Writes a comparison as it is typed. */
export function describeComparison(comparison: Comparison): string {
  const show = ({ text, isQuoted }: ExpectedValue): string => (isQuoted ? JSON.stringify(text) : text);
  const not = comparison.isNegated ? 'not ' : '';
  if ('values' in comparison) {
    // One that a variable gave with commas in it is one value all the same.
    const showItem = (value: ExpectedValue): string =>
      value.text.includes(',') && !isStructure(value) ? JSON.stringify(value.text) : show(value);
    return `${not}in ${comparison.values.map(showItem).join(', ')}`;
  }
  if ('value' in comparison) return `${not}${comparison.operator} ${show(comparison.value)}`;
  return comparison.operator === 'is' ? `${not}is ${comparison.valueKind}` : `${not}exists`;
}
