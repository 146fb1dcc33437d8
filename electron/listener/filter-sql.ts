import { parseDecimal } from '@shared/payments/decimal';
import {
  filterFields,
  type Filter,
  type FilterOperator,
  type FilterWord,
} from '@shared/webhooks/filter/filter-fields';
import { readDuration, readInstant } from '@shared/webhooks/filter/read-moment';
import { fieldColumns } from './filter-subject';

/** A condition on `webhooks w`. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** Whether it finds just the webhooks that pass; else some more, to be looked at one by one. */
  readonly isExact: boolean;
}

type Condition = Extract<Filter, { is: 'condition' }>;

/** Each as the partial index of it says it. */
const WORDS: Readonly<Record<FilterWord, string>> = {
  all: '1',
  unread: 'w.is_read = 0',
  failed: "(w.status IN ('FAILED', 'CANCELED') OR w.responded_status NOT BETWEEN 200 AND 299)",
  pinned: 'w.is_pinned = 1',
};
const ANYTHING: SqlCondition = { sql: '1', values: [], isExact: false };
const PLAIN_PATH = "iif(instr(w.path, '?') = 0, w.path, substr(w.path, 1, instr(w.path, '?') - 1))";

/**
 * Writes a filter as SQL, as far as the columns tell; what they do not tell (bodies, headers, decimals) is left to
 * a look at each webhook.
 */
export function toSqlCondition(filter: Filter, nowMs: number): SqlCondition {
  switch (filter.is) {
    case 'word':
      return exact(WORDS[filter.word]);
    case 'condition':
      return toSqlOfCondition(filter, nowMs);
    case 'not': {
      const inner = toSqlCondition(filter.inner, nowMs);
      // NULL is not passed either; and the opposite of 'some more' would be some less.
      return inner.isExact ? { ...inner, sql: `(${inner.sql}) IS NOT TRUE` } : ANYTHING;
    }
    default: {
      const [left, right] = [toSqlCondition(filter.left, nowMs), toSqlCondition(filter.right, nowMs)];
      return {
        sql: `(${left.sql} ${filter.is.toUpperCase()} ${right.sql})`,
        values: [...left.values, ...right.values],
        isExact: left.isExact && right.isExact,
      };
    }
  }
}

const exact = (sql: string, ...values: (string | number)[]): SqlCondition => ({ sql, values, isExact: true });
const COMPARISONS: Readonly<Record<Exclude<FilterOperator, 'contains'>, string>> = {
  '==': 'IS',
  '!=': 'IS NOT',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

function toSqlOfCondition({ target, operator, value }: Condition, nowMs: number): SqlCondition {
  if (target.of !== 'field') return ANYTHING;
  const { name } = target;
  if (name === 'received_at') return toSqlOfTime('w.received_at', operator, '?', readInstant(value)!);
  // The older, the earlier it came.
  if (name === 'age') return toSqlOfTime('?', operator, 'w.received_at', nowMs - readDuration(value)!);
  if (name === 'http_status' || name === 'size') return toSqlOfInteger(name, operator, value);
  if (name === 'tag') return toSqlOfTag(operator, value);
  if (filterFields[name].kind === 'number') return ANYTHING;
  const column = name === 'path' && !value.includes('?') ? PLAIN_PATH : `w.${fieldColumns[name]}`;
  if (operator === 'contains') return exact(`ifnull(instr(${column}, ?), 0) > 0`, value);
  if (operator === '==' || operator === '!=') return exact(`${column} ${COMPARISONS[operator]} ?`, value);
  return ANYTHING;
}

function toSqlOfTime(left: string, operator: FilterOperator, right: string, at: number): SqlCondition {
  return operator === 'contains' ? ANYTHING : exact(`${left} ${COMPARISONS[operator]} ${right}`, at);
}

function toSqlOfTag(operator: FilterOperator, value: string): SqlCondition {
  if (value.includes(' ') || (operator !== '==' && operator !== '!=')) return ANYTHING;
  const place = "instr(' ' || w.tags || ' ', ?)";
  return exact(`${place} ${operator === '==' ? '>' : '='} 0`, ` ${value} `);
}

function toSqlOfInteger(name: 'http_status' | 'size', operator: FilterOperator, value: string): SqlCondition {
  const decimal = parseDecimal(value);
  const isWhole = decimal !== null && decimal.scale === 0 && /^\d{1,15}$/.test(value);
  if (!isWhole || operator === 'contains') return ANYTHING;
  return exact(`w.${fieldColumns[name]} ${COMPARISONS[operator]} ?`, Number(value));
}
