import type { JsonNode } from '../../json/json-tree';
import { compareDecimals, parseDecimal } from '../../payments/decimal';
import {
  filterFields,
  type Filter,
  type FilterFieldName,
  type FilterOperator,
  type FilterTarget,
  type FilterWord,
} from './filter-fields';
import { readDuration, readInstant } from './read-moment';

/** A webhook as a filter looks at it; body and headers are read only where a condition asks for them. */
export interface FilterSubject {
  /** Value of a field, as text; a list where it has several. Null: it has none. */
  field(name: Exclude<FilterFieldName, 'received_at' | 'age'>): string | readonly string[] | null;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The payload; null where it is not JSON. */
  body(): JsonNode | null;
  /** All values of a header, its name in lower case. */
  headers(name: string): readonly string[];
  readonly isRead: boolean;
  readonly isPinned: boolean;
  readonly isFailed: boolean;
}

type Condition = Extract<Filter, { is: 'condition' }>;

/** Statuses that `failed` means. */
export const FAILED_STATUSES: readonly string[] = ['FAILED', 'CANCELED'];

/**
 * Tells whether a webhook passes a filter.
 *
 * Numbers are compared by exact value, however they are written; what is not there passes `!=` alone.
 * @param nowMs - what `age` counts from
 */
export function matchesFilter(filter: Filter, subject: FilterSubject, nowMs: number): boolean {
  switch (filter.is) {
    case 'word':
      return matchesWord(filter.word, subject);
    case 'not':
      return !matchesFilter(filter.inner, subject, nowMs);
    case 'and':
      return matchesFilter(filter.left, subject, nowMs) && matchesFilter(filter.right, subject, nowMs);
    case 'or':
      return matchesFilter(filter.left, subject, nowMs) || matchesFilter(filter.right, subject, nowMs);
    case 'condition':
      return matchesCondition(filter, subject, nowMs);
  }
}

function matchesWord(word: FilterWord, subject: FilterSubject): boolean {
  if (word === 'unread') return !subject.isRead;
  if (word === 'failed') return subject.isFailed;
  return word === 'all' || subject.isPinned;
}

function matchesCondition(condition: Condition, subject: FilterSubject, nowMs: number): boolean {
  const { target, operator, value } = condition;
  const kind = target.of === 'field' ? filterFields[target.name].kind : 'text';
  if (kind === 'instant') return isOrdered(subject.receivedAt - readInstant(value)!, operator);
  if (kind === 'age') return isOrdered(nowMs - subject.receivedAt - readDuration(value)!, operator);
  const found = findValues(target, value, subject);
  // A list differs from a value where none of its items is that value.
  if (operator === '!=') return !found.some((one) => isEqual(one, condition));
  return found.some((one) => compare(one, condition));
}

interface Found {
  readonly text: string;
  readonly isNumber: boolean;
}

function findValues(target: FilterTarget, value: string, subject: FilterSubject): readonly Found[] {
  if (target.of === 'body') return readNode(findNode(subject.body(), target.path));
  if (target.of === 'header') return subject.headers(target.name).map(asText);
  const { name } = target;
  if (name === 'received_at' || name === 'age') return [];
  const found = subject.field(name);
  if (found === null) return [];
  if (name === 'path' && !value.includes('?')) return [asText(String(found).split('?', 1)[0]!)];
  if (typeof found !== 'string') return found.map(asText);
  return [{ text: found, isNumber: filterFields[name].kind === 'number' }];
}

const asText = (text: string): Found => ({ text, isNumber: false });

/** Follows a path of names and places; null where it leads nowhere. */
export function findNode(root: JsonNode | null, path: readonly string[]): JsonNode | null {
  let at = root;
  for (const step of path) {
    if (at?.kind === 'object') at = at.members.get(step) ?? null;
    else if (at?.kind === 'array')
      at = /^(0|[1-9]\d{0,8})$/.test(step) ? (at.items[Number(step)] ?? null) : null;
    else return null;
  }
  return at;
}

/** Items of a list count one by one: `body.tags == urgent`, `contains` alike. */
function readNode(node: JsonNode | null): readonly Found[] {
  if (node === null || node.kind === 'object') return [];
  if (node.kind === 'array')
    return node.items.flatMap((item) => (item.kind === 'array' ? [] : readNode(item)));
  return [{ text: node.text, isNumber: node.kind === 'number' }];
}

function compare(found: Found, condition: Condition): boolean {
  const { operator, value } = condition;
  if (operator === '==') return isEqual(found, condition);
  if (operator === 'contains') return found.text.includes(value);
  const [left, right] = [parseDecimal(found.text), parseDecimal(value)];
  return left !== null && right !== null && isOrdered(compareDecimals(left, right), operator);
}

function isEqual({ text, isNumber }: Found, { value, isQuoted }: Condition): boolean {
  if (text === value) return true;
  if (!isNumber || isQuoted) return false;
  const [left, right] = [parseDecimal(text), parseDecimal(value)];
  return left !== null && right !== null && compareDecimals(left, right) === 0;
}

function isOrdered(difference: number, operator: FilterOperator): boolean {
  switch (operator) {
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    case '!=':
      return difference !== 0;
    default:
      return difference === 0;
  }
}
